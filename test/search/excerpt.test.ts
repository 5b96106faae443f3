import { describe, expect, test } from 'vitest';
import { excerptAround } from '../../src/search/excerpt.ts';
import { snippetOf } from '../../src/search/snippet.ts';
import { fc, times } from '../support/effort.ts';

describe('excerpts', () => {
  test('a family emoji at the edge is kept whole or left out', () => {
    const family = '👨‍👩‍👧‍👦';
    for (let padding = 0; padding < 30; padding++) {
      const text = `${'a'.repeat(padding)}${family}${'b'.repeat(200)}`;
      const excerpt = excerptAround(text, [padding + family.length + 70, padding + family.length + 71], []);
      expect(excerpt.text.includes('\u200d') ? excerpt.text.includes(family) : true).toBe(true);
    }
  });

  test('any cut leaves well-formed text of bounded length, with marks on the words they mark', () => {
    const piece = fc.constantFrom('word', ' ', '\n', '文', '😀', 'é', '\u200d', 'a\u0301', '.', '\ud800');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 10, max: 80 }),
        (pieces, place, size) => {
          const text = pieces.join('');
          const start = text.length === 0 ? 0 : place % text.length;
          const at = [start, Math.min(text.length, start + 4)] as const;
          const { text: shown, marks } = excerptAround(text, at, [at], size);
          expect(shown.length).toBeLessThanOrEqual(size + 2);
          expect(shown.isWellFormed() || !text.isWellFormed()).toBe(true);
          expect(shown).not.toMatch(/[\n\r]/u);
          for (const [from, to] of marks) expect(to).toBeGreaterThan(from);
        },
      ),
      { numRuns: times(3_000), examples: [[['\ud800', '.', '\u200d', 'word', 'word', 'word'], 5, 10]] },
    );
  });
});

describe('snippets', () => {
  const body = `An introduction that says nothing of interest to anybody at all. ${'Filler sentence number one. '.repeat(12)}Use the rotary encoder to adjust volume levels. More text follows here.`;

  test('the sentence with most words of the query is shown, its words marked', () => {
    const { text, marks } = snippetOf('A description.', body, ['adjusting the volume']);
    expect(text).toMatch(/^…Use the rotary encoder to adjust volume levels\. More text/u);
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['adjust', 'volume']);
  });

  test('without a matching word the beginning is shown', () => {
    expect(snippetOf('A description.', body, ['unrelated']).text).toMatch(/^A description\. An introduction/u);
  });

  test('an identifier is marked once, as a whole', () => {
    const { text, marks } = snippetOf('', 'Call getUserName now.', ['get user name']);
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['getUserName']);
  });
});
