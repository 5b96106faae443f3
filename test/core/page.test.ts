import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/core/page.ts';
import { fc } from '../support/effort.ts';

describe('a page of a text', () => {
  test('begins and ends between code points, wherever the caller cuts', () => {
    expect(pageOf('a😀b', 2, 1)).toEqual({ text: '😀', nextOffset: 3 });
    expect(pageOf('a😀b', 1, 1)).toEqual({ text: '😀', nextOffset: 3 });
    expect(pageOf('a😀b', 0, 2)).toEqual({ text: 'a', nextOffset: 1 });
    expect(pageOf('a😀b', 99, 1)).toEqual({ text: '', nextOffset: undefined });
  });

  test('the pages reached through nextOffset join to the whole text, in whole code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (text, limit) => {
        const pages: string[] = [];
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const page = pageOf(text, offset, limit);
          pages.push(page.text);
          offset = page.nextOffset;
        }
        expect(pages.join('')).toBe(text);
        expect(pages.every((page) => page.isWellFormed())).toBe(true);
      }),
    );
  });
});
