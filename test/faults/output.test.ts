/** Group D: text from files on its way to a terminal or a list. */
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CLI } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { scene, SKILLS } from '../support/oracles.ts';

const EVERYWHERE = [
  ['list'],
  ['show', 'bad'],
  ['show', 'bad', '--full'],
  ['search', 'bad'],
  ['validate'],
  ['validate', '--all', '--scan', '--severity', 'info'],
  ['scan', '--verbose'],
  ['doctor'],
  [],
];

test('tag characters are stripped from the catalog, found by validate, and left in the file', async () => {
  const body = 'See\u{e0041}\u{e0042} here.\n';
  using place = scene({
    [`${SKILLS}/bad/SKILL.md`]: `---\nname: "ba\u{e0064}d"\ndescription: vis\u{e0041}ible\n---\n${body}`,
  });
  const { data } = await place.list();
  expect(data.skills.find(({ name }) => name === 'bad')).toMatchObject({ name: 'bad', description: 'visible' });
  expect((await place.run(['validate', 'bad'], { expectCode: 1 })).stdout).toContain('hidden-text');
  expect((await place.run(['show', 'bad', '--raw'])).stdout).toContain(body);
  for (const args of EVERYWHERE) expect((await place.run(args)).stdout).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
});

test('bidirectional controls are found, and shown as escapes', async () => {
  using place = scene({
    [`${SKILLS}/bad/SKILL.md`]: '---\nname: bad\ndescription: "safe \u202egnihton"\n---\nif \u2066x\u2069 then\n',
  });
  expect((await place.run(['validate', 'bad'], { expectCode: 1 })).stdout).toContain('bidi-controls');
  expect((await place.run(['show', 'bad'])).stdout).toContain('\\u{2066}x\\u{2069}');
  for (const args of EVERYWHERE) await place.run(args);
});

test('zero-width characters are found; an emoji family and Persian are not', async () => {
  using place = scene({
    [`${SKILLS}/bad/SKILL.md`]: skillText({ name: 'bad', body: 'pay\u200bpal \u2060 so\u00adft\n' }),
    [`${SKILLS}/family/SKILL.md`]: skillText({ name: 'family', description: '👩‍👩‍👧‍👦 می‌خواهم', body: '👩‍👩‍👧‍👦 می‌خواهم\n' }),
  });
  expect((await place.run(['validate', 'bad', '--strict'], { expectCode: 1 })).stdout).toContain('zero-width');
  await place.run(['validate', 'family', '--strict'], { expectCode: 0 });
  expect((await place.run(['show', 'family'])).stdout).toContain('👩‍👩‍👧‍👦 می‌خواهم');
});

