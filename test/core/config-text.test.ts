import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import type { Edited } from '../../src/core/config-text/edits.ts';
import { LENIENT_JSON, STRICT_JSON } from '../../src/core/config-text/json-dialect.ts';
import { addToJsonList, removeFromJson, removeFromJsonList, setInJson } from '../../src/core/config-text/json-edit.ts';
import { addTomlTables, removeFromToml, removeTomlTables, setInToml } from '../../src/core/config-text/toml-edit.ts';
import { fc, times } from '../support/effort.ts';

const textOf = (edited: Edited): string => {
  if (edited.kind !== 'changed') throw new Error(`${edited.kind}: ${'reason' in edited ? edited.reason : ''}`);
  return edited.text;
};

/** Writes a JSON document in one of the ways in which people write it. */
interface Look {
  unit: string;
  lineBreak: string;
  comments: boolean;
  commas: boolean;
  end: string;
}

function write(value: unknown, look: Look, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const members = isList
    ? value.map((item) => write(item, look, indent + look.unit))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${write(item, look, indent + look.unit)}`);
  if (members.length === 0) return `${open}${close}`;
  if (look.unit === '') return `${open} ${members.join(', ')} ${close}`;
  const lines = members.map((member, index) => {
    const comma = index < members.length - 1 || look.commas ? ',' : '';
    const comment = look.comments && index % 2 === 0 ? ' // a, "b": {' : '';
    return look.lineBreak + indent + look.unit + member + comma + comment;
  });
  return open + lines.join('') + look.lineBreak + indent + close;
}

const looks = fc.record({
  unit: fc.constantFrom('', '  ', '    ', '\t'),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  comments: fc.boolean(),
  commas: fc.boolean(),
  end: fc.constantFrom('', '\n', '\r\n', '\n\n'),
});
const keys = fc.string({ minLength: 1, maxLength: 6 }).filter((key) => !['__proto__', 'new', 'list'].includes(key));
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const documents = fc
  .tuple(fc.dictionary(keys, values, { maxKeys: 4, noNullPrototype: true }), looks)
  // An emptied document is written as {}.
  .map(([document, look]) => ({ document, text: write(document, look) + look.end }));

describe('JSON', () => {
  test('any document: a value that is set can be read, and removing it restores every byte', () => {
    fc.assert(
      fc.property(documents, fc.array(fc.string(), { minLength: 1, maxLength: 3 }), ({ document, text }, names) => {
        const wanted = Object.fromEntries(names.filter((name) => name !== '__proto__').map((name) => [name, 'off']));
        fc.pre(Object.keys(wanted).length > 0);
        const set = textOf(setInJson(text, LENIENT_JSON, ['new', 'inner'], wanted));
        expect(parseJsonc(set)).toEqual({ ...document, new: { inner: wanted } });
        expect(setInJson(set, LENIENT_JSON, ['new', 'inner'], wanted)).toEqual({ kind: 'same' });
        let left = set;
        for (const name of Object.keys(wanted))
          left = textOf(removeFromJson(left, LENIENT_JSON, ['new', 'inner', name]));
        expect(left).toBe(text);
      }),
      { numRuns: times(300) },
    );
  });

  test('any document: items that are added to a list can be read, and removing them restores every byte', () => {
    fc.assert(
      fc.property(
        documents,
        fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }),
        ({ document, text }, items) => {
          const added = textOf(addToJsonList(text, LENIENT_JSON, ['list'], items));
          expect(parseJsonc(added)).toEqual({ ...document, list: items });
          expect(addToJsonList(added, LENIENT_JSON, ['list'], items)).toEqual({ kind: 'same' });
          expect(textOf(removeFromJsonList(added, LENIENT_JSON, ['list'], items))).toBe(text);
        },
      ),
      { numRuns: times(300) },
    );
  });

  test.each([
    ['a comment', '{ // mine\n}'],
    ['a trailing comma', '{"a":1,}'],
    ['nothing but an opening brace', '{'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a key twice', '{"new":{},"new":{}}'],
    ['a value that is not an object', '{"new":true}'],
  ])('a document with %s is not changed', (_, text) => {
    expect(setInJson(text, STRICT_JSON, ['new'], { a: 'off' })).toMatchObject({ kind: 'broken' });
  });

  test('an object that becomes empty is removed unless it has a comment', () => {
    const bare = '{\n  "a": 1,\n  "new": {\n    "pdf": "off"\n  }\n}\n';
    expect(textOf(removeFromJson(bare, LENIENT_JSON, ['new', 'pdf']))).toBe('{\n  "a": 1\n}\n');
    const noted = '{\n  "a": 1,\n  "new": {\n    // mine\n    "pdf": "off"\n  }\n}\n';
    expect(textOf(removeFromJson(noted, LENIENT_JSON, ['new', 'pdf']))).toBe(
      '{\n  "a": 1,\n  "new": {\n    // mine\n  }\n}\n',
    );
  });

  test.each([
    ['first', '{ "pdf": 1, "b": 2 }', '{ "b": 2 }'],
    ['middle', '{ "a": 1, "pdf": 1, "b": 2 }', '{ "a": 1, "b": 2 }'],
    ['last', '{ "a": 1, "pdf": 1 }', '{ "a": 1 }'],
    ['after a comment with a comma', '{ "a": 1 /* x, y */, "pdf": 1 }', '{ "a": 1 /* x, y */ }'],
    ['before a comment', '{ "pdf": 1 /* x */, "b": 2 }', '{  /* x */ "b": 2 }'],
    ['last, with a trailing comma', '{ "a": 1, "pdf": 1, }', '{ "a": 1,  }'],
  ])('a property on the same line as others is removed with one comma: %s', (_, before, after) => {
    expect(textOf(removeFromJson(before, LENIENT_JSON, ['pdf']))).toBe(after);
  });
});

const statements = fc.constantFrom(
  'model = "x" # y',
  '# a comment',
  '',
  '[a]',
  '[mcp_servers.b]\ncommand = "c"',
  '[[items]]\nname = "d"\n[items.more]\ne = 1',
  'dotted.key = [\n  1, # one\n  2,\n]',
  '"quoted # key" = \'literal\'',
  '[[skills.config]]\nname = "other"\nenabled = false',
  '[skills]\nkept = true',
);
const tomls = fc
  .tuple(
    fc.uniqueArray(statements, { maxLength: 6, selector: (each) => each || {} }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n', '\n\n'),
  )
  .map(([lines, lineBreak, end]) => (lines.join('\n') + end).replaceAll('\n', lineBreak))
  .filter((text) => {
    try {
      parseToml(text);
      return true;
    } catch {
      return false;
    }
  });

describe('TOML', () => {
  test('any document: tables that are added can be read, and removing them restores every byte', () => {
    fc.assert(
      fc.property(tomls, fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }), (text, paths) => {
        const entries = paths.map((path) => ({ path, enabled: false }));
        const added = textOf(addTomlTables(text, ['skills', 'config'], entries));
        expect(JSON.stringify(parseToml(added))).toContain(JSON.stringify(entries).slice(1, -1));
        const left = removeTomlTables(added, ['skills', 'config'], ({ path }) => paths.includes(String(path)));
        expect(textOf(left)).toBe(text);
      }),
      { numRuns: times(300) },
    );
  });

  test('any document: a number that is set can be read, and removing it restores every byte', () => {
    fc.assert(
      fc.property(tomls, fc.integer({ min: 1, max: 10_000 }), (text, value) => {
        const set = textOf(setInToml(text, ['skills'], 'max', value));
        expect(parseToml(set)['skills']).toMatchObject({ max: value });
        expect(setInToml(set, ['skills'], 'max', value)).toEqual({ kind: 'same' });
        const other = textOf(setInToml(set, ['skills'], 'max', value + 1));
        expect(other).toBe(set.replace(`max = ${value}`, `max = ${value + 1}`));
        expect(textOf(removeFromToml(set, ['skills'], 'max'))).toBe(text);
      }),
      { numRuns: times(300) },
    );
  });

  test.each([
    ['a list in one line', 'skills = { config = [{ name = "a" }] }\n'],
    ['a value that is not a table', 'skills = 1\n'],
    ['no TOML', 'skills = \n'],
  ])('a document with %s is not changed', (_, text) => {
    expect(addTomlTables(text, ['skills', 'config'], [{ path: 'x', enabled: false }])).toMatchObject({
      kind: 'broken',
    });
  });

  test('a header with a comment below it stays', () => {
    const text = '[skills]\n# mine\nmax = 5\n';
    expect(textOf(removeFromToml(text, ['skills'], 'max'))).toBe('[skills]\n# mine\n');
  });
});
