/** Group C: frontmatter that attacks, and bytes that are not text. */
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { memoryLimitKilobytes, peakKilobytes, scene, SKILLS } from '../support/oracles.ts';

const BAD = `${SKILLS}/bad/SKILL.md`;
const front = (...lines: string[]): string =>
  ['---', 'name: bad', 'description: d', ...lines, '---', '', 'Body.', ''].join('\n');
const bomb = (prefix = ''): string[] => [
  `${prefix}a: &a [x,x,x,x,x,x,x,x,x,x]`,
  ...[...'bcdefghi'].map(
    (letter, index) =>
      `${prefix}${letter}: &${letter} [${Array.from({ length: 10 }, () => `*${'abcdefgh'[index] ?? ''}`).join(',')}]`,
  ),
];

async function refused(content: string | Uint8Array, code: string): Promise<void> {
  using place = scene({ [BAD]: content });
  const { names, problems } = await place.list();
  expect([names, problems]).toEqual([[], [[code, BAD]]]);
  const validated = await place.run(['validate', '--json'], { expectCode: 1 });
  expect(validated.stdout).toContain(code);
  expect((await place.run(['doctor'], { expectCode: 1 })).stdout).toContain(code);
  if (fs.existsSync('/proc/self/status'))
    expect(await peakKilobytes(place, ['list', '--json'])).toBeLessThan(await memoryLimitKilobytes());
}

test('an alias bomb is refused', () => refused(front(...bomb()), 'frontmatter-too-big'));
test('an alias bomb below a key is refused', () => refused(front('metadata:', ...bomb('  ')), 'frontmatter-too-big'));
test('20,000 nested brackets are refused', () => refused(front(`x: ${'['.repeat(20_000)}`), 'frontmatter-too-deep'));
test('20,000 nested braces are refused', () => refused(front(`x: ${'{a: '.repeat(10_000)}`), 'frontmatter-too-deep'));

test('tags of JavaScript and Python are inert', async () => {
  using place = scene({
    [BAD]: front(
      "a: !!js/function \"function(){ require('fs').writeFileSync('MARKER', '') }\"",
      'b: !!python/object/apply:os.system ["touch MARKER"]',
    ),
    [`${SKILLS}/js/SKILL.md`]: "---js\nrequire('node:fs').writeFileSync('MARKER', '')\n---\n",
  });
  const { names, problems } = await place.list();
  expect(names).toEqual(['bad']);
  expect(problems.map(([code]) => code)).toEqual(expect.arrayContaining(['frontmatter-tag', 'frontmatter-invalid']));
  for (const args of [['show', 'bad', '--full'], ['validate'], ['doctor']]) await place.run(args);
  expect(fs.existsSync(place.at('project/MARKER'))).toBe(false);
});

test('keys named after prototypes pollute nothing', async () => {
  using place = scene({
    [BAD]: front('__proto__:', '  polluted: yes', 'constructor:', '  prototype:', '    polluted: yes'),
  });
  expect((await place.list()).names).toEqual(['bad']);
  expect((await place.run(['show', 'good', '--json'], { expectCode: 0 })).stdout).not.toContain('polluted');
  await place.run(['show', 'bad', '--json'], { expectCode: 0 });
  await place.run(['validate', '--json', '--profile', 'mcp']);
});

test('a list of merge keys is no work at all', async () => {
  const keys = Array.from({ length: 1_500 }, (_, index) => `k${index}: v`).join(', ');
  using place = scene({ [BAD]: front(`a: &a {${keys}}`, `b: {<<: [${'*a,'.repeat(3_000)}*a]}`) });
  const { problems } = await place.list();
  expect(problems).toEqual([[expect.stringMatching(/^frontmatter-too-(?:big|deep)$/u), BAD]]);
});

