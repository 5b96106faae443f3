import { expect, test } from 'vitest';
import { WordTable } from '../../src/search/keywords/word-table.ts';
import { queryTerms } from '../../src/search/words/terms.ts';

/**
 * Words that have one 32-bit FNV-1a, which begins with `first`: of two blocks of letters that meet after the blocks before them,
 * either can stand in each place. A stranger can make them for every hash that is known.
 */
function collidingWords(first: number): string[] {
  let state = first;
  let words = [''];
  let seed = 1;
  while (words.length < 8_192) {
    const seen = new Map<number, string>();
    for (;;) {
      let block = '';
      let hash = state;
      for (let at = 0; at < 7; at++) {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        const code = 97 + ((seed >>> 16) % 26);
        block += String.fromCharCode(code);
        hash = Math.imul(hash ^ code, 0x01_00_01_93);
      }
      const other = seen.get(hash);
      seen.set(hash, block);
      if (other === undefined || other === block) continue;
      words = words.flatMap((word) => [word + other, word + block]);
      state = hash;
      break;
    }
  }
  return words;
}

/** The least of several: another program may take the processor in the middle of one. */
function costOf(work: () => void): number {
  const costs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage().user;
    work();
    return process.cpuUsage().user - before;
  });
  return Math.max(1_000, Math.min(...costs));
}

// Where they meet, they take more than ten times as long; five leaves room for a busy machine.
test.each<[string, number, (words: readonly string[]) => void]>([
  ['in the table of all runs', 0x81_1c_9d_c5 | 0, (words) => new WordTable().numbers(Buffer.from(words.join('\n')))],
  ['where known words are remembered', 0, (words) => queryTerms(words.join(' '))],
])('words that were chosen to meet %s take as long as others', (_, first, use) => {
  const chosen = collidingWords(first);
  const others = chosen.map((word, index) => word.slice(0, -8) + index.toString(36).padStart(8, 'q'));
  // Words that are remembered would be found at once the next time.
  let time = 0;
  const fresh = (words: readonly string[]) => () => {
    time += 1;
    use(words.map((word) => word + 'x'.repeat(time)));
  };
  expect(costOf(fresh(chosen))).toBeLessThan(5 * costOf(fresh(others)));
});
