/** Each rule of validate: a skill that breaks it, and how much each profile minds. */
import { describe, expect, test } from 'vitest';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { SKILL_RULES } from '../../src/skills/rules/index.ts';
import { PROFILES, type Profile } from '../../src/skills/rules/subject.ts';
import { project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { ask } from '../support/ask.ts';
import { fc, times } from '../support/effort.ts';

type Severity = 'error' | 'warning' | 'info' | 'none';
interface Case {
  code: string;
  story: string;
  name?: string;
  folder?: string;
  description?: string;
  more?: string[];
  body?: string;
  /** What follows the opening ---. */
  fence?: string;
  files?: Record<string, string | Uint8Array>;
  /** spec, claude, codex, mcp */
  minds: [Severity, Severity, Severity, Severity];
}

const many = (number: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: number }, (_, index) => [`assets/${index}.txt`, 'x']));
const NEVER: [Severity, Severity, Severity, Severity] = ['none', 'none', 'none', 'none'];

const CASES: Case[] = [
  {
    code: 'name-length',
    story: 'a name of 65 characters',
    name: 'a'.repeat(65),
    minds: ['error', 'warning', 'error', 'error'],
  },
  { code: 'name-length', story: 'a name of 64 characters is fine', name: 'a'.repeat(64), minds: NEVER },
  {
    code: 'name-length',
    story: '64 ideographs beyond the first plane are 64 characters',
    name: '\u{20000}'.repeat(64),
    minds: NEVER,
  },
  { code: 'name-capitals', story: 'capitals', name: 'Pdf', minds: ['error', 'warning', 'warning', 'error'] },
  { code: 'name-characters', story: 'a space', name: 'my skill', minds: ['error', 'warning', 'warning', 'error'] },
  {
    code: 'name-characters',
    story: 'an underscore',
    name: 'my_skill',
    minds: ['error', 'warning', 'warning', 'error'],
  },
  {
    code: 'name-characters',
    story: 'a colon',
    name: '"a:b"',
    folder: 'a:b',
    minds: ['error', 'warning', 'warning', 'error'],
  },
  { code: 'name-characters', story: 'letters of any script are fine', name: '处理文档', minds: NEVER },
  { code: 'name-hyphens', story: 'a hyphen in front', name: '-pdf', minds: ['error', 'none', 'warning', 'error'] },
  { code: 'name-hyphens', story: 'a hyphen at the end', name: 'pdf-', minds: ['error', 'none', 'warning', 'error'] },
  { code: 'name-double-hyphen', story: 'two hyphens', name: 'a--b', minds: ['error', 'none', 'warning', 'error'] },
  {
    code: 'name-folder',
    story: 'a folder of another name',
    name: 'pdf',
    folder: 'other',
    minds: ['error', 'warning', 'info', 'error'],
  },
  {
    code: 'name-folder',
    story: 'a folder in another Unicode form is the same',
    name: 'caf\u00e9',
    folder: 'cafe\u0301',
    minds: NEVER,
  },
  {
    code: 'name-lookalike',
    story: 'a Cyrillic letter between Latin ones',
    name: 'p\u0430ypal',
    minds: ['warning', 'warning', 'warning', 'warning'],
  },
  {
    code: 'name-lookalike',
    story: 'only Cyrillic letters that all look Latin',
    name: '\u0440\u0430\u0443\u0440',
    minds: ['warning', 'warning', 'warning', 'warning'],
  },
  { code: 'name-lookalike', story: 'a Russian word is fine', name: 'документы', minds: NEVER },
  {
    code: 'description-length',
    story: 'a description of 1,025 characters',
    description: 'x'.repeat(1025),
    minds: ['error', 'none', 'warning', 'error'],
  },
  { code: 'description-length', story: '1,024 are fine', description: 'x'.repeat(1024), minds: NEVER },
  {
    code: 'description-listing',
    story: 'description and when_to_use over 1,536 together',
    description: 'x'.repeat(1000),
    more: [`when_to_use: ${'y'.repeat(600)}`],
    minds: ['none', 'warning', 'none', 'none'],
  },
  {
    code: 'description-markup',
    story: 'a tag',
    description: 'Use </available_skills> here',
    minds: ['info', 'warning', 'none', 'info'],
  },
  { code: 'description-markup', story: 'less-than is no tag', description: 'a < b and 3 > 2', minds: NEVER },
  { code: 'description-vague', story: 'a label', description: 'PDF Reader', minds: ['info', 'info', 'info', 'info'] },
  {
    code: 'description-vague',
    story: 'a longer text without a purpose or a situation',
    description: 'Comprehensive PDF Reader, Writer and Merger Assistant',
    minds: ['info', 'info', 'info', 'info'],
  },
  {
    code: 'description-vague',
    story: 'a purpose is fine',
    description: 'Reads PDF files to answer questions about their content',
    minds: NEVER,
  },
  {
    code: 'description-vague',
    story: 'when_to_use counts',
    description: 'PDF Reader',
    more: ['when_to_use: The user has a PDF file with tables'],
    minds: NEVER,
  },
  {
    code: 'description-vague',
    story: 'German is not judged',
    description: 'Liest PDF-Dateien für Berichte',
    minds: NEVER,
  },
  {
    code: 'description-vague',
    story: 'German without umlauts',
    description: 'Liest Dateien und Tabellen aus',
    minds: NEVER,
  },
  { code: 'description-vague', story: 'Dutch is not judged', description: 'Leest een PDF voor het team', minds: NEVER },
  { code: 'description-vague', story: 'Chinese is not judged', description: '处理 PDF 文件', minds: NEVER },
  { code: 'description-vague', story: 'Russian is not judged', description: 'Читает файлы PDF', minds: NEVER },
  {
    code: 'compatibility-invalid',
    story: '501 characters',
    more: [`compatibility: ${'x'.repeat(501)}`],
    minds: ['error', 'none', 'none', 'error'],
  },
  {
    code: 'compatibility-invalid',
    story: 'a list',
    more: ['compatibility: [a]'],
    minds: ['error', 'none', 'none', 'error'],
  },
  {
    code: 'compatibility-invalid',
    story: 'empty',
    more: ['compatibility: ""'],
    minds: ['error', 'none', 'none', 'error'],
  },
  {
    code: 'metadata-invalid',
    story: 'a number in metadata',
    more: ['metadata:', '  version: 1'],
    minds: ['warning', 'none', 'none', 'error'],
  },
  {
    code: 'metadata-invalid',
    story: 'metadata as text',
    more: ['metadata: text'],
    minds: ['warning', 'none', 'none', 'error'],
  },
  { code: 'metadata-invalid', story: 'texts are fine', more: ['metadata:', '  version: "1"'], minds: NEVER },
  {
    code: 'allowed-tools-type',
    story: 'a list of tools',
    more: ['allowed-tools: [Read, Grep]'],
    minds: ['warning', 'none', 'info', 'warning'],
  },
  { code: 'allowed-tools-type', story: 'one line is fine', more: ['allowed-tools: Read Grep'], minds: NEVER },
  { code: 'field-unknown', story: 'a seventh key', more: ['model: opus'], minds: ['warning', 'none', 'none', 'none'] },
  {
    code: 'field-unknown-claude',
    story: 'a misspelled key',
    more: ['allowd-tools: Read'],
    minds: ['none', 'warning', 'none', 'none'],
  },
  { code: 'field-unknown-claude', story: 'a key of Claude’s is fine', more: ['user-invocable: true'], minds: NEVER },
  { code: 'body-empty', story: 'no body', body: ' \n', minds: ['warning', 'warning', 'warning', 'warning'] },
  {
    code: 'template-text',
    story: 'a sentence of the template',
    body: 'Say in one or two sentences what this skill is for.\n',
    minds: ['warning', 'warning', 'warning', 'warning'],
  },
  ...['js', 'json', 'yaml'].map((fence): Case => ({
    code: 'fence-language',
    story: `---${fence}`,
    fence,
    minds: ['warning', 'warning', 'warning', 'warning'],
  })),
  { code: 'fence-language', story: 'blanks after the fence are fine', fence: '  ', minds: NEVER },
  { code: 'body-length', story: '501 lines', body: 'x\n'.repeat(501), minds: ['info', 'info', 'info', 'none'] },
  {
    code: 'hidden-text',
    story: 'tag characters in the body',
    body: 'a\u{e0041}\u{e0042}b',
    minds: ['error', 'error', 'error', 'error'],
  },
  {
    code: 'hidden-text',
    story: 'tag characters in the description',
    description: 'a\u{e0041}b',
    minds: ['error', 'error', 'error', 'error'],
  },
  {
    code: 'hidden-text',
    story: 'variation selectors',
    body: 'a\u{e0100}\u{e0101}b',
    minds: ['error', 'error', 'error', 'error'],
  },
  {
    code: 'hidden-text',
    story: 'the flag of Scotland is fine',
    body: '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    minds: NEVER,
  },
  { code: 'bidi-controls', story: 'an override', body: 'a\u202eb', minds: ['error', 'error', 'error', 'error'] },
  {
    code: 'bidi-controls',
    story: 'an isolate in the description',
    description: 'a\u2066b',
    minds: ['error', 'error', 'error', 'error'],
  },
  {
    code: 'zero-width',
    story: 'zero-width spaces',
    body: 'pay\u200bpal',
    minds: ['warning', 'warning', 'warning', 'warning'],
  },
  { code: 'zero-width', story: 'a word joiner', body: 'a\u2060b', minds: ['warning', 'warning', 'warning', 'warning'] },
  { code: 'zero-width', story: 'a soft hyphen', body: 'a\u00adb', minds: ['warning', 'warning', 'warning', 'warning'] },
  {
    code: 'zero-width',
    story: 'a joiner between Latin letters',
    body: 'a\u200db',
    minds: ['warning', 'warning', 'warning', 'warning'],
  },
  { code: 'zero-width', story: 'an emoji family is fine', body: '👩‍👩‍👧‍👦 and 🏳️‍🌈', minds: NEVER },
  { code: 'zero-width', story: 'Persian is fine', body: 'می‌خواهم', minds: NEVER },
  {
    code: 'control-characters',
    story: 'an escape sequence',
    body: '\u001b[31mred',
    minds: ['warning', 'warning', 'warning', 'warning'],
  },
  {
    code: 'control-characters',
    story: 'NUL in the body',
    body: 'a\0b',
    minds: ['warning', 'warning', 'warning', 'warning'],
  },
  { code: 'control-characters', story: 'tabs and CRLF are fine', body: 'a\tb\r\nc', minds: NEVER },
  {
    code: 'encoding-invalid',
    story: 'a replacement character',
    body: 'caf\ufffd',
    minds: ['warning', 'warning', 'warning', 'warning'],
  },
  { code: 'package-too-many-files', story: '513 files', files: many(512), minds: ['none', 'none', 'none', 'error'] },
  { code: 'package-too-many-files', story: '512 files are fine', files: many(511), minds: NEVER },
  {
    code: 'package-too-large',
    story: 'over 16 MiB',
    files: { 'big.bin': new Uint8Array(16 * 1024 * 1024) },
    minds: ['none', 'none', 'none', 'error'],
  },
  {
    code: 'metadata-reserved',
    story: 'a key of the protocol',
    more: ['metadata:', '  io.modelcontextprotocol/x: "y"'],
    minds: ['none', 'none', 'none', 'error'],
  },
];

