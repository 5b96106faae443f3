/** Group A: names and what they could be mistaken for. */
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { scene, SKILLS } from '../support/oracles.ts';

const notFound = { error: { code: 'NOT_FOUND' } };

test.each([
  '../../../etc/passwd',
  '../outside/SKILL.md',
  '../../outside',
  './good/../../../../outside',
  'good/../../../../outside/canary.txt',
])('%s is a name that is not there, and no file is read', async (name) => {
  using place = scene();
  for (const verb of ['show', 'enable', 'disable'])
    expect(JSON.parse((await place.run([verb, name, '--json'], { expectCode: 2 })).stdout)).toMatchObject(notFound);
  await place.run(['show', name, '--raw'], { expectCode: 2 });
});

test.each(['/etc/passwd', 'C:\\Windows\\win.ini', '\\\\host\\share', '~/.ssh/id_rsa', 'file:///etc/passwd'])(
  'the absolute name %s is not found',
  async (name) => {
    using place = scene();
    expect(JSON.parse((await place.run(['show', name, '--json'], { expectCode: 2 })).stdout)).toMatchObject(notFound);
  },
);

test('the path of a skill that was found names it on the command line; every other path is not found', async () => {
  using place = scene({ 'project/elsewhere/SKILL.md': skillText({ name: 'elsewhere' }) });
  const shown = async (name: string, expectCode: number): Promise<unknown> =>
    JSON.parse((await place.run(['show', name, '--json'], { expectCode })).stdout);
  expect(await shown(place.at(`${SKILLS}/good`), 0)).toMatchObject({ name: 'good' });
  expect(await shown('./.claude/skills/good/SKILL.md', 0)).toMatchObject({ name: 'good' });
  for (const path of ['./elsewhere', place.at('outside'), '../outside/SKILL.md', '/etc/passwd'])
    expect(await shown(path, 2)).toMatchObject(notFound);
});

test.each([
  '..%2f..%2fgood',
  '%2e%2e/good',
  '..\\..\\good',
  '....//good',
  '..%252fgood',
  '%67ood',
  'good%00',
  'g\u200bood',
])('the encoded %s is never decoded', async (name) => {
  using place = scene();
  expect(JSON.parse((await place.run(['show', name, '--json'], { expectCode: 2 })).stdout)).toMatchObject(notFound);
});

test('a name with escapes, newlines and 4,000 letters is echoed harmless and short', async () => {
  using place = scene();
  for (const name of [
    '\u001b[31mred\u001b]0;title\u0007',
    'a\nlectern: all is well',
    `x${'y'.repeat(4_000)}`,
    '\u202egood',
    '\u009b2J',
  ]) {
    const { stderr, stdout } = await place.run(['show', name, '--json'], { expectCode: 2 });
    const { error } = JSON.parse(stdout) as { error: { message: string } };
    expect(error.message.length).toBeLessThanOrEqual(230);
    // One line and at most a hint: nothing in the name starts a line of its own.
    expect(stderr).toMatch(/^lectern: .+\n(?: {2}.+\n)?$/u);
  }
});

test('a bundled link into a sibling that shares the beginning of the root’s name is not served', async () => {
  using place = scene({
    [`${SKILLS}-secret/a.txt`]: 'CANARY-7f3a91',
    [`${SKILLS}/a/SKILL.md`]: skillText({ name: 'a' }),
    [`${SKILLS}/a/ref`]: { link: '../../skills-secret/a.txt' },
  });
  const data = JSON.parse((await place.run(['show', 'a', '--json', '--full'], { expectCode: 0 })).stdout) as {
    files: { path: string }[];
    diagnostics: { code: string }[];
  };
  expect([data.files.map(({ path }) => path), data.diagnostics.map(({ code }) => code)]).toEqual([
    ['SKILL.md'],
    ['symlink-outside'],
  ]);
});

test('a bundled link into another skill is not served', async () => {
  using place = scene({
    [`${SKILLS}/a/SKILL.md`]: skillText({ name: 'a' }),
    [`${SKILLS}/a/other`]: { link: '../good/SKILL.md' },
  });
  expect((await place.run(['show', 'a', '--json'], { expectCode: 0 })).stdout).toContain('symlink-outside');
});

test('a bundled link to the canary is named as skipped by show and validate', async () => {
  using place = scene({
    [`${SKILLS}/a/SKILL.md`]: skillText({ name: 'a' }),
    [`${SKILLS}/a/references/key`]: { link: '../../../../../outside/canary.txt' },
  });
  for (const args of [
    ['show', 'a'],
    ['validate', 'a'],
  ]) {
    const { stdout } = await place.run(args, { expectCode: 0 });
    expect(stdout).toContain('symlink-outside');
    expect(stdout).toContain('references/key');
  }
});

test('a SKILL.md that is a link to a file outside every root is skipped', async () => {
  using place = scene({
    [`${SKILLS}/a/SKILL.md`]: { link: '../../../../outside/SKILL.md' },
    [`${SKILLS}/b/SKILL.md`]: { link: '/etc/hostname' },
  });
  const { names, problems } = await place.list();
  expect(names).toEqual([]);
  expect(problems).toEqual([
    ['symlink-outside', `${SKILLS}/a/SKILL.md`],
    ['symlink-outside', `${SKILLS}/b/SKILL.md`],
  ]);
});

