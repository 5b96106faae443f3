import { describe, expect, test } from 'vitest';
import type { SearchDocument } from '../../src/search/document.ts';
import { LexicalBuilder } from '../../src/search/lexical/build.ts';
import { openPostings, type Postings } from '../../src/search/lexical/postings.ts';
import { rankLexically } from '../../src/search/lexical/rank.ts';
import { proseAndCode } from '../../src/search/lexical/weighted-texts.ts';
import { doc } from '../support/documents.ts';
import { fc } from '../support/effort.ts';

function indexOf(documents: readonly SearchDocument[]): Postings {
  const builder = new LexicalBuilder();
  for (const document of documents) builder.add(document);
  return openPostings(builder.finish());
}

function contentOf(postings: Postings): Record<string, [number, number][]> {
  const content: Record<string, [number, number][]> = {};
  for (let index = 0; index < postings.termCount; index++) {
    const list: [number, number][] = [];
    postings.each(index, (document, weight) => list.push([document, weight]));
    content[`t ${postings.term(index)}`] = list;
  }
  return content;
}

/** Whatever passes the checks must still be walked in bounded time without throwing. */
function walkAll(bytes: Uint8Array): string {
  let postings: Postings;
  try {
    postings = openPostings(bytes);
  } catch (error) {
    return error instanceof Error ? error.message : 'not an error';
  }
  for (let index = 0; index < postings.termCount; index++) postings.each(index, () => undefined);
  rankLexically(postings, 'alpha beta');
  return 'walked';
}

describe('the lexical index', () => {
  test('the name weighs more than the description, that more than the body, and code least', () => {
    const postings = indexOf([
      doc('a', { name: 'one', body: 'filler words here\n```\nzebra\n```' }),
      doc('b', { name: 'two', body: 'filler words here\nzebra' }),
      doc('c', { name: 'three', description: 'zebra', body: 'filler words here' }),
      doc('d', { name: 'zebra', body: 'filler words here' }),
    ]);
    expect([...rankLexically(postings, 'zebras').documents]).toEqual([3, 2, 1, 0]);
  });

  test('a rare word outweighs a common one', () => {
    const postings = indexOf([
      doc('a', { body: 'common rare' }),
      ...Array.from({ length: 9 }, (_, i) => doc(`x${i}`, { body: 'common common common' })),
    ]);
    expect(rankLexically(postings, 'common rare').documents[0]).toBe(0);
  });

  test('scores and coverage lie between zero and one, and words nobody has lower them', () => {
    const postings = indexOf([doc('a', { body: 'alpha beta' }), doc('b', { body: 'gamma' })]);
    const ranking = rankLexically(postings, 'alpha unknownword');
    expect(ranking.coverage[0]).toBeGreaterThan(0.2);
    expect(ranking.coverage[0]).toBeLessThan(0.6);
    expect(rankLexically(postings, 'alpha beta').coverage[0]).toBeCloseTo(1);
  });

  test('an empty index and an empty query give an empty answer', () => {
    expect([...rankLexically(indexOf([]), 'anything').documents]).toEqual([]);
    expect([...rankLexically(indexOf([doc('a', { body: 'x1' })]), 'the of').documents]).toEqual([]);
  });

  test('carrying documents over gives the same index as reading all of them', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', '文書', 'zeta-eta');
    const body = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(body, fc.boolean()), { maxLength: 12 }),
        fc.array(body, { maxLength: 5 }),
        (old, added) => {
          const before = old.map(([text], i) => doc(`o${i}`, { body: text }));
          const fresh = added.map((text, i) => doc(`n${i}`, { body: text }));
          const renumbered = new Int32Array(old.length).fill(-1);
          let next = 0;
          old.forEach(([, keep], i) => {
            if (keep) renumbered[i] = next++;
          });
          const builder = new LexicalBuilder({ postings: indexOf(before), renumbered });
          for (const document of fresh) builder.add(document);
          const merged = openPostings(builder.finish());
          const whole = indexOf([...before.filter((_, i) => old[i]?.[1]), ...fresh]);
          expect(contentOf(merged)).toEqual(contentOf(whole));
          expect([...merged.lengths]).toEqual([...whole.lengths]);
        },
      ),
    );
  });

  test('bytes that are no index are refused, whatever they are', () => {
    const good = (() => {
      const builder = new LexicalBuilder();
      builder.add(doc('a', { body: 'alpha beta gamma' }));
      return builder.finish();
    })();
    expect(() => openPostings(new Uint8Array())).toThrow(/not a lexical index/u);
    expect(() => openPostings(good.subarray(0, good.length - 1))).toThrow(/size|disorder/u);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bad = good.slice();
        bad[at] = (bad[at] ?? 0) ^ flip;
        expect(walkAll(bad)).toMatch(/^(?:walked|.*lexical index.*)$/u);
      }),
    );
  });
});

test('prose and code are told apart, an unclosed fence reaches to the end', () => {
  expect(proseAndCode('a\n```sh\nb\n```\nc\n~~~\nd')).toEqual([
    { text: 'a', code: false },
    { text: 'b', code: true },
    { text: 'c', code: false },
    { text: 'd', code: true },
  ]);
});
