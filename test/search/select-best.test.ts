import { expect, test } from 'vitest';
import { ALL_KINDS } from '../../src/search/document.ts';
import { selectBest } from '../../src/search/select-best.ts';
import { fc, times } from '../support/effort.ts';

const row = fc.record({
  // Few values, so that many are equal.
  score: fc.constantFrom(0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.3),
  share: fc.constantFrom(0, 0.5, 1),
  cosine: fc.constantFrom(0, 0.1, 0.15, 0.4),
  kind: fc.nat({ max: ALL_KINDS.length - 1 }),
});

test('the best of all documents are those that sorting all of them gives, and all that are found are counted', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 60 }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(0, 0.2, 0.9),
      (rows, limit, least) => {
        const of = (key: 'score' | 'share' | 'cosine'): Float64Array => Float64Array.from(rows, (each) => each[key]);
        const ranking = { scores: of('score'), shares: of('share'), cosines: of('cosine') };
        const compare = (a: number, b: number): number => (rows[b]?.score ?? 0) - (rows[a]?.score ?? 0) || b - a;
        const chosen = selectBest(
          ranking,
          Uint8Array.from(rows, ({ kind }) => kind),
          { least, limit, compare },
        );
        const found = [...rows.keys()].filter((index) => {
          const { score, share, cosine } = rows[index] as (typeof rows)[number];
          return score >= least && (share > 0 || cosine >= 0.15);
        });
        expect(chosen.total).toBe(found.length);
        expect(chosen.best.slice(0, limit)).toEqual(found.sort(compare).slice(0, limit));
        for (const [place, kind] of ALL_KINDS.entries())
          expect(chosen.totals[kind]).toBe(found.filter((index) => rows[index]?.kind === place).length);
      },
    ),
    { numRuns: times(300) },
  );
});