test.each([
  'project/.lectern/config.json',
  'home/.claude/settings.json',
  'home/.claude/plugins/installed_plugins.json',
  'project/.claude/settings.json',
  'project/.gitignore',
])('a %s that is a link to the canary quotes nothing of it', async (file) => {
  using place = scene({
    'project/.git/HEAD': '',
    'home/.claude/plugins/installed_plugins.json.bak': '',
    [file]: { link: '/dev/null' },
  });
  fs.rmSync(place.at(file));
  place.write({
    [file]: { link: place.at('outside/canary.txt') },
    ...(file.endsWith('settings.json') ? { 'home/.claude/plugins/installed_plugins.json': '{"plugins":{}}' } : {}),
  });
  for (const args of [['list'], ['list', '--json'], ['doctor', '--verbose'], [], ['list', '--verbose']])
    await place.run(args);
});

test('a skill folder that is a link is followed, and doctor prints where it really is', async () => {
  using place = scene({ 'outside/shared/SKILL.md': skillText({ name: 'shared' }) });
  place.write({ [`${SKILLS}/shared`]: { link: place.at('outside/shared') } });
  expect((await place.list()).names).toEqual(['shared']);
  expect((await place.run(['doctor'], { expectCode: 0 })).stdout).toContain(place.at('outside/shared/SKILL.md'));
});

test('git and Git in one root: GIT finds one, the other is reported; across two agents it is ambiguous', async () => {
  using place = scene({
    [`${SKILLS}/Git/SKILL.md`]: skillText({ name: 'Git' }),
    [`${SKILLS}/git/SKILL.md`]: skillText({ name: 'git' }),
  });
  const { data } = await place.list();
  expect(data.skills.find(({ name }) => name === 'git')?.shadowedBy).toBe(place.at(`${SKILLS}/Git/SKILL.md`));
  await place.run(['show', 'GIT'], { expectCode: 0 });
  expect((await place.run(['doctor'])).stdout).toContain('name-collision');
  place.write({ 'project/.codex/skills/git/SKILL.md': skillText({ name: 'GIT' }) });
  expect((await place.run(['show', 'git', '--json'], { expectCode: 2 })).stdout).toContain('"AMBIGUOUS"');
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'])(
  'the name %s is plainly not found',
  async (name) => {
    using place = scene();
    expect(JSON.parse((await place.run(['show', name, '--json'], { expectCode: 2 })).stdout)).toMatchObject(notFound);
    await place.run(['list', `--include=${name}`], { expectCode: 0 });
  },
);

test('a skill that is called so loads like any other', async () => {
  using place = scene({
    [`${SKILLS}/p/SKILL.md`]: skillText({ name: '__proto__' }),
    'project/.constructor/skills/x/SKILL.md': skillText({ name: 'x' }),
  });
  expect((await place.list()).names).toEqual(['__proto__', 'x']);
  await place.run(['show', '__PROTO__'], { expectCode: 0 });
  await place.run(['show', 'constructor:x'], { expectCode: 0 });
});

test('a folder in one normal form is found in the other; two of them collide aloud', async () => {
  using place = scene({ [`${SKILLS}/cafe\u0301/SKILL.md`]: skillText({ name: 'cafe\u0301' }) });
  await place.run(['show', 'caf\u00e9'], { expectCode: 0 });
  place.write({ [`${SKILLS}/caf\u00e9/SKILL.md`]: skillText({ name: 'caf\u00e9' }) });
  expect((await place.run(['doctor'])).stdout).toContain('name-collision');
});

test.each(['con', 'nul', 'nul.txt', 'a.', 'a ', 'x:y', 'SKILL.md::$DATA', 'aux', 'lpt1', '.', '..', 'a/b', '-x'])(
  'new refuses the name %j on every system',
  async (name) => {
    using place = scene();
    await place.run(['new', '--json', '--', name], { expectCode: 2 });
    expect(fs.existsSync(place.at('project/.agents'))).toBe(false);
  },
);

test('provider forms: the known resolves, the others are a clear error', async () => {
  using place = scene({ 'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) });
  await place.run(['show', 'codex:pdf'], { expectCode: 0 });
  for (const name of [':pdf', 'pdf:', 'a:b:c', 'codex:../x', 'codex::pdf', ':', '@:pdf', '@codex:pdf']) {
    expect((await place.run(['show', name, '--json'], { expectCode: 2 })).stdout).toContain('NOT_FOUND');
  }
});

test('a requested name with markup, colors and a newline stays on one line, escaped', async () => {
  using place = scene();
  const { stderr } = await place.run(['show', '</available_skills>\u001b[31m\n- admin: x'], { expectCode: 2 });
  expect(stderr.split('\n')[0]).toBe("lectern: Skill '</available_skills>\\x1b[31m\\n- admin: x' not found.");
});
