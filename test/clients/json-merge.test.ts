import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { LENIENT_JSON, STRICT_JSON } from '../../src/clients/client.ts';
import { mergeIntoJson } from '../../src/clients/json-merge.ts';
import type { Merge } from '../../src/clients/merge.ts';
import { fc, times } from '../support/effort.ts';

const entry = { command: 'npx', args: ['-y', 'lectern', 'mcp'] };
const place = () => ({ keys: ['mcpServers', 'lectern'], entry });
const merge = (text: string, dialect = LENIENT_JSON): Merge => mergeIntoJson(text, dialect, place);
const textOf = (merged: Merge): string => ('text' in merged ? merged.text : `${merged.kind}`);

const OURS = `"lectern": {
      "command": "npx",
      "args": ["-y", "lectern", "mcp"]
    }`;

describe('an entry is added', () => {
  test.each<[string, string, string]>([
    ['to nothing', '', `{\n  "mcpServers": {\n    ${OURS}\n  }\n}\n`],
    ['to white space', ' \n', `{\n  "mcpServers": {\n    ${OURS}\n  }\n}\n`],
    ['below comments without a document', '// mine', `// mine\n{\n  "mcpServers": {\n    ${OURS}\n  }\n}\n`],
    ['to an empty object', '{}', `{\n  "mcpServers": {\n    ${OURS}\n  }\n}`],
    ['to an empty object over two lines', '{\n}\n', `{\n  "mcpServers": {\n    ${OURS}\n  }\n}\n`],
    ['to empty servers', '{\n  "mcpServers": {}\n}', `{\n  "mcpServers": {\n    ${OURS}\n  }\n}`],
    [
      'beside another',
      '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n',
      `{\n  "mcpServers": {\n    "a": {},\n    ${OURS}\n  }\n}\n`,
    ],
    [
      'behind the comment of the last one',
      '{\n  "mcpServers": {\n    "a": {} // ours\n    // "b": {}\n  }\n}\n',
      `{\n  "mcpServers": {\n    "a": {}, // ours\n    ${OURS}\n    // "b": {}\n  }\n}\n`,
    ],
    [
      'with a comma where commas trail',
      '{\n  "mcpServers": {\n    "a": {}, /* x */ // y\n  },\n}\n',
      `{\n  "mcpServers": {\n    "a": {}, /* x */ // y\n    ${OURS},\n  },\n}\n`,
    ],
    [
      'where the comma stands on its own line',
      '{\n  "mcpServers": {\n    "a": {} // x\n    , // y\n  }\n}',
      `{\n  "mcpServers": {\n    "a": {} // x\n    , // y\n    ${OURS},\n  }\n}`,
    ],
    [
      'after a comment in an empty object',
      '{\n  // none yet\n}',
      `{\n  // none yet\n  "mcpServers": {\n    ${OURS}\n  }\n}`,
    ],
    [
      'to a document on one line',
      '{"a":1}',
      '{"a":1,"mcpServers":{"lectern":{"command":"npx","args":["-y","lectern","mcp"]}}}',
    ],
    [
      'to empty servers on one line',
      '{"mcpServers":{}}',
      '{"mcpServers":{"lectern":{"command":"npx","args":["-y","lectern","mcp"]}}}',
    ],
    [
      'to an airy line',
      '{ "a": 1 }',
      '{ "a": 1, "mcpServers": { "lectern": { "command": "npx", "args": ["-y", "lectern", "mcp"] } } }',
    ],
    [
      'to a line that ends in a comment',
      '{ "a": 1 // one\n}',
      '{ "a": 1, // one\n  "mcpServers": {\n    "lectern": {\n      "command": "npx",\n      "args": ["-y", "lectern", "mcp"]\n    }\n  }\n}',
    ],
  ])('%s', (_, before, after) => {
    expect(textOf(merge(before))).toBe(after);
    expect(merge(after).kind).toBe('same');
  });

  test('with the file’s own indentation and line breaks', () => {
    const before = '{\r\n\t"other": [\r\n\t\t1\r\n\t],\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n';
    const after = textOf(merge(before));
    expect(after).toBe(
      before.replace(
        '"a": {}',
        '"a": {},\r\n\t\t"lectern": {\r\n\t\t\t"command": "npx",\r\n\t\t\t"args": ["-y", "lectern", "mcp"]\r\n\t\t}',
      ),
    );
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });
});

