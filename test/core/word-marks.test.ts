import { describe, expect, test } from 'vitest';
import { countWords, likeness, markWords } from '../../src/core/word-marks.ts';
import { fc, times } from '../support/effort.ts';

/** Both texts with brackets around what differs. */
function marked(before: string, after: string): [string, string] {
  const show = ({ text, marks }: { text: string; marks: [number, number][] }): string => {
    let [shown, at] = ['', 0];
    for (const [start, end] of marks) {
      shown += `${text.slice(at, start)}[${text.slice(start, end)}]`;
      at = end;
    }
    return shown + text.slice(at);
  };
  const both = markWords(before, after);
  return [show(both.before), show(both.after)];
}

describe('the words that differ', () => {
  test.each([
    ['a changed word', 'within ten minutes', 'within five minutes', 'within [ten] minutes', 'within [five] minutes'],
    ['an added clause', 'It works.', 'It works, mostly.', 'It works.', 'It works[, mostly].'],
    ['only the wrapping', 'one two\nthree', 'one\ntwo three', 'one two\nthree', 'one\ntwo three'],
    [
      'a small word in common between two changes',
      'offers coffee at the counter for regulars today',
      'offers tea in the garden for regulars today',
      'offers [coffee at the counter] for regulars today',
      'offers [tea in the garden] for regulars today',
    ],
    [
      'next to nothing in common',
      'the copy is sold',
      'nobody may enter the house',
      '[the copy is sold]',
      '[nobody may enter the house]',
    ],
    ['a script without blanks', '系统必须保存密码', '系统必须保存会话', '系统必须保存[密码]', '系统必须保存[会话]'],
    ['a new text', '', 'All new', '', '[All new]'],
  ])('%s', (_, before, after, markedBefore, markedAfter) => {
    expect(marked(before, after)).toEqual([markedBefore, markedAfter]);
  });

  test('without the marked words both texts have the same words', () => {
    const word = fc.constantFrom('shop', 'book', 'the', 'customer', 'pays', ',', 'SHALL', 'again');
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
    const rest = ({ text: whole, marks }: { text: string; marks: [number, number][] }): string[] => {
      let [kept, at] = ['', 0];
      for (const [start, end] of marks) {
        kept += `${whole.slice(at, start)} `;
        at = end;
      }
      return (kept + whole.slice(at)).split(/\s+/u).filter(Boolean);
    };
    fc.assert(
      fc.property(text, text, (before, after) => {
        const both = markWords(before, after);
        expect(rest(both.before)).toEqual(rest(both.after));
      }),
      { numRuns: times(200) },
    );
  });

  test('two long texts without a common word are marked whole, and that takes no search', () => {
    const long = (letter: string): string => Array.from({ length: 20_000 }, (_, i) => `${letter}${i}`).join(' ');
    const { before, after } = markWords(`same ${long('a')} end`, `same ${long('b')} end`);
    expect([before.marks.length, after.marks.length]).toEqual([1, 1]);
  });
});

test('likeness is the share of words that two texts have in common', () => {
  const alike = (a: string, b: string): number => likeness(countWords(a), countWords(b));
  expect(alike('a b c', 'c B a')).toBe(1);
  expect(alike('a b', 'a c')).toBe(0.5);
  expect(alike('a a b', 'a b b')).toBeCloseTo(2 / 3);
  expect(alike('a', 'b')).toBe(0);
  expect(alike('', '')).toBe(1);
});
