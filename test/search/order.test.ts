import { expect, test } from 'vitest';
import { bestFirst } from '../../src/search/order.ts';
import { fc } from '../support/effort.ts';

test('the best come first, equal ones by number, as a plain sort would have it', () => {
  const score = fc.oneof(
    fc.constantFrom(0, 0.25, 0.5, 1),
    fc.integer({ min: 0, max: 1_000_000 }).map((number) => number / 1_000_000),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 50_000 })),
      fc.array(score, { minLength: 1 }),
      (documents, scores) => {
        const scoreOf = (document: number): number => scores[document % scores.length] ?? 0;
        const plain = [...documents].sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
        expect([...bestFirst(documents, scoreOf)]).toEqual(plain);
      },
    ),
  );
});