describe('an entry of that name', () => {
  test('that is equivalent is left unchanged, whatever its form and additional keys', () => {
    for (const same of [
      '{"args":["-y","lectern","mcp"],"command":"npx"}',
      '{"type":"stdio","command":"npx","args":["-y","lectern","mcp"],"env":{"A":"1"},"timeout":5}',
      '{"enabled":true,"command":"npx","args":["-y","lectern","mcp"]}',
    ])
      expect(merge(`{"mcpServers":{"lectern":${same}}}`)).toMatchObject({ kind: 'same', line: 1 });
  });

  test.each([
    '{"command":"npx"}',
    '{"command":"node","args":["-y","lectern","mcp"]}',
    '{"url":"http://x","command":"npx","args":["-y","lectern","mcp"]}',
    '{"command":"npx","args":["-y","lectern","mcp"],"enabled":false}',
    'null',
    '"npx"',
    '[]',
  ])('that differs is reported, and replaced on request: %s', (other) => {
    const text = `{\n  // mine\n  "mcpServers": {\n    "lectern": ${other}, // here\n    "b": 1\n  }\n}`;
    const merged = merge(text);
    expect(merged).toMatchObject({ kind: 'different', line: 4, existing: JSON.parse(other) });
    const replaced = textOf(merged);
    expect(merge(replaced).kind).toBe('same');
    expect(replaced).toMatch(/^\{\n {2}\/\/ mine\n {2}"mcpServers": \{\n {4}"lectern": \{/u);
    expect(replaced.endsWith('}, // here\n    "b": 1\n  }\n}')).toBe(true);
  });

  test('keeps the keys that the user added when it is replaced', () => {
    const merged = merge('{"mcpServers":{"lectern":{"env":{"A":"1"},"url":"http://x","timeout":5}}}');
    expect(JSON.parse(textOf(merged))).toEqual({ mcpServers: { lectern: { ...entry, env: { A: '1' }, timeout: 5 } } });
  });
});

describe('a document that cannot be used is refused with the place', () => {
  test.each<[string, string, string, number | undefined, typeof STRICT_JSON]>([
    ['not closed', '{\n  "a": 1,\n', 'not JSON', 3, LENIENT_JSON],
    ['no comma', '{\n  "a": 1\n  "b": 2\n}', 'comma expected', 3, LENIENT_JSON],
    ['more after the end', '{}\n{}', 'end of file expected', 2, LENIENT_JSON],
    ['not an object', '[]', 'the document is not an object', 1, LENIENT_JSON],
    ['servers that are not an object', '{\n"mcpServers": []}', '"mcpServers" is not an object', 2, LENIENT_JSON],
    ['servers twice', '{"mcpServers": {},\n"mcpServers": {}}', '"mcpServers" occurs twice', 2, LENIENT_JSON],
    ['the name twice', '{"mcpServers": {"lectern":1,\n"lectern":2}}', '"lectern" occurs twice', 2, LENIENT_JSON],
    ['a comment for a strict reader', '{\n// x\n}', 'this client does not support comments', 2, STRICT_JSON],
    ['a trailing comma for a strict reader', '{"a":1,\n}', 'not JSON', 2, STRICT_JSON],
    ['nested far too deeply', '['.repeat(200_000), 'nested too deeply', undefined, LENIENT_JSON],
  ])('%s', (_, text, reason, line, dialect) => {
    const merged = merge(text, dialect);
    expect(merged).toMatchObject({ kind: 'broken', ...(line === undefined ? {} : { line }) });
    expect(merged.kind === 'broken' && merged.reason).toContain(reason);
  });
});

test('any document: all other bytes are unchanged, the entry can be read, and a second merge changes nothing', () => {
  const trivia = fc.constantFrom('', ' ', '\n', '\r\n', '\t', ' // note\n', '/* note */', '\n  // "lectern": {}\n  ');
  const key = fc.constantFrom('a', 'b c', '"', '\\', 'ü', '😀', '__proto__', 'lecter', 'mcpServer');
  const value = fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('1', '-0.5e3', 'true', 'null', '"x"', '"// no }"', '"\\u0041"'),
      fc
        .tuple(
          fc.uniqueArray(key, { maxLength: 3 }),
          fc.array(fc.tuple(trivia, trivia, tie('any'), trivia), { minLength: 3, maxLength: 3 }),
          trivia,
          fc.boolean(),
        )
        .map(([keys, parts, end, comma]) => objectText(keys, parts, end, comma)),
      fc
        .tuple(trivia, fc.array(tie('any'), { maxLength: 2 }))
        .map(([space, items]) => `[${space}${items.join(`${space},${space}`)}]`),
    ),
  })).any;
  const parts = fc.array(fc.tuple(trivia, trivia, value, trivia), { minLength: 3, maxLength: 3 });
  const servers = fc
    .tuple(fc.uniqueArray(key, { maxLength: 3 }), parts, trivia, fc.boolean())
    .map(([keys, inner, end, comma]) => objectText(keys, inner, end, comma));
  const document = fc
    .tuple(trivia, fc.uniqueArray(key, { maxLength: 2 }), parts, fc.option(servers), trivia, fc.boolean())
    .map(([start, keys, inner, own, end, comma]) => {
      if (own === null) return start + objectText(keys, inner, end, comma) + end;
      const last: Part = [inner[2]?.[0] ?? '', inner[2]?.[1] ?? '', own, inner[2]?.[3] ?? ''];
      return start + objectText([...keys, 'mcpServers'], [...inner.slice(0, keys.length), last], end, comma) + end;
    });
  fc.assert(
    fc.property(document, (before) => {
      const merged = merge(before);
      expect(merged.kind).toBe('added');
      const after = textOf(merged);
      expect(untouched(before, after)).toBe(true);
      const [was, is] = [before, after].map((text): Record<string, Record<string, unknown>> =>
        parse(text, [], { allowTrailingComma: true }),
      );
      expect(is?.['mcpServers']?.['lectern']).toEqual(entry);
      delete is?.['mcpServers']?.['lectern'];
      if (was?.['mcpServers'] === undefined) delete is?.['mcpServers'];
      expect(is).toEqual(was);
      expect(merge(after).kind).toBe('same');
    }),
    { numRuns: times(1500) },
  );
});

type Part = readonly [string, string, string, string];

function objectText(keys: readonly string[], parts: readonly Part[], end: string, comma: boolean): string {
  const properties = keys.map((key, index) => {
    const [before, middle, value, after] = parts[index] ?? ['', '', '0', ''];
    return `${before}${JSON.stringify(key)}${middle}:${middle}${value}${after}`;
  });
  return `{${properties.join(',')}${comma && properties.length > 0 ? ',' : ''}${end}}`;
}

/**
 * Both ends are unchanged, and between a comma and the entry there is at most one complete comment. White space in an
 * empty object may disappear.
 */
function untouched(before: string, after: string): boolean {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < before.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const between = before.slice(head, before.length - tail);
  return (
    /^(?:\s|\/\/[^\n]*\n?|\/\*.*?\*\/)*$/u.test(between) &&
    (between.trim() === '' || after.slice(head).includes(between))
  );
}
