/** What people meet in everyday use of the commands. */
import { describe, expect, test } from 'vitest';
import { widthOf } from '../../src/render/width.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFile } from '../support/temp-folder.ts';

const SPEC =
  '# Login\n\n## Purpose\nLet people in, whoever they are and wherever they come from.\n\n## Requirements\n### Requirement: Sign in\nThe shop SHALL let people in.\n\n#### Scenario: Known\n- **WHEN** a\n- **THEN** b\n';
const FILES: Record<string, TempFile> = {
  'project/.git/HEAD': '',
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill forms for kubernetes clusters' }),
  'project/.claude/skills/broken/SKILL.md': '# No frontmatter\n',
  'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Another way' }),
  'project/.agents/skills/old-one/SKILL.md': skillText({ name: 'old-one' }),
  'project/.agents/skills/old-two/SKILL.md': skillText({ name: 'old-two' }),
  'project/openspec/specs/login/spec.md': SPEC,
};
const { 'project/.claude/skills/broken/SKILL.md': _, ...VALID } = FILES;

describe('validate', () => {
  test('takes the name of a broken skill as it takes its path', async () => {
    using folder = tempFolder(FILES);
    for (const target of ['broken', 'claude:broken', './.claude/skills/broken'])
      expect(await lectern(folder, ['validate', target])).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('frontmatter-missing'),
      });
  });

  test('--all shows the kind of each item, and is short if all are valid', async () => {
    using folder = tempFolder(FILES);
    expect((await lectern(folder, ['validate', '--all'])).stdout).toContain('✗ skill .claude/skills/broken/SKILL.md');
    using valid = tempFolder(VALID);
    const { stdout } = await lectern(valid, ['validate', '--all']);
    // A finding about no item, here a name that two agents have, is never omitted.
    expect(stdout).toMatch(/^! \S+\n {2}warning name-ambiguous .*\n {4}fix: .*\n\n✓ 5 items valid/u);
    expect(stdout).toMatch(/✓ 5 items valid\. 0 errors, 1 warning, 4 notes\n {2}4 skills, 1 spec\n/u);
  });

  test('is what the overview names for a warning, with flags that show it', async () => {
    const more = ['colour: red'];
    using folder = tempFolder({
      'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', more }),
      'project/.claude/skills/git/SKILL.md': skillText({ name: 'git', more }),
    });
    const { needsAttention } = JSON.parse((await lectern(folder, ['--json'])).stdout);
    const { command } = needsAttention.find(({ code }: { code?: string }) => code === 'field-unknown');
    expect((await lectern(folder, command.split(' ').slice(1))).stdout).toContain('field-unknown');
  });

  test('without skills in the project, names the command for the others; with repairs, counts them', async () => {
    using folder = tempFolder({ 'home/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    expect((await lectern(folder, ['validate'])).stdout).toContain('lectern validate --all');
    expect((await lectern(folder, [])).stdout).toContain('lectern validate --all ');
    folder.write({
      'project/.claude/skills/forms/SKILL.md': skillText({ name: 'pdf', description: 'Forms: fill them' }),
    });
    const { stdout } = await lectern(folder, ['validate']);
    expect(stdout).toContain('lectern validate --fix --dry-run\n');
    expect(stdout).toContain('lectern validate --fix --name-from folder --dry-run\n');
    expect((await lectern(folder, ['validate', '--fix', '--yes'])).stdout).toContain('✓ 1 finding fixed\n');
  });

  test('--quiet prints only errors, or nothing; --severity filters the output', async () => {
    using folder = tempFolder({
      ...FILES,
      'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', more: ['colour: red'] }),
    });
    const quiet = await lectern(folder, ['validate', '--quiet']);
    expect(quiet.stdout).toContain('frontmatter-missing');
    expect(quiet.stdout).not.toContain('warning field');
    expect((await lectern(folder, ['validate', '--severity', 'error'])).stdout).not.toMatch(/^ {2}warning/mu);
    using valid = tempFolder(VALID);
    expect(await lectern(valid, ['validate', '--all', '--quiet'])).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('new', () => {
  test('shows which agents read the folder and whether the name already exists', async () => {
    using folder = tempFolder(FILES);
    const { stdout } = await lectern(folder, ['new', 'pdf', '--to', 'claude', '--user']);
    expect(stdout).toContain('read by Claude Code, Continue, Cursor');
    expect(stdout).toContain('the name already exists: claude:pdf .claude/skills/pdf/SKILL.md');
    expect((await lectern(folder, ['new', 'x', '--to', './mine'])).stdout).toContain(
      'no known agent reads this folder',
    );
  });
});

describe('disable', () => {
  test('takes a pattern, and --dry-run changes nothing', async () => {
    using folder = tempFolder(FILES);
    const dry = await lectern(folder, ['disable', 'old-*', '--dry-run']);
    expect(dry.stdout).toContain('agents:old-one would be disabled');
    expect((await lectern(folder, ['list', '--disabled', '--json'])).stdout).toContain('"total":0');
    await lectern(folder, ['disable', 'old-*']);
    const { skills } = JSON.parse((await lectern(folder, ['list', '--disabled', '--json'])).stdout) as {
      skills: { name: string }[];
    };
    expect(skills.map(({ name }) => name)).toEqual(['old-one', 'old-two']);
    expect((await lectern(folder, ['disable', 'nothing-*'])).code).toBe(2);
  });

  test('--all-copies means every skill with the name', async () => {
    using folder = tempFolder(FILES);
    expect((await lectern(folder, ['disable', 'pdf'])).code).toBe(2);
    const { stdout } = await lectern(folder, ['disable', 'pdf', '--all-copies']);
    expect(stdout).toContain('✓ claude:pdf disabled');
    expect(stdout).toContain('✓ codex:pdf disabled');
  });
});

describe('list', () => {
  test.each([
    ['claude', ['claude:pdf']],
    ['pdf', ['claude:pdf', 'codex:pdf']],
    ['old-*', ['agents:old-one', 'agents:old-two']],
    ['two', ['agents:old-two']],
    ['nothing', []],
  ])('%s as an argument lists %j', async (only, names) => {
    using folder = tempFolder(FILES);
    const { skills } = JSON.parse((await lectern(folder, ['list', only, '--json'])).stdout) as {
      skills: { fullName: string }[];
    };
    expect(skills.map(({ fullName }) => fullName)).toEqual(names);
  });

  test.each([80, 50, 30])('keeps every row within %i columns, marks included', async (columns) => {
    using folder = tempFolder(FILES);
    for (const args of [
      ['list'],
      ['list', '--all'],
      [],
      ['doctor'],
      ['validate'],
      ['search', 'pdf'],
      ['spec', 'list'],
    ]) {
      const { stdout } = await lectern(folder, args, { env: { COLUMNS: String(columns) } });
      const tooWide = stdout.split('\n').filter((line) => widthOf(line) > columns && line.trim().includes(' '));
      expect([args, tooWide]).toEqual([args, []]);
    }
  });

  test('counts the problems of names as doctor does', async () => {
    using folder = tempFolder(FILES);
    const codes = (stdout: string) =>
      (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code).sort();
    const list = codes((await lectern(folder, ['list', '--json'])).stdout);
    expect(list).toEqual(codes((await lectern(folder, ['doctor', '--json'])).stdout));
    expect(list).toContain('name-ambiguous');
  });
});

test.each([
  ['ls', 'list'],
  ['add', 'install'],
  ['read', 'show'],
  ['view', 'show'],
  ['rm', 'remove'],
])('the word %s of other tools is answered with %s', async (word, command) => {
  using folder = tempFolder({});
  expect((await lectern(folder, [word, 'x'])).stderr).toContain(`Did you mean lectern ${command}`);
});

test('init explains which command serves which purpose, and changes nothing', async () => {
  using folder = tempFolder({});
  const { code, stdout, stderr } = await lectern(folder, ['init']);
  expect([code, stdout]).toEqual([2, '']);
  const words = stderr.replaceAll(/\s+/gu, ' ');
  for (const part of ['lectern change new <name> for specs', 'openspec init for OpenSpec', 'lectern setup <client>'])
    expect(words).toContain(part);
});

test('a flag is suggested only if it looks like the one that was typed', async () => {
  using folder = tempFolder({});
  expect((await lectern(folder, ['list', '--sort'])).stderr).not.toContain('--root');
  expect((await lectern(folder, ['list', '--includ', 'x'])).stderr).toContain('Did you mean --include');
});

describe('search', () => {
  test('suggests a word that looks like one that occurs nowhere', async () => {
    using folder = tempFolder(FILES);
    expect((await lectern(folder, ['search', 'kubernets', '--mode', 'keyword'])).stdout).toContain(
      'Did you mean: kubernetes?',
    );
  });

  test('names the spec of a requirement', async () => {
    using folder = tempFolder(FILES);
    expect((await lectern(folder, ['search', 'sign', 'in'])).stdout).toContain('Sign in of login');
  });

  test('at the most results it does not ask for more', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 101 }, (_each, index) => [
        `project/.agents/skills/s${index}/SKILL.md`,
        skillText({ name: `s${index}`, description: 'alike' }),
      ]),
    );
    using folder = tempFolder(many);
    const { stdout } = await lectern(folder, ['search', 'alike', '--limit', '100']);
    expect(stdout).toContain('100 of 101 matches\n');
  });
});