test('no escape sequence of a file reaches a pipe or a terminal', async () => {
  const evil = '\\e[31m\\e[2J\\e]0;owned\\a\\x9b5m';
  using place = scene({
    [`${SKILLS}/bad\u001b[31m/SKILL.md`]: `---\nname: "bad${evil}"\ndescription: "d${evil}"\nlicense: "l${evil}"\n"k${evil}": 1\n---\n\u001b[31mred\u001b]0;owned\u0007\n`,
    [`${SKILLS}/bad\u001b[31m/\u001b[32mfile`]: '',
    [`${SKILLS}/broken\u001b[31m/SKILL.md`]: `---\nname: x${'\u001b[31m'}\n---\n`,
    'project/.\u001b[33magent/skills/x/SKILL.md': skillText({ name: 'x' }),
  });
  for (const args of [
    ['list'],
    ['list', '--json'],
    ['show', 'bad\u001b[31m'],
    ['show', 'bad\u001b[31m', '--full'],
    ['search', 'red'],
    ['validate'],
    ['validate', '--sarif'],
    ['doctor', '--verbose'],
    [],
    ['show', 'nope\u001b[31m'],
  ]) {
    await place.run(args);
    const colored = await place.run(args, { env: { NO_COLOR: '1', TERM: 'xterm' } });
    expect(colored.stdout).not.toContain('\u001b');
  }
  // On a terminal our own colors are there, and nothing but those.
  const terminal = spawnSync('script', ['-qec', `"${process.execPath}" "${CLI}" list`, '/dev/null'], {
    cwd: place.at('project'),
    env: { PATH: process.env['PATH'], HOME: place.at('home'), TERM: 'xterm' },
    encoding: 'utf8',
  });
  if (terminal.status === 0)
    expect(terminal.stdout.replace(/\u001b\[(?:[12]|22|3[1236]|39)m/gu, '')).not.toMatch(/[\u001b\u009b\u0007]/u);
});

test('neither controls nor overrides of a spec or a change reach a terminal, in any format', async () => {
  const evil = 'a\u202eb\u009b5m';
  using place = scene({
    'project/openspec/specs/cap/spec.md': `# T\n\n## Purpose\nx\n\n## Requirements\n\n### Requirement: ${evil}\n`,
    'project/openspec/changes/go/specs/cap/spec.md': `## ADDED Requirements\n\n### Requirement: ${evil}\n`,
  });
  for (const command of [
    ['spec', 'validate'],
    ['change', 'validate'],
    ['validate', '--all'],
  ])
    for (const format of [[], ['--json'], ['--sarif'], ['--sarif', '--json']]) {
      const { stdout } = await place.run([...command, ...format], { expectCode: 1 });
      if (format.length > 0) expect(JSON.stringify(JSON.parse(stdout))).toContain(evil);
    }
});

test('line breaks of every kind stay inside their line', async () => {
  using place = scene({
    [`${SKILLS}/bad/SKILL.md`]:
      '---\nname: bad\ndescription: "one\\n- admin: two\\u2028three\\u2029four\\vfive\\x85six"\n---\nBody.\n',
  });
  const { data } = await place.list();
  expect(data.skills.find(({ name }) => name === 'bad')?.description).toBe('one - admin: two three four five six');
  const { stdout } = await place.run(['list']);
  expect(stdout.split(/[\n\u2028\u2029\v\u0085]/u).filter((line) => line.trimStart().startsWith('- admin'))).toEqual(
    [],
  );
});

test('a look-alike of an installed name is found, and never resolves to it', async () => {
  using place = scene({
    [`${SKILLS}/paypal/SKILL.md`]: skillText({ name: 'paypal' }),
    [`${SKILLS}/p\u0430ypal/SKILL.md`]: skillText({ name: 'p\u0430ypal', description: 'the other' }),
  });
  expect((await place.run(['validate', 'p\u0430ypal', '--strict'], { expectCode: 1 })).stdout).toContain(
    'name-lookalike',
  );
  expect((await place.run(['show', 'paypal'])).stdout).toContain('What paypal is for');
  expect((await place.run(['show', 'p\u0430ypal'])).stdout).toContain('the other');
});

test('a body of every plane, tabs and trailing blanks has the same digest through --raw and --json --full', async () => {
  const planes = Array.from({ length: 17 }, (_, plane) => String.fromCodePoint(plane * 0x10000 + 0x1234)).join('');
  const text = `${skillText({ name: 'bad' })}\t${planes}  \r\n\u0000\u001b[31m\ufeff \n\n\n`;
  using place = scene({ [`${SKILLS}/bad/SKILL.md`]: text });
  const sha = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex');
  expect(sha((await place.run(['show', 'bad', '--raw'])).bytes)).toBe(sha(text));
  const { content } = JSON.parse((await place.run(['show', 'bad', '--full', '--json'])).stdout) as { content: string };
  expect(sha(content)).toBe(sha(text));
});

test('names that mean something to a replacement pattern are shown as they are', async () => {
  const names = ['$&', '$$x', "$'", '$1a'];
  using place = scene(
    Object.fromEntries(
      names.map((name, index) => [`${SKILLS}/s${index}/SKILL.md`, skillText({ name: JSON.stringify(name) })]),
    ),
  );
  const { stdout } = await place.run(['list'], { expectCode: 0 });
  for (const name of names)
    expect(stdout.split('\n').filter((line) => line.trimStart().startsWith(`${name} `))).toHaveLength(1);
});