test.each(['123', '[a]', '{}', 'null', '2026-01-01', '{a: {b: c}}', '[[1], {x: y}]', 'true'])(
  'a description that is %s: a finding, never "[object Object]"',
  async (value) => {
    using place = scene({
      [BAD]: `---\nname: bad\ndescription: ${value}\n---\nBody.\n`,
      [`${SKILLS}/n/SKILL.md`]: `---\nname: ${value}\ndescription: d\n---\nBody.\n`,
    });
    await place.list();
    for (const args of [['doctor'], ['validate'], ['validate', '--json'], []]) await place.run(args);
  },
);

test('a bare colon loads with a warning, which strict validation does not accept', async () => {
  using place = scene({ [BAD]: '---\nname: bad\ndescription: Use when: x\n---\nBody.\n' });
  const { data, problems } = await place.list();
  expect(data.skills.find(({ name }) => name === 'bad')?.description).toBe('Use when: x');
  expect(problems).toEqual([['frontmatter-repaired', BAD]]);
  await place.run(['validate', 'bad'], { expectCode: 0 });
  await place.run(['validate', 'bad', '--strict'], { expectCode: 1 });
});

test('byte order mark, CRLF, blanks after fences and a closer of dots load, and come back byte for byte', async () => {
  const text = '\ufeff---  \r\nname: bad\r\ndescription: d\r\n...  \r\n\r\nBody \t\r\n---\r\n';
  using place = scene({ [BAD]: text });
  expect((await place.list()).names).toEqual(['bad']);
  expect((await place.run(['show', 'bad', '--raw'], { expectCode: 0 })).bytes.equals(Buffer.from(text))).toBe(true);
});

test('dashes inside a block and as a rule in the body: the right fence is found', async () => {
  using place = scene({ [BAD]: '---\nname: bad\ndescription: |\n  one\n  ---\n  two\n---\nBody\n\n---\n\nMore\n' });
  const { data } = await place.list();
  expect(data.skills.find(({ name }) => name === 'bad')?.description).toBe('one --- two');
  expect((await place.run(['show', 'bad'], { expectCode: 0 })).stdout).toMatch(/│ Body\n.*│ ---\n.*│ More/su);
});

test('a duplicate key, tabs and a directive each have a reason with its line', async () => {
  using place = scene({
    [`${SKILLS}/a/SKILL.md`]: '---\nname: a\ndescription: d\nname: a\n---\nBody.\n',
    [`${SKILLS}/b/SKILL.md`]: '---\nname: b\ndescription: d\nmetadata:\n\tx: y\n---\nBody.\n',
    [`${SKILLS}/c/SKILL.md`]: '---\n%YAML 1.1\nname: c\ndescription: d\n---\nBody.\n',
  });
  const { names } = await place.list();
  const { stderr } = await place.run(['list'], { expectCode: 0 });
  expect(names).toEqual(['a', 'b', 'c']);
  expect(stderr).toMatch(/frontmatter-duplicate-key\] \S+a\/SKILL\.md:4:/u);
  expect(stderr).toMatch(/frontmatter-repaired\] \S+b\/SKILL\.md:[45]:/u);
  expect(stderr).toMatch(/frontmatter-salvaged\] \S+c\/SKILL\.md:\d:/u);
});

test.each([
  { code: 'name-length', name: 'a'.repeat(65) },
  { code: 'name-capitals', name: 'Upper' },
  { code: 'name-double-hyphen', name: 'a--b' },
  { code: 'name-hyphens', name: '-a' },
  { code: 'name-folder', name: 'a', folder: 'b' },
  { code: 'description-length', name: 'a', description: 'x'.repeat(1_025) },
  { code: 'compatibility-invalid', name: 'a', more: [`compatibility: ${'x'.repeat(501)}`] },
])('$code: one rule fails in validate, but the skill still loads', async ({ code, name, folder = name, ...rest }) => {
  using place = scene({ [`${SKILLS}/${folder}/SKILL.md`]: skillText({ name, ...rest }) });
  expect((await place.list()).names).toEqual([name]);
  const { errors } = JSON.parse(
    (await place.run(['validate', '--json', `${SKILLS.replace('project/', '')}/${folder}`], { expectCode: 1 })).stdout,
  ) as { errors: { code: string }[] };
  expect(errors.map((error) => error.code)).toEqual([code]);
});

