import { describe, expect, test } from 'vitest';
import { dealtOut, type Line, tableTokens, wholeOrName } from '../../src/agents/budget.ts';

const line = (name: string, length: number, more: Partial<Line> = {}): Line => ({
  name,
  description: 'd'.repeat(length),
  fixed: false,
  weight: 0,
  ...more,
});
const lengths = (texts: readonly (string | undefined)[]): (number | undefined)[] => texts.map((text) => text?.length);

describe('a description is whole or not there', () => {
  // "- a: " and ten letters, and a line break between the two; a name alone is "- a".
  const lines = [line('a', 10), line('b', 10)];

  test('a list that just fits is whole, and one character less takes the last description', () => {
    expect(wholeOrName(lines, 31)).toEqual({
      texts: ['d'.repeat(10), 'd'.repeat(10)],
      costs: [16, 15],
      wholes: [16, 15],
      used: 31,
      wanted: 31,
    });
    expect(wholeOrName(lines, 30)).toEqual({
      texts: ['d'.repeat(10), ''],
      costs: [16, 3],
      wholes: [16, 15],
      used: 19,
      wanted: 31,
    });
  });

  test('the first description is taken as long as it fits to the character', () => {
    expect(lengths(wholeOrName(lines, 19).texts)).toEqual([10, 0]);
    expect(lengths(wholeOrName(lines, 18).texts)).toEqual([0, 0]);
  });

  test('a description that does not fit is skipped, and a shorter one after it is taken', () => {
    expect(lengths(wholeOrName([line('a', 50), line('b', 5), line('c', 50)], 30).texts)).toEqual([0, 5, 0]);
  });

  test('the most used come first, whatever their place', () => {
    expect(lengths(wholeOrName([line('a', 10), line('b', 10, { weight: 2 })], 20).texts)).toEqual([0, 10]);
  });

  test('a fixed line is never shortened, and names stay even if they are too long together', () => {
    const cut = wholeOrName([line('a', 10), line('own', 40, { fixed: true })], 10);
    expect(lengths(cut.texts)).toEqual([0, 40]);
    expect(cut.used).toBe(4 + 47);
  });

  test('a character that is two columns wide counts twice', () => {
    const wide = { ...line('a', 0), description: '🙂漢' };
    expect(wholeOrName([wide], 9).used).toBe(9);
    expect(wholeOrName([wide], 8).texts).toEqual(['']);
  });
});

describe('descriptions are dealt out', () => {
  const row = (name: string, length: number): Line => line(name, length, { path: 'r0/x/SKILL.md' });
  // "- a: (file: r0/x/SKILL.md)" and the line break: 27 bytes, 7 tokens. With ten letters and a blank: 38 bytes, 10 tokens.
  const rows = [row('a', 10), row('b', 10)];

  test('a list that just fits is whole, and one token less cuts the last lines alike', () => {
    expect(dealtOut(rows, 20)).toMatchObject({ used: 20, costs: [10, 10] });
    expect(lengths(dealtOut(rows, 20).texts)).toEqual([10, 10]);
    const cut = dealtOut(rows, 19);
    expect(lengths(cut.texts)).toEqual([10, 8]);
    expect(cut.used).toBe(19);
  });

  test('short descriptions stay complete, and long ones share the remaining space', () => {
    const cut = dealtOut([row('a', 3), row('b', 200), row('c', 200)], 21 + 20);
    const [short, second = 0, third = 0] = lengths(cut.texts);
    expect(short).toBe(3);
    expect(Math.abs(second - third)).toBeLessThanOrEqual(4);
    expect(cut.used).toBe(41);
  });

  test('bare lines that just fit are all kept, and one token less drops the last', () => {
    expect(dealtOut(rows, 14).texts).toEqual(['', '']);
    expect(dealtOut(rows, 13).texts).toEqual(['', undefined]);
    expect(dealtOut(rows, 7).texts).toEqual(['', undefined]);
    expect(dealtOut(rows, 6).texts).toEqual([undefined, undefined]);
  });

  test('a line that does not fit is dropped, and a shorter one after it is kept', () => {
    expect(dealtOut([row('a-long-name-that-costs-more', 5), row('b', 5)], 8).texts).toEqual([undefined, '']);
  });

  // 27 bytes without the description, and a blank before it. Counted in characters, all of these would cost 10 tokens.
  test.each([
    ['d', 10, 10],
    ['é', 10, 12],
    ['漢', 10, 15],
    ['🎉', 10, 17],
    ['é', 8, 11],
    ['é', 9, 12],
    ['漢', 4, 10],
    ['漢', 5, 11],
  ])('a description in %s of %i characters costs %i tokens, by its bytes', (letter, length, tokens) => {
    const rows = [{ ...row('a', 0), description: letter.repeat(length) }];
    expect(dealtOut(rows, tokens)).toMatchObject({ used: tokens, wanted: tokens, texts: [letter.repeat(length)] });
    const [cut = ''] = dealtOut(rows, tokens - 1).texts;
    expect([...cut].length).toBeLessThan(length);
    expect(Math.ceil((28 + Buffer.byteLength(cut)) / 4)).toBeLessThanOrEqual(tokens - 1);
    expect(Math.ceil((28 + Buffer.byteLength(cut + letter)) / 4)).toBe(tokens);
  });

  test.each([
    ['aaaa', 8],
    ['éééé', 9],
    ['漢漢漢漢', 10],
  ])('the name %s costs its bytes too', (name, tokens) => {
    // Without a name, 26 bytes.
    expect(dealtOut([row(name, 0)], 100).used).toBe(tokens);
  });

  test('characters are counted whole and cost their bytes', () => {
    const [text = ''] = dealtOut([{ ...row('a', 0), description: '🎉🎉🎉🎉' }], 9).texts;
    expect(text).toBe('🎉🎉');
  });

  test('the table of folders costs only the part that exceeds its heading', () => {
    // "- `r0` = ``" and the line break are 12 bytes.
    expect(tableTokens(['x'.repeat(130)])).toBe(0);
    expect(tableTokens(['x'.repeat(131)])).toBe(1);
    expect(tableTokens(['x'.repeat(134)])).toBe(1);
    expect(tableTokens(['x'.repeat(135)])).toBe(2);
  });
});
