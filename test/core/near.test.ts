import { describe, expect, test } from 'vitest';
import { editDistance, nearest } from '../../src/core/near.ts';
import { fc } from '../support/effort.ts';

describe('nearest', () => {
  test.each([
    { asked: 'gti', among: ['git', 'pdf', 'got', 'xlsx'], first: 'git', because: 'two neighbors were swapped' },
    { asked: 'pfd', among: ['pdf', 'docx'], first: 'pdf', because: 'two neighbors were swapped' },
    { asked: 'validte', among: ['validate', 'list'], first: 'validate', because: 'a letter is missing' },
    { asked: 'PDF', among: ['docx', 'pdf'], first: 'pdf', because: 'case does not matter' },
    {
      asked: 'request',
      among: ['pull-request-review', 'pdf'],
      first: 'pull-request-review',
      because: 'a word is shared',
    },
    {
      asked: 'review pull',
      among: ['git', 'pull-request-review'],
      first: 'pull-request-review',
      because: 'two words are shared, in another order',
    },
    {
      asked: 'pfd',
      among: ['claude:pdf', 'xlsx'],
      first: 'claude:pdf',
      because: 'the short part of a full name counts',
    },
    {
      asked: 'platform/old:refund',
      among: ['checkout/skills:refund', 'platform/all:refund'],
      first: 'platform/all:refund',
      because: 'the place is nearly the same',
    },
    {
      asked: 'checkout/skills:relase-notes',
      among: ['release-notes', 'checkout/skills:refund'],
      first: 'release-notes',
      because: 'it may be in another place',
    },
    { asked: 'rel', among: ['release-notes', 'git'], first: 'release-notes', because: 'it is how the name begins' },
  ])('$asked finds $first: $because', ({ asked, among, first }) => {
    expect(nearest(asked, among)[0]).toBe(first);
  });

  test('nothing is offered where nothing is near', () => {
    expect(nearest('kubernetes', ['pdf', 'git'])).toEqual([]);
    expect(nearest('', ['pdf'])).toEqual([]);
    expect(nearest('   ', ['pdf'])).toEqual([]);
    // Only the place has a word of it.
    expect(nearest('price-check', ['checkout/skills:refund'])).toEqual([]);
    expect(nearest('checkout/skills:oldie', ['checkout/skills:refund'])).toEqual([]);
    // Its short name is empty, and everything begins with nothing.
    expect(nearest('kubernetes', ['claude:', 'file:'])).toEqual([]);
  });

  test('the answer does not depend on the order of the candidates, and holds each once', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.array(fc.string({ maxLength: 8 })), (asked, candidates) => {
        const answer = nearest(asked, candidates);
        expect(nearest(asked, [...candidates].reverse())).toEqual(answer);
        expect(new Set(answer).size).toBe(answer.length);
        expect(answer.length).toBeLessThanOrEqual(5);
      }),
    );
  });

  test('of many candidates, the best few are the first of all that are near', () => {
    const name = fc.array(fc.constantFrom('pdf', 'git', 'review', 'invoice', 'ab', 'é', 'x:y', '12'), { maxLength: 4 });
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (asked, among, max) => {
        const candidates = among.map((parts) => parts.join('-'));
        const all = nearest(asked.join('-'), candidates, candidates.length + 1);
        expect(nearest(asked.join('-'), candidates, max)).toEqual(all.slice(0, max));
      }),
    );
  });

  test('an essay instead of a name is answered without comparing it letter by letter', () => {
    expect(nearest('pdf '.repeat(20_000), ['pdf', 'git'])).toEqual(['pdf']);
  });
});

describe('editDistance', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });

  test('is zero for the same text only, the same both ways, and never more than the longer text', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance === 0).toBe(a === b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  test('giving up early never changes an answer within the bound', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 7 }), (a, b, max) => {
        const exact = editDistance(a, b);
        const bounded = editDistance(a, b, max);
        expect(exact <= max ? bounded === exact : bounded > max).toBe(true);
      }),
    );
  });
});
