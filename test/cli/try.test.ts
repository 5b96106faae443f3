import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { lectern, PACKAGE_DIR } from '../support/run-lectern.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BOOKSHOP = `${PACKAGE_DIR}/examples/bookshop`;

describe('lectern try in the example project', () => {
  test('all five saved requests pass, one of them closely', async () => {
    using home = tempFolder();
    const { code, stdout, stderr } = await lectern(home, ['try', '--check', '--json'], { cwd: BOOKSHOP });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const { checked } = JSON.parse(stdout) as {
      checked: { failed: number; close: number; results: { line: number }[] };
    };
    expect(checked).toMatchObject({ failed: 0, close: 1 });
    expect(new Set(checked.results.map(({ line }) => line)).size).toBe(5);
  });

  test('the workflow in the documents checks them', async () => {
    using home = tempFolder();
    const page = fs.readFileSync(`${PACKAGE_DIR}/docs/trying.md`, 'utf8');
    const [, command = ''] = /- run: npx --yes lectern (try --check .*)/u.exec(page) ?? [];
    const { code, stdout, stderr } = await lectern(home, command.split(' '), { cwd: BOOKSHOP });
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(/^::warning .* is only 0\.\d\d behind.*\n$/u),
      '',
    ]);
  });

  test('exit code 1 for another skill, 2 for an unknown one', async () => {
    using home = tempFolder();
    const request = ['try', 'these', 'cover', 'photos', 'are', 'too', 'dark', '--agent', 'claude'];
    const run = async (...more: string[]) => (await lectern(home, [...request, ...more], { cwd: BOOKSHOP })).code;
    expect(await run('--expect', 'cover-photos')).toBe(0);
    expect(await run('--expect', 'release-notes')).toBe(1);
    expect(await run('--expect', 'none')).toBe(1);
    expect(await run('--expect', 'covers')).toBe(2);
    expect(await run('--agent', 'claud')).toBe(2);
  });

  test('reports replace the text on standard output', async () => {
    using home = tempFolder();
    const run = async (...more: string[]) =>
      (await lectern(home, ['try', '--check', '--min-margin', '0.6', ...more], { cwd: BOOKSHOP })).stdout;
    expect(await run('--format', 'junit')).toMatch(/^<\?xml /u);
    expect(await run('--format', 'github')).toMatch(
      /^::error file=examples\/bookshop\/skills\.requests\.yaml,line=4,/u,
    );
    expect(JSON.parse(await run('--format', 'gitlab'))).toHaveLength(3);
    expect(JSON.parse(await run('--sarif'))).toMatchObject({ runs: [{ results: [{ ruleId: 'try-failed' }, {}, {}] }] });
  });
});
