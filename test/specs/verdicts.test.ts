import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { reportOf } from '../../src/core/report.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';
import { judgeChanges, judgeSpecs } from '../../src/specs/validate.ts';

interface Verdict {
  valid: boolean;
  strictValid: boolean;
  issues: Partial<Record<'ERROR' | 'WARNING' | 'INFO', number>>;
}

const FIXTURES = path.resolve('test/fixtures/openspec-verdicts');
const expected = JSON.parse(fs.readFileSync(path.join(FIXTURES, 'expected.json'), 'utf8')) as Record<
  string,
  Record<string, Verdict>
>;

describe.each(Object.keys(expected))('the verdicts of OpenSpec on %s', (project) => {
  const dir = path.join(FIXTURES, project);
  const catalog = new SpecCatalog(nodeFiles, { projectDir: dir, ancestors: [dir] });
  const verdicts = (strict: boolean): Map<string, boolean> =>
    new Map(
      reportOf([...judgeSpecs(catalog), ...judgeChanges(catalog)], { strict }).items.map(({ type, id, valid }) => [
        `${type}:${id}`,
        valid,
      ]),
    );
  const plain = verdicts(false);
  const strict = verdicts(true);
  const items = Object.entries(expected[project] ?? {});

  test('the same items are found', () => {
    expect([...plain.keys()].sort()).toEqual(items.map(([item]) => item).sort());
  });

  test.each(items)('%s gets the same verdict, plain and strict', (item, verdict) => {
    expect({ valid: plain.get(item), strictValid: strict.get(item) }).toEqual({
      valid: verdict.valid,
      strictValid: verdict.strictValid,
    });
  });
});
