import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeJson } from '../../src/cli/json-output.ts';
import { LongList } from '../../src/core/long-list.ts';
import { jsonText } from '../../src/core/text.ts';

/** What was written; the writer may use its bytes again as soon as they are taken. */
function written(document: object): { text: string; largest: number } {
  const pieces: Uint8Array[] = [];
  writeJson(document, (bytes) => void pieces.push(Uint8Array.from(bytes)));
  return { text: Buffer.concat(pieces).toString(), largest: Math.max(...pieces.map(({ length }) => length)) };
}

describe('a document on one line', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u007f', '\u009b31m', '\u202e', 'é', '😀', '\ud800', '"\\'),
  );
  const item = fc.oneof(
    text,
    fc.integer(),
    fc.constant(null),
    fc.record({ name: text, more: fc.array(text, { maxLength: 3 }) }),
  );
  const value = fc.oneof(item, fc.array(item, { maxLength: 100 }), fc.constant(undefined));

  test('is what JSON makes of it, with what terminals must not see escaped', () => {
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 5 }), (document) => {
        expect(written(document).text).toBe(`${jsonText(document)}\n`);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['ASCII', 'a'],
    ['what takes three bytes', '語'],
    ['what has to be escaped', '\u202e'],
  ])('of many items is written in small pieces: %s', (_, character) => {
    const items = Array.from({ length: 5_000 }, (_unused, index) => ({ index, text: character.repeat(index % 400) }));
    const { text: whole, largest } = written({ before: 1, items, after: [2] });
    expect(whole).toBe(`${jsonText({ before: 1, items, after: [2] })}\n`);
    expect(largest).toBeLessThan(200_000);
  });

  test('of one huge text is written too', () => {
    const document = { text: 'x'.repeat(1_000_000), items: Array.from({ length: 40 }, () => 'y'.repeat(10_000)) };
    expect(written(document).text).toBe(`${JSON.stringify(document)}\n`);
  });
});

describe('a list whose items are made late', () => {
  const list = (length: number): { list: LongList<number, { square: number }>; made: number[] } => {
    const made: number[] = [];
    const make = (source: number): { square: number } => {
      made.push(source);
      return { square: source * source };
    };
    return {
      list: new LongList(
        Array.from({ length }, (_, index) => index),
        make,
      ),
      made,
    };
  };

  test.each([0, 1, 32, 33, 1_000])('is written like any other: %d items', (length) => {
    const expected = Array.from({ length }, (_, index) => ({ square: index * index }));
    expect(written({ list: list(length).list }).text).toBe(`${JSON.stringify({ list: expected })}\n`);
    expect(jsonText({ list: list(length).list }, 2)).toBe(JSON.stringify({ list: expected }, null, 2));
  });

  test('makes each of them once, when its turn has come', () => {
    const { list: lazy, made } = list(100);
    expect([lazy.length, made]).toEqual([100, []]);
    const seen: number[] = [];
    writeJson({ lazy, filler: 'x'.repeat(70_000) }, () => void seen.push(made.length));
    expect(made).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });
});