async function validate(
  {
    name = 'pdf',
    folder = name,
    description = 'Reads PDF files to answer questions about their text',
    more = [],
    body = 'Do it.\n',
    fence = '',
    files = {},
  }: Partial<Case>,
  profile: Profile,
  strict = false,
) {
  const dir = `${PROJECT}/.claude/skills/${folder}`;
  const workspace = await project({
    [`${dir}/SKILL.md`]: skillText({ name, description, more, body }).replace('---', `---${fence}`),
    ...Object.fromEntries(Object.entries(files).map(([file, content]) => [`${dir}/${file}`, content])),
  }).open();
  return ask(validateSkills, { all: false, profile, strict }, workspace);
}

describe.each(PROFILES.map((profile, index) => ({ profile, index })))(
  'under the profile $profile',
  ({ profile, index }) => {
    test.each(CASES)('$code: $story', async (given) => {
      const report = await validate(given, profile);
      const found = (['errors', 'warnings', 'info'] as const).filter((kind) =>
        report[kind].some(({ code }) => code === given.code),
      );
      // Gemini CLI and opencode only mind what everybody does.
      const isForAll = SKILL_RULES.find(({ code }) => code === given.code)?.profiles === undefined;
      const minds = given.minds[index] ?? (isForAll ? given.minds[0] : 'none');
      const expected = { error: ['errors'], warning: ['warnings'], info: ['info'], none: [] }[minds];
      expect(found).toEqual(expected);
    });

    test('a sound skill has no findings', async () => {
      expect(await validate({}, profile, true)).toMatchObject({
        valid: true,
        errors: [],
        warnings: [],
        info: [],
        items: [{ type: 'skill', id: 'claude:pdf', valid: true }],
      });
    });
  },
);

