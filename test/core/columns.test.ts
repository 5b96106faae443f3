import { expect, test } from 'vitest';
import { graphemes, widthOf } from '../../src/core/columns.ts';

test('plain characters have the same width alone as next to a character that needs the segmenter', () => {
  const wide = '字';
  for (let code = 0x20; code < 0x2100; code += 1) {
    const character = String.fromCodePoint(code);
    const joins = graphemes(wide + character).length === 1 || graphemes(character + wide).length === 1;
    if (!joins) expect([code, widthOf(character)]).toEqual([code, widthOf(wide + character) - widthOf(wide)]);
  }
});

test('typographic quotes, dashes and accented letters take up one column', () => {
  expect(widthOf('The agent’s “list” – café…')).toBe(26);
});

test('a soft hyphen and a combining accent take up no column, an emoji takes up two', () => {
  expect([widthOf('\u00AD'), widthOf('e\u0301'), widthOf('👍')]).toEqual([0, 1, 2]);
});