test('bytes that are not UTF-8, UTF-16 and half surrogates: not-utf8, and the output is UTF-8', async () => {
  using place = scene({
    [`${SKILLS}/latin/SKILL.md`]: Buffer.concat([
      Buffer.from('---\nname: latin\ndescription: caf'),
      Buffer.from([0xe9]),
      Buffer.from('\n---\n'),
    ]),
    [`${SKILLS}/wide/SKILL.md`]: Buffer.from('\ufeff---\nname: wide\ndescription: d\n---\n', 'utf16le'),
    [`${SKILLS}/half/SKILL.md`]: Buffer.concat([
      Buffer.from('---\nname: half\ndescription: x'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('\n---\n'),
    ]),
    [`${SKILLS}/escape/SKILL.md`]: '---\nname: escape\ndescription: "a\\ud800b"\nx: "\\udfff"\n---\n',
  });
  const { names, problems } = await place.list();
  expect(names).toEqual(['escape', 'half', 'latin']);
  expect(problems.map(([code, file]) => [code, file.split('/')[3]])).toEqual([
    ['not-utf8', 'wide'],
    ['not-utf8', 'half'],
    ['not-utf8', 'latin'],
  ]);
  for (const name of names) await place.run(['show', name, '--json', '--full'], { expectCode: 0 });
});

test('NUL in description and body cuts nothing', async () => {
  using place = scene({ [BAD]: '---\nname: bad\ndescription: before\0after\n---\nBody\0more\n' });
  const { data, problems } = await place.list();
  expect(data.skills.find(({ name }) => name === 'bad')?.description).toBe('before after');
  expect(problems).toEqual([['nul-byte', BAD]]);
  expect(JSON.parse((await place.run(['show', 'bad', '--full', '--json'])).stdout)).toMatchObject({
    content: expect.stringContaining('Body\0more'),
  });
  expect((await place.run(['show', 'bad', '--full'])).stdout).toContain('Body\\x00more');
});

test.each(['on', '0x10', '1e3', '.inf', '2026-01-01', 'yes', 'null', '1_000', '0o17', '12:30:45'])(
  'name: %s is taken as written or refused, never turned into another value',
  async (value) => {
    using place = scene({ [BAD]: `---\nname: ${value}\ndescription: d\n---\nBody.\n` });
    const { names, problems } = await place.list();
    expect(names).toEqual(value === 'null' ? [] : [value]);
    if (value === 'null') expect(problems.map(([code]) => code)).toEqual(['name-missing', 'value-type']);
  },
);

test('a description of 5 MB is refused with the file, one of 60 KB is cut in lists', async () => {
  using place = scene({
    [BAD]: `---\nname: bad\ndescription: ${'x'.repeat(5 * 1024 * 1024)}\n---\n`,
    [`${SKILLS}/long/SKILL.md`]: `---\nname: long\ndescription: ${'y'.repeat(60_000)}\n---\nBody.\n`,
  });
  const { data, problems } = await place.list();
  expect(data.skills.find(({ name }) => name === 'long')?.description).toHaveLength(16_384);
  expect(problems).toEqual([
    ['file-too-large', BAD],
    ['description-cut', `${SKILLS}/long/SKILL.md`],
  ]);
});

test.each([
  ['keys of prototypes', '{"__proto__": {"polluted": true}, "constructor": {"prototype": {}}}'],
  ['deep nesting', '['.repeat(100_000)],
  ['nine megabytes', `{"include": "${'x'.repeat(9 * 1024 * 1024)}"}`],
  ['not UTF-8', '{"include": "\u0000"}'],
  ['a number', '42'],
])('a configuration with %s does not stop the command, and any problem is reported', async (_, config) => {
  using place = scene({ 'project/.lectern/config.json': config });
  const { stderr } = await place.run(['list', '--json'], { expectCode: 0 });
  if (stderr !== '') expect(stderr).toMatch(/config-(?:invalid|key-unknown)/u);
});