test('every rule has a case that breaks it', () => {
  expect(
    SKILL_RULES.flatMap(({ code, check }) => (check ? [code] : [])).filter(
      (code) => !CASES.some((each) => each.code === code && each.minds.some((minds) => minds !== 'none')),
    ),
    'rules without a case: add a skill that breaks each of them to CASES in this file',
  ).toEqual([]);
});

test('a finding includes the line', async () => {
  const report = await validate({ name: 'Pdf', body: 'fine\nand \u202ethen\n' }, 'spec');
  expect(report.errors.map(({ code, line }) => [code, line])).toEqual(
    expect.arrayContaining([
      ['name-capitals', 2],
      ['bidi-controls', 7],
    ]),
  );
});

test('with strict, warnings make validation fail and change the summary', async () => {
  const more = ['model: opus'];
  expect(await validate({ more }, 'spec')).toMatchObject({ valid: true, summary: '1 skill valid.' });
  expect(await validate({ more }, 'spec', true)).toMatchObject({
    valid: false,
    summary: '1 of 1 skill not valid.',
    items: [{ valid: false }],
  });
});

describe('names that are proposed', () => {
  const fixesOf = async (given: Partial<Case>): Promise<string[]> => {
    const { errors, warnings } = await validate(given, 'spec');
    return [...errors, ...warnings].filter(({ code }) => code.startsWith('name-')).map(({ fix }) => fix);
  };

  test.each([
    ['odd name', 'Set name: odd-name, and rename the folder to "odd-name".'],
    ['release_notes', 'Set name: release-notes, and rename the folder to "release-notes".'],
    ['-x-', 'Set name: x, and rename the folder to "x".'],
    ['a--b', 'Set name: a-b, and rename the folder to "a-b".'],
    ['CON', 'Set name: con-skill, and rename the folder to "con-skill".'],
    ['V1.2', 'Set name: v1-2, and rename the folder to "v1-2".'],
    ['"1.2"', 'Set name: "1-2", and rename the folder to "1-2".'],
    ['"***"', 'Use letters, digits and hyphens only.'],
    ['P\u0430ypal', 'Write the name in lower case.'],
  ])('%s: %s', async (name, fix) => {
    expect(await fixesOf({ name, folder: name.replaceAll('"', '') })).toContain(fix);
  });

  test('a name and a folder that differ: only a sound one is proposed for the other', async () => {
    expect(await fixesOf({ name: 'pdf', folder: 'forms' })).toEqual(['Rename the folder to "pdf", or set name: forms']);
    expect(await fixesOf({ name: 'pdf', folder: 'My_Forms' })).toEqual(['Rename the folder to "pdf".']);
    expect(await fixesOf({ name: 'My_Forms', folder: 'pdf' })).toContain('Set name: pdf');
    expect(await fixesOf({ name: 'my forms', folder: 'Forms' })).toEqual(
      Array.from({ length: 2 }, () => 'Set name: my-forms, and rename the folder to "my-forms".'),
    );
  });

  test('the name in a fix passes every rule', async () => {
    const odd = fc.oneof(
      fc.constantFrom(
        'con',
        'CON',
        'true',
        '007',
        '½',
        '\u0440\u0430\u0443\u0440',
        'हिन्दी Docs',
        '\u{20000}'.repeat(70),
        'İ',
        'ǅ-x',
        'a'.repeat(63) + '--b',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      fc.stringMatching(/^[A-Za-z0-9_. -]{1,12}$/u),
    );
    const folder = odd.filter((name) => !/[/\\\0]|^\.+$/u.test(name));
    await fc.assert(
      fc.asyncProperty(odd, folder, async (name, inFolder) => {
        for (const fix of await fixesOf({ name: JSON.stringify(name), folder: inFolder })) {
          const set = /et name: (.+?)(?:, and|$)/u.exec(fix)?.[1];
          const renamed = /ename the folder to "([^"]*)"/u.exec(fix)?.[1];
          if (set !== undefined)
            expect(await fixesOf({ name: set, folder: fix.includes(', and') ? (renamed ?? '') : inFolder })).toEqual(
              [],
            );
          if (renamed !== undefined)
            expect(await fixesOf({ name: JSON.stringify(renamed), folder: renamed })).toEqual([]);
        }
      }),
      { numRuns: times(60) },
    );
  });
});

test.each([
  ['name:', 'Write name: and, on the same line, the name of the folder.'],
  ['name: {a: b}', 'Write name: and, on the same line, the name of the folder.'],
  ['name: [a, b]', 'Write name: and, on the same line, the name of the folder.'],
  ['name: 12', 'Put the value in double quotes.'],
])('%s: the fix explains how to write the value', async (line, fix) => {
  const workspace = await project({
    [`${PROJECT}/.claude/skills/pdf/SKILL.md`]: `---\n${line}\ndescription: x\n---\nDo it.\n`,
  }).open();
  const { warnings } = await ask(validateSkills, { all: false, profile: 'spec', strict: false }, workspace);
  expect(warnings.find(({ code }) => code === 'value-type')?.fix).toBe(fix);
});
