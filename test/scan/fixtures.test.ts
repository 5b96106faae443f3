/** Tests the scan against malicious and harmless fixtures. */
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/scan/rule.ts';
import { rankOf, scanSkill } from '../../src/scan/scan.ts';
import { scanCases } from '../support/scan-cases.ts';

describe.each(CATEGORIES)('%s', (category) => {
  const cases = scanCases(category);
  const of = (kind: 'bad' | 'clean'): [string, (typeof cases)[number]][] =>
    cases.filter((each) => each.kind === kind).map((each) => [each.title, each]);

  test('has four bad and four clean cases', () => {
    expect([of('bad').length, of('clean').length]).toEqual([4, 4]);
  });

  test.each(of('bad'))('bad: %s', (_, { files, marks }) => {
    expect(marks.length).toBeGreaterThan(0);
    const { findings } = scanSkill(files);
    for (const { path, line, level } of marks) {
      const here = findings.filter((found) => found.path === path && (found.line ?? 0) === line);
      const levels = here.filter((found) => found.category === category).map((found) => found.level);
      expect({ path, line, levels }).toEqual({
        path,
        line,
        levels: expect.arrayContaining([level ?? expect.stringMatching(/^(?:medium|high|critical)$/u)]),
      });
    }
  });

  test.each(of('clean'))('clean: %s', (_, { files }) => {
    const { findings } = scanSkill(files);
    expect(findings.filter((found) => rankOf(found) > 1)).toEqual([]);
  });
});
