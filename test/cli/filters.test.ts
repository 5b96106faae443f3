/** What the commands say when filters and states leave little or nothing. */
import { describe, expect, test } from 'vitest';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FILES = {
  'project/.agents/skills/git/SKILL.md': skillText({ name: 'git' }),
  'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  'project/.claude/skills/off/.SKILL.md': skillText({ name: 'off' }),
};
const NO_MATCH = { code: 'filter-no-match', severity: 'warning' };

describe('a token that matches nothing is reported', () => {
  test.each([[['validate']], [['validate', '--all']]])('%j: in the report, and --strict fails', async (args) => {
    using folder = tempFolder(FILES);
    const lenient = await lectern(folder, [...args, '--include=nosuch', '--json']);
    expect([lenient.code, JSON.parse(lenient.stdout)]).toMatchObject([
      0,
      { valid: true, warnings: [{ code: 'filter-no-match', file: '--include' }] },
    ]);
    const strict = await lectern(folder, [...args, '--include=nosuch', '--strict', '--json']);
    expect([strict.code, JSON.parse(strict.stdout)]).toMatchObject([
      1,
      { valid: false, warnings: [{ code: 'filter-no-match' }] },
    ]);
    expect((await lectern(folder, [...args, '--include=nosuch'])).stdout).toContain('"nosuch" matches no skill');
  });

  test('the summary mentions warnings that fail --strict', async () => {
    using folder = tempFolder(FILES);
    const summary = async (...args: string[]): Promise<string> =>
      (
        JSON.parse((await lectern(folder, ['validate', '--exclude=nosuch', '--strict', '--json', ...args])).stdout) as {
          summary: string;
        }
      ).summary;
    expect(await summary()).toBe('3 skills valid, but there are warnings.');
    expect(await summary('--all')).toBe('3 items valid, but there are warnings.');
    expect(await summary('--include=nobody')).toBe('No skills to validate, but there are warnings.');
  });

  test('the warning mentions matching skills in the other state', async () => {
    using folder = tempFolder(FILES);
    expect((await lectern(folder, ['list', '--include=off'])).stderr).toContain(
      '"off" matches no enabled skill, only disabled ones',
    );
    expect((await lectern(folder, ['list', '--disabled', '--include=git'])).stderr).toContain(
      '"git" matches no disabled skill, only enabled ones',
    );
  });

  test('search: on standard error, and in the document', async () => {
    using folder = tempFolder(FILES);
    const said = await lectern(folder, ['search', 'git', '--include=nosuch']);
    expect(said).toMatchObject({
      code: 0,
      stderr: 'lectern: warning [filter-no-match] --include: "nosuch" matches no skill\n',
    });
    expect(JSON.parse((await lectern(folder, ['search', 'git', '--include=nosuch', '--json'])).stdout)).toMatchObject({
      diagnostics: [NO_MATCH],
    });
    expect(JSON.parse((await lectern(folder, ['search', 'git', '--include=git', '--json'])).stdout)).not.toHaveProperty(
      'diagnostics',
    );
  });

  test('the overview: however much else needs attention', async () => {
    using folder = tempFolder({
      ...FILES,
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [`project/.claude/skills/bad${index}/SKILL.md`, 'nothing']),
      ),
    });
    const { stdout } = await lectern(folder, ['--include=nosuch']);
    expect(stdout).toContain('"nosuch" matches no skill');
    expect(stdout).not.toContain('my-first-skill');
    expect(stdout).toContain('No enabled skill matches the filters; 3 skills were found without them.');
  });
});

describe('an empty list gives the reason', () => {
  test.each([
    [['--exclude=all'], 'No enabled skill matches the filters; 3 skills were found without them.'],
    [['--include=off'], '1 disabled skill matches them: add --all.'],
    [['--all', '--exclude=all'], 'No skill matches the filters; 3 skills were found without them.'],
    [['--disabled', '--include=git'], '1 enabled skill matches them: add --all.'],
  ])('%j', async (flags, sentence) => {
    using folder = tempFolder(FILES);
    const { stdout, code } = await lectern(folder, ['list', ...flags]);
    expect(code).toBe(0);
    expect(stdout).toContain(sentence);
    expect(stdout).not.toContain('lectern new');
  });

  test('none is disabled, or all are', async () => {
    using enabled = tempFolder({ 'project/skills/a/SKILL.md': skillText({ name: 'a' }) });
    expect((await lectern(enabled, ['list', '--disabled'])).stdout).toBe('No skill is disabled; 1 skill is enabled.\n');
    using disabled = tempFolder({
      'project/skills/a/.SKILL.md': skillText({ name: 'a' }),
      'project/skills/b/.SKILL.md': skillText({ name: 'b' }),
    });
    expect((await lectern(disabled, ['list'])).stdout).toBe('No skill is enabled; 2 skills are disabled: add --all.\n');
    expect((await lectern(disabled, [])).stdout).toContain('No skill is enabled; 2 skills are disabled');
  });
});

describe('counts', () => {
  test('list counts errors and warnings apart, in its last line as beside it', async () => {
    using folder = tempFolder({
      ...FILES,
      ...Object.fromEntries(
        Array.from({ length: 22 }, (_, index) => [`project/.claude/skills/bad${index}/SKILL.md`, 'nothing']),
      ),
      'project/.claude/skills/gone': { link: 'nowhere' },
    });
    const { stdout, stderr } = await lectern(folder, ['list', '--exclude=nosuch']);
    expect(stdout).toMatch(/2 skills, 1 more disabled, 22 errors, 2 warnings\n$/u);
    expect(stderr).toContain('lectern: and 2 errors, 2 warnings more; run lectern doctor to see them all');
  });

  test('list, doctor and the overview report disabled skills in the same words', async () => {
    using folder = tempFolder(FILES);
    expect((await lectern(folder, ['list'])).stdout).toMatch(/2 skills, 1 more disabled\n$/u);
    expect((await lectern(folder, ['list', '--all'])).stdout).toMatch(/3 skills, 1 of them disabled\n$/u);
    expect((await lectern(folder, ['list', '--disabled'])).stdout).toMatch(/1 disabled skill\n$/u);
    expect((await lectern(folder, ['doctor'])).stdout).toContain('\n  2 skills, 1 more disabled, ');
    expect((await lectern(folder, [])).stdout).toContain('\n3 skills found, 1 of them disabled. ');
  });
});
