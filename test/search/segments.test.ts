import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SegmentFiles } from '../../src/search/document.ts';
import { type EmbedText, type Entry, makeFullEntry, textKey } from '../../src/search/entry.ts';
import type { Text } from '../../src/search/texts.ts';
import { knownEntries, makeSegment, WORDS_FORMAT } from '../../src/search/segments/make-segment.ts';
import { slicesOf } from '../../src/search/segments/slice.ts';
import { decodeVectors } from '../../src/search/segments/vectors-file.ts';
import { decodeWords } from '../../src/search/segments/words-file.ts';
import { doc } from '../support/documents.ts';
import { fc, times } from '../support/effort.ts';

const ID = '0123456789abcdef';
const LETTERS = 'abcdefgh';

/** Counts letters; a text without any of them has no vector. */
const embed: EmbedText = (text) => {
  const counts = Float32Array.from(LETTERS, (letter) => text.split(letter).length - 1);
  return counts.some((count) => count > 0) ? counts : undefined;
};

const words = fc.array(fc.constantFrom('pdf', 'Form', 'git', 'ΟΔΟΣ', 'ß', '文書', '->', '😀', 'x', 'bad cab'), {
  maxLength: 30,
});
const text = fc.record({
  names: fc.array(fc.constantFrom('fill', 'pdf', 'xyz'), { minLength: 1, maxLength: 2 }),
  description: words.map((list) => list.join(' ')),
  body: words.map((list) => list.join('\n')),
});
const texts = fc.array(text, { maxLength: 12 });

/** In the order of segments. */
function sorted(entry: Entry): Entry {
  const runs = Buffer.from(entry.runs ?? [])
    .toString('latin1')
    .split('\n')
    .sort()
    .join('\n');
  return { ...entry, runs: new Uint8Array(Buffer.from(runs, 'latin1')) };
}

describe('a stored segment', () => {
  test('has the search data of every document', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async (given, withVectors) => {
        const how = withVectors ? embed : undefined;
        const known = knownEntries([await makeSegment(ID, given, how)], withVectors);
        for (const each of given) expect(known.get(textKey(each, each.body))).toEqual(sorted(makeFullEntry(each, how)));
      }),
      { numRuns: times(100) },
    );
  });

  test('has the same bytes, whatever of it was known before', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.array(texts, { maxLength: 2 }), async (given, others) => {
        const before: SegmentFiles[] = [];
        const halves = [given.filter((_, index) => index % 2 === 0), ...others];
        for (const each of halves) before.push(await makeSegment(ID, each, embed));
        const fresh = await makeSegment(ID, given, embed);
        expect(await makeSegment(ID, given, embed, knownEntries(before, true))).toEqual(fresh);
      }),
      { numRuns: times(60) },
    );
  });

  test('does not count as known without the vectors that are wanted', async () => {
    const given = [{ names: ['pdf'], description: 'bad', body: 'cab' }];
    const plain = await makeSegment(ID, given, undefined);
    expect(plain.vectors).toBeUndefined();
    expect(knownEntries([plain], true).size).toBe(0);
    expect(knownEntries([plain], false).size).toBe(1);
  });

  test('is not decoded if it is cut short or something else', async () => {
    const given: Text[] = [
      { names: ['pdf'], description: 'Fill bad forms', body: 'cab face' },
      { names: ['git'], description: '', body: '' },
    ];
    const { words: file, vectors = file } = await makeSegment(ID, given, embed);
    expect(decodeWords(file)?.id).toBe(ID);
    expect(decodeVectors(vectors)?.id).toBe(ID);
    for (let size = 0; size < file.length; size++) expect(decodeWords(file.slice(0, size))).toBeUndefined();
    for (let size = 0; size < vectors.length; size++) expect(decodeVectors(vectors.slice(0, size))).toBeUndefined();
    expect(decodeWords(vectors)).toBeUndefined();
    expect(decodeVectors(file)).toBeUndefined();
    // A count that no file can have.
    file.set([255, 255, 255, 255], 8);
    expect(decodeWords(file)).toBeUndefined();
  });

  test('is identified by its format: changed bytes require a new format name', async () => {
    const given: Text[] = [
      { names: ['fill-forms', 'fill'], description: 'Fills PDF forms.', body: '# Forms\n\nUse `fill --all`.\n' },
      { names: ['Straße'], description: 'ΟΔΟΣ and 文書', body: '```sh\ngit status\n```\n' },
    ];
    const { words: file, vectors = file } = await makeSegment(ID, given, embed);
    const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    expect([WORDS_FORMAT, hash(file), hash(vectors)]).toMatchInlineSnapshot(`
      [
        "words-2",
        "bc978bb262e40e53",
        "249382b00cd40288",
      ]
    `);
  });
});

test('slices are of one kind and at most 1,000 documents, and their ids change with the names of their documents', () => {
  const many = Array.from({ length: 2_100 }, (_, index) => doc(`skill ${index}`, { path: `${index}` }));
  const other = { ...doc('a requirement'), kind: 'requirement' as const };
  const slices = slicesOf([other, ...many]);
  expect(slices.map(({ kind, documents }) => [kind, documents.length])).toEqual(
    expect.arrayContaining([
      ['skill', 1_000],
      ['skill', 1_000],
      ['skill', 100],
      ['requirement', 1],
    ]),
  );
  expect(slicesOf([...many.toReversed(), other])).toEqual(slices);
  expect(new Set(slices.map(({ id }) => id)).size).toBe(slices.length);
});
