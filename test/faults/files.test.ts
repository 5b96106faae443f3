/** Group B: what a file system can hold instead of a tidy folder of skills. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { hasOrdinaryUser } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { memoryLimitKilobytes, peakKilobytes, scene, SKILLS } from '../support/oracles.ts';

const text = (name: string): string => skillText({ name });

test.skipIf(spawnSync('sh', ['-c', 'command -v mkfifo']).status !== 0)(
  'a pipe called SKILL.md holds nothing up',
  async () => {
    using place = scene({ [`${SKILLS}/pipe/x`]: '' });
    spawnSync('mkfifo', [place.at(`${SKILLS}/pipe/SKILL.md`)]);
    spawnSync('mkfifo', [place.at(`${SKILLS}/good/bundled`)]);
    expect((await place.list()).problems).toEqual([['not-a-regular-file', `${SKILLS}/pipe/SKILL.md`]]);
    expect((await place.run(['validate'], { expectCode: 1 })).stdout).toContain('not-a-regular-file');
    await place.run(['show', 'good'], { expectCode: 0 });
    await place.run(['search', 'control'], { expectCode: 0 });
  },
);

test('a folder, a socket, and links to devices called SKILL.md are skipped, each with its reason', async () => {
  using place = scene({
    [`${SKILLS}/folder/SKILL.md/x`]: '',
    [`${SKILLS}/zero/SKILL.md`]: { link: '/dev/zero' },
    [`${SKILLS}/stdin/SKILL.md`]: { link: '/dev/stdin' },
    [`${SKILLS}/socket/x`]: '',
  });
  const server = net.createServer().listen(place.at(`${SKILLS}/socket/SKILL.md`));
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const { problems } = await place.list();
    expect(problems.map(([code, file]) => [file, code])).toEqual([
      [`${SKILLS}/folder/SKILL.md`, 'not-a-regular-file'],
      [`${SKILLS}/socket/SKILL.md`, 'not-a-regular-file'],
      // Where standard input is a pipe or closed, the link leads nowhere.
      [`${SKILLS}/stdin/SKILL.md`, expect.stringMatching(/^(?:not-a-regular-file|link-dangling)$/u)],
      [`${SKILLS}/zero/SKILL.md`, 'not-a-regular-file'],
    ]);
  } finally {
    server.close();
  }
});

test('links in circles: the scan ends and no skill is listed twice', async () => {
  using place = scene({
    [`${SKILLS}/a`]: { link: 'b' },
    [`${SKILLS}/b`]: { link: 'a' },
    [`${SKILLS}/x/up`]: { link: '..' },
    [`${SKILLS}/x/self`]: { link: 'self' },
    [`${SKILLS}/x/top`]: { link: '../../..' },
    [`${SKILLS}/real/SKILL.md`]: text('real'),
    [`${SKILLS}/again`]: { link: 'real' },
  });
  const { names, data } = await place.list();
  expect(names).toEqual(['real']);
  expect(data.skills).toHaveLength(2);
});

test('200 nested folders: the skill at depth 3 loads, the one at depth 150 is reported', async () => {
  const deep = Array.from({ length: 150 }, () => 'd').join('/');
  using place = scene({
    [`${SKILLS}/1/2/three/SKILL.md`]: text('three'),
    [`${SKILLS}/${deep}/SKILL.md`]: text('deep'),
    [`${SKILLS}/${deep}/${deep.slice(0, 99)}/x`]: '',
  });
  const { names, problems } = await place.list();
  expect([names, problems]).toEqual([['three'], [['skill-too-deep', `${SKILLS}/${deep}/SKILL.md`]]]);
});

test.skipIf(!fs.existsSync('/proc/self/status'))(
  'a SKILL.md of 200 MB is refused with its size and the limit, without reading it',
  async () => {
    using place = scene({ [`${SKILLS}/huge/SKILL.md`]: text('huge') });
    fs.truncateSync(place.at(`${SKILLS}/huge/SKILL.md`), 200 * 1024 * 1024);
    const { problems } = await place.list();
    const { stderr } = await place.run(['list'], { expectCode: 0 });
    expect(problems).toEqual([['file-too-large', `${SKILLS}/huge/SKILL.md`]]);
    expect(stderr).toMatch(/209715200 bytes; the limit is 1048576/u);
    const limit = await memoryLimitKilobytes();
    for (const args of [
      ['list', '--json'],
      ['validate', '--json'],
      ['search', 'x', '--json'],
    ])
      expect(await peakKilobytes(place, args)).toBeLessThan(limit);
  },
);

describe.skipIf(!hasOrdinaryUser)('without permission (as an ordinary user)', () => {
  test('a home that cannot be entered causes a warning, and every command continues', async () => {
    using place = scene({ 'closed/.claude/skills/a/SKILL.md': text('a') });
    fs.chmodSync(place.at('closed'), 0);
    const options = { unprivileged: true, env: { HOME: place.at('closed') } };
    try {
      for (const args of [
        ['list'],
        ['doctor'],
        ['search', 'control'],
        ['validate'],
        ['show', 'good'],
        ['spec', 'list'],
      ])
        await place.run(args, { ...options, expectCode: 0 });
      const { problems } = await place.list(options);
      expect(problems).toContainEqual(['file-unreadable', 'closed']);
      expect(problems.filter(([code]) => code === 'file-unreadable')).toHaveLength(1);
    } finally {
      fs.chmodSync(place.at('closed'), 0o755);
    }
  });

  test('a file, a folder and a root that may not be read are skipped and named, the rest is served', async () => {
    using place = scene({
      [`${SKILLS}/file/SKILL.md`]: text('file'),
      [`${SKILLS}/folder/SKILL.md`]: text('folder'),
      'project/.codex/skills/a/SKILL.md': text('a'),
      'home/.claude/skills/b/SKILL.md': text('b'),
    });
    const closed = [`${SKILLS}/file/SKILL.md`, `${SKILLS}/folder`, 'project/.codex/skills', 'home/.claude'];
    for (const dir of closed) fs.chmodSync(place.at(dir), 0);
    try {
      const { names, problems } = await place.list({ unprivileged: true });
      expect(names).toEqual([]);
      expect(problems.filter(([, file]) => !file.startsWith('home')).sort()).toEqual([
        ['file-unreadable', `${SKILLS}/file/SKILL.md`],
        ['file-unreadable', `${SKILLS}/folder`],
        ['file-unreadable', 'project/.codex/skills'],
      ]);
      const doctor = await place.run(['doctor'], { unprivileged: true, expectCode: 1 });
      expect(doctor.stdout).toMatch(/ {2}unreadable/u);
    } finally {
      for (const dir of closed.toReversed()) fs.chmodSync(place.at(dir), 0o755);
    }
  });

  test('a configuration that may not be read is a warning that names it', async () => {
    using place = scene({ 'project/.lectern/config.json': '{}' });
    for (const [file, mode] of [
      ['project/.lectern/config.json', 0],
      ['project/.lectern', 0],
    ] as const) {
      fs.chmodSync(place.at(file), mode);
      expect((await place.run(['list'], { unprivileged: true, expectCode: 0 })).stderr).toContain('config-unreadable');
      fs.chmodSync(place.at(file), 0o755);
    }
  });

  test('enable and new report a folder that is not writable, and change nothing', async () => {
    using place = scene({ [`${SKILLS}/off/.SKILL.md`]: text('off') });
    for (const args of [
      ['enable', 'off'],
      ['new', 'fresh'],
    ])
      expect((await place.run([...args, '--json'], { unprivileged: true, expectCode: 2 })).stdout).toContain(
        'UNWRITABLE',
      );
    expect(fs.existsSync(place.at(`${SKILLS}/off/.SKILL.md`))).toBe(true);
  });
});

test('a root that is missing, a file, or given twice', async () => {
  using place = scene({ 'a-file': 'x', 'extra/a/SKILL.md': text('a') });
  const args = ['missing', 'a-file', 'extra', 'extra', 'extra/../extra'].flatMap((dir) => [
    '--skill-dir',
    place.at(dir),
  ]);
  const { names, problems } = await place.list({ args });
  expect(names).toEqual(['a']);
  expect(problems).toEqual([
    ['root-not-a-folder', 'a-file'],
    ['root-missing', 'missing'],
  ]);
});

test('empty, only a fence, no closing fence, no frontmatter: four reasons', async () => {
  using place = scene({
    [`${SKILLS}/a/SKILL.md`]: '',
    [`${SKILLS}/b/SKILL.md`]: '---\n',
    [`${SKILLS}/c/SKILL.md`]: '---\nname: c\ndescription: d\n',
    [`${SKILLS}/d/SKILL.md`]: '# d\n',
  });
  const { names, problems } = await place.list();
  expect(names).toEqual([]);
  expect(problems.map(([code]) => code)).toEqual([
    'file-empty',
    'frontmatter-empty',
    'frontmatter-unclosed',
    'frontmatter-missing',
  ]);
  expect((await place.run(['doctor'], { expectCode: 1 })).stdout).toContain('frontmatter-unclosed');
});

test('nothing is found below node_modules, .git or a git-ignored folder', async () => {
  using place = scene({
    'project/.git/HEAD': '',
    'project/.git/skills/a/SKILL.md': text('a'),
    'project/.gitignore': 'generated/\n',
    [`${SKILLS}/node_modules/b/SKILL.md`]: text('b'),
    [`${SKILLS}/.git/c/SKILL.md`]: text('c'),
    [`${SKILLS}/generated/d/SKILL.md`]: text('d'),
    'project/node_modules/x/.claude/skills/e/SKILL.md': text('e'),
    'project/skills/node_modules/f/SKILL.md': text('f'),
  });
  expect((await place.list()).names).toEqual([]);
});

test('skill.md and Skill.MD are accepted with a hint', async () => {
  using place = scene({ [`${SKILLS}/a/skill.md`]: text('a'), [`${SKILLS}/b/Skill.MD`]: text('b') });
  const { names, problems } = await place.list();
  expect([names, problems.map(([code]) => code)]).toEqual([
    ['a', 'b'],
    ['file-name-case', 'file-name-case'],
  ]);
});

test('names of folders that no terminal should see, and bytes that are no text', async () => {
  using place = scene({
    [`${SKILLS}/\u001b[31mred/SKILL.md`]: 'nothing',
    [`${SKILLS}/new\nline/SKILL.md`]: 'nothing',
    [`${SKILLS}/\u202eabc/SKILL.md`]: text('abc'),
  });
  fs.mkdirSync(Buffer.concat([Buffer.from(place.at(`${SKILLS}/`)), Buffer.from([0xff, 0xfe])]));
  const { problems } = await place.list();
  expect(problems.map(([code]) => code)).toContain('frontmatter-missing');
  for (const args of [['doctor'], ['show', 'abc'], ['validate'], ['search', 'abc'], []]) await place.run(args);
});

test('a skill folder with 3,600 files is shown and validated', async () => {
  using place = scene({ [`${SKILLS}/big/SKILL.md`]: text('big') });
  fs.mkdirSync(place.at(`${SKILLS}/big/assets`));
  for (let index = 0; index < 3_600; index++) fs.writeFileSync(place.at(`${SKILLS}/big/assets/${index}`), '');
  expect((await place.list()).names).toEqual(['big']);
  expect((await place.run(['show', 'big'], { expectCode: 0 })).stdout).toContain('Files (3,601)');
});
