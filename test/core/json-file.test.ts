import { describe, expect, test } from 'vitest';
import { readJsonFile } from '../../src/core/json-file.ts';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { fc, times } from '../support/effort.ts';

const read = (text: string) => readJsonFile(memoryDisk({ '/x.json': text }), '/x.json');

describe('a JSON file from outside Lectern', () => {
  test('a missing file, a value and a byte order mark', () => {
    expect(readJsonFile(memoryDisk({}), '/x.json')).toEqual({ kind: 'missing' });
    expect(read('{"a":1}')).toMatchObject({ kind: 'value', value: { a: 1 } });
    expect(read('\ufeff{"a":1}')).toMatchObject({ kind: 'value', value: { a: 1 } });
  });

  test.each([
    { text: '{\n  "a": 1,\n  "b" 2\n}', line: 3 },
    { text: '{\n  "a": 1,\n}', line: 3 },
    { text: 'secret words\nand more', line: 1 },
    { text: '{\n\n  // a comment\n}', line: 3 },
    { text: '{"a": [1, 2}\n', line: 1 },
    { text: '{\n"a": "open\n}', line: 2 },
    { text: '', line: 1 },
    { text: '{\n"a": 1\n', line: 3 },
    { text: '{"a": 01}', line: 1 },
    { text: '{"a": tru}', line: 1 },
    { text: '[1]\n\nx', line: 3 },
  ])('the line of the error is reported: $text', ({ text, line }) => {
    expect(read(text)).toMatchObject({ kind: 'broken', line });
  });

  test('the reason never quotes the file: it may be a link to something private', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), (text) => {
        const result = read(`CANARY ${text}`);
        expect(JSON.stringify(result)).not.toContain('CANARY');
      }),
    );
  });

  test('a line is found for every broken text, and never for a sound one', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0.5e3',
      'true',
      'null',
      'nul',
      '\n',
      ' ',
      '\\',
      '"\\u00e9"',
      '"\\x"',
      '"\t"',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
          fc.json(),
        ),
        (text) => {
          const result = read(text);
          if (result.kind === 'broken') expect(result.line).toBeGreaterThanOrEqual(1);
        },
      ),
      { numRuns: times(2_000) },
    );
  });

  test('deep nesting is broken or a value, never a crash', () => {
    expect(['broken', 'value']).toContain(read('['.repeat(200_000)).kind);
  });

  test('a link that leads to itself is broken, not a crash', () => {
    expect(readJsonFile(memoryDisk({ '/x.json': { link: 'x.json' } }), '/x.json').kind).toBe('broken');
    expect(readJsonFile(memoryDisk({ '/x.json/y': 'z' }), '/x.json')).toMatchObject({
      kind: 'broken',
      reason: 'not a regular file',
    });
  });
});
