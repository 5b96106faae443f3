/** docs/requirements.md: every statement of the five documents once, each with a test that exists or a reason. */
import { existsSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, test } from 'vitest';

/** The numbers of the statements in each document. */
const STATEMENTS = {
  '000': `
    1a 1b 2 3 4 5 6 7 7b 8 9 10 11 12 13 14 15 16 17 17b 18 19 19a 19c 20 20b 20c 21 22 23 24 25 26 26b 27 28
    29 30 30b 31 31b 32 32b 33 34 34b 34c 34d 35 36 37 38 39 40
  `,
  '001': `
    1 2 3 4 5 5b 6 7 8 9 10 11 12 12b 13 14 15 15b 16 17 18 19 20 21 22 23 23b 24 25 28 29 30 33 34 35 36 37
    38 39 40 41 42 43 44 45 46 47 48 50 51 52 53 54 55 56 57 58 59 60 60b 61 62 63 64 S-http
  `,
  '002': `
    1 2 3 4 5 6 7 7b 8 8b 9 10 11 12 13 13b 14 14b 14c 14d 14e 14f 15 16 16b 17 17b 18 18b 18c 19 20 21 21b
    21c 21d 21e 22 23 24 25 25b 25c 25d 28 28b 28c 29 30 31 31b 31c 32 33 33b 34 35 36 37 38 39 40 41 42
  `,
  '003': `
    0 1 2 3 4 4b 5 6 7 8 9 10 11 12 13 14 15 16 17 17b 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35
    36 37 41 42 43 44 45 46 46b 46c 47 48 49 50 51 52 53 54 55 56 56b 57 58 58b 59 60 61 62
  `,
  '004': `
    0 1 2 3 5 5b 6 7 8 9 10 11 12 12b 13 14 15 16 17 18 19 20 20b 20c 21 22 23 24 24b 24c 25 26 27 28 30 31 32
    32b 40 40b 41 42 43 43b 44 45 46-deltas 46-design 46-proposal 46-tasks 46b 47 50 51 52 53 54 54b 60 61 62
    63 64 65 65b 65c 70 71
  `,
};

/** Statements that Lectern narrows or changes. The page gives the reason for each, and for no other. */
const RECONCILED =
  '000.1a 000.17b 000.40 001.8 001.15 001.23b 001.34 001.50 001.53 002.7b 002.8 002.12 002.21d 002.25d 002.36 003.15 003.17 003.21 003.23 003.25 003.54 003.60 003.62 004.40b';

interface Statement {
  number: string;
  behavior: string;
  /** The document whose section the row is in. */
  section: string;
  /** Citations of tests. */
  cited: { file: string; name: string }[];
  reason: string | undefined;
  /** Parts of the last cell that are neither a citation nor a note. */
  unknown: string[];
}

const CITATION = /^`(?<file>[a-z-]+(?:\/[a-z-]+)*)` (?<name>\S.*)$/u;
const REASON = /^\*As reconciled:\* (?<reason>\S.{20,}\.)$/u;
const MEASURED = /^\*Measured:\* \S.+\.$/u;

function parseStatements(page: string): Statement[] {
  let section = '';
  return page.split('\n').flatMap((line) => {
    section = /^## .+ \((?<document>\d{3})\)$/u.exec(line)?.groups?.['document'] ?? section;
    const [number = '', behavior = '', proof = ''] = line.replace(/^\| | \|$/gu, '').split(' | ');
    if (!line.startsWith('| ') || number === '#' || number === '---') return [];
    const parts = proof.split('<br>');
    const cited = parts.flatMap((part) => {
      const { file, name } = CITATION.exec(part)?.groups ?? {};
      return file !== undefined && name !== undefined ? [{ file, name }] : [];
    });
    const reason = parts.flatMap((part) => REASON.exec(part)?.groups?.['reason'] ?? [])[0];
    const unknown = parts.filter((part) => ![CITATION, REASON, MEASURED].some((form) => form.test(part)));
    return [{ number, behavior, section, cited, reason, unknown }];
  });
}

/** The names of the tests in a file as they are written there, templates included. Suites and skipped tests do not count. */
function testNames(file: string, source: string): Set<string> {
  const names = new Set<string>();
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [name] }) {
      const written = source.slice(callee.start, callee.end);
      if (!/^(?:test|it)\b/u.test(written) || /^\w+(?:\.\w+)*\.(?:skip|todo|fails)\b/u.test(written)) return;
      if (name?.type === 'Literal' && typeof name.value === 'string') names.add(name.value);
      if (name?.type === 'TemplateLiteral' && name.quasis.length === 1) names.add(name.quasis[0]?.value.cooked ?? '');
    },
  });
  visitor.visit(parseSync(file, source).program);
  return names;
}