test('a name that starts with a hyphen is offered in a form that a command takes', async () => {
  using folder = tempFolder({ 'project/.claude/skills/x/SKILL.md': skillText({ name: '-x' }) });
  expect((await lectern(folder, [])).stdout).toContain('lectern show claude:-x');
});

test('an id that equals the title is printed once', async () => {
  using folder = tempFolder({ 'project/openspec/changes/go/tasks.md': '- [ ] a\n' });
  expect((await lectern(folder, ['change', 'show', 'go'])).stdout.split('\n')[0]).toBe('go');
});

test('after the arguments of a command nothing is completed', async () => {
  using folder = tempFolder(FILES);
  const complete = async (...words: string[]) => (await lectern(folder, ['__complete', '--', ...words])).stdout;
  expect(await complete('spec', 'show', '')).toBe('login\n');
  expect(await complete('spec', 'show', 'login', 'One', '')).toBe('');
  expect(await complete('show', 'pdf', '')).toBe('');
  expect(await complete('disable', 'old-one', 'old')).toContain('old-two');
});

test('an archive that is only tried does not ask for a flag that was given', async () => {
  using folder = tempFolder({
    'project/openspec/changes/go/tasks.md': '- [ ] a\n',
    'project/openspec/changes/go/proposal.md': '# Go\n\n## Why\nBecause.\n\n## What Changes\n- x\n',
    'project/openspec/changes/go/specs/a/spec.md':
      '## ADDED Requirements\n### Requirement: X\nIt SHALL work.\n\n#### Scenario: Y\n- **WHEN** a\n- **THEN** b\n',
  });
  const run = async (...flags: string[]) =>
    (await lectern(folder, ['change', 'archive', 'go', '--dry-run', ...flags])).stdout;
  expect(await run()).toContain('archiving needs --allow-open-tasks');
  expect(await run('--allow-open-tasks')).not.toContain('needs --allow-open-tasks');
});

test('links to skills are counted', async () => {
  using folder = tempFolder({
    'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
    'project/.claude/skills': { link: '../.agents/skills' },
  });
  expect((await lectern(folder, ['doctor'])).stdout).toContain('1 reached through links');
});

test('control characters of a spec reach no terminal, in SARIF neither', async () => {
  using folder = tempFolder({
    'project/openspec/specs/a/spec.md':
      '# A\n\n## Purpose\nx\n\n## Requirements\n### Requirement: b\u001b[31m\u009b\u007f\nx\n',
  });
  const { stdout } = await lectern(folder, ['spec', 'validate', '--sarif']);
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u);
  expect(JSON.parse(stdout)).toHaveProperty('runs');
});