function namesIn(file: string): Set<string> {
  const place = new URL(`./${file}.test.ts`, import.meta.url);
  return existsSync(place) ? testNames(`${file}.test.ts`, readFileSync(place, 'utf8')) : new Set();
}

const page = parseStatements(readFileSync(new URL('../docs/requirements.md', import.meta.url), 'utf8'));
const expected = Object.entries(STATEMENTS).flatMap(([document, numbers]) =>
  numbers
    .trim()
    .split(/\s+/u)
    .map((number) => `${document}.${number}`),
);

describe('the page of requirements', () => {
  test('has each of the 317 statements once, below the heading of its document', () => {
    expect(expected).toHaveLength(317);
    expect(page.map(({ number }) => number).toSorted()).toEqual(expected.toSorted());
    expect(page.filter(({ number, section }) => !number.startsWith(`${section}.`))).toEqual([]);
  });

  test('has a sentence for each statement', () => {
    expect(page.filter(({ behavior }) => !/^\S.{10,}[.”]$/u.test(behavior)).map(({ number }) => number)).toEqual([]);
  });

  test('has a test or a reason for each statement', () => {
    const without = page.filter(({ cited, reason }) => cited.length === 0 && reason === undefined);
    expect(without.map(({ number }) => number)).toEqual([]);
    expect(page.flatMap(({ number, unknown }) => unknown.map((part) => [number, part]))).toEqual([]);
  });

  test('gives a reason for the statements that were reconciled, and for no other', () => {
    const reconciled = page.filter(({ reason }) => reason !== undefined).map(({ number }) => number);
    expect(reconciled.toSorted()).toEqual(RECONCILED.split(' ').toSorted());
  });

  test('names only tests that exist', () => {
    const files = new Map(
      [...new Set(page.flatMap(({ cited }) => cited.map(({ file }) => file)))].map((file) => [file, namesIn(file)]),
    );
    const missing = page.flatMap(({ number, cited }) =>
      cited
        .filter(({ file, name }) => files.get(file)?.has(name) !== true)
        .map(({ file, name }) => [number, file, name]),
    );
    expect(missing).toEqual([]);
  });

  test('names a test of every file that replays the documents', () => {
    const files = ['skill-tool', 'first-proposal', 'list-and-search', 'tool-contract', 'specs'];
    for (const file of files.map((name) => `mcp/requirements-${name}`)) {
      const cited = new Set(
        page.flatMap((row) => row.cited.filter((each) => each.file === file)).map(({ name }) => name),
      );
      expect([file, [...namesIn(file)].filter((name) => !cited.has(name))]).toEqual([file, []]);
    }
  });
});

describe('the check itself', () => {
  test('reads test names from calls, and not from suites, comments or skipped tests', () => {
    const source = `
      // test('in a comment', () => {});
      describe('a suite', () => {
        test('plain', () => {});
        test.each([1])('each %s', () => {});
        test.skipIf(true)('sometimes', () => {});
        test.concurrent.each([[['x']]])(\`in a template\`, () => {});
        test.skip('skipped', () => {});
        test.todo('later');
        expect(test).toBe('a value');
      });
    `;
    expect([...testNames('x.test.ts', source)].toSorted()).toEqual(['each %s', 'in a template', 'plain', 'sometimes']);
  });

  test.each([
    ['a citation', '`mcp/x` a name', { cited: [{ file: 'mcp/x', name: 'a name' }], reason: undefined, unknown: [] }],
    ['a reason', '*As reconciled:* the other document decides.', { cited: [], unknown: [] }],
    ['a reason that is too short', '*As reconciled:* no.', { cited: [], reason: undefined, unknown: [/As/u] }],
    ['nothing', '', { cited: [], reason: undefined, unknown: [''] }],
    ['a test without its file', 'a name', { cited: [], reason: undefined, unknown: ['a name'] }],
  ])('a row with %s', (_, proof, { unknown, ...rest }) => {
    const [row] = parseStatements(`## Title (000)\n\n| 000.1 | It works. | ${proof} |`);
    expect(row).toMatchObject({ number: '000.1', section: '000', ...rest });
    expect(row?.unknown).toEqual(unknown.map((part) => (part instanceof RegExp ? expect.stringMatching(part) : part)));
  });
});
