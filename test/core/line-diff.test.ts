import { expect, test } from 'vitest';
import { unifiedDiff } from '../../src/core/line-diff.ts';
import { fc, times } from '../support/effort.ts';

const diff = (before: string, after: string): string => unifiedDiff(before, after, { from: 'a', to: 'b' });

/** What `patch` would make of it. */
function patched(before: string, patch: string): string {
  const lines = before === '' ? [] : before.replace(/\n$/u, '').split('\n');
  const result: string[] = [];
  let at = 0;
  for (const line of patch.split('\n').slice(2, -1)) {
    const hunk = /^@@ -(\d+),(\d+) /u.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      while (at < start) result.push(lines[at++] ?? '');
    } else if (line.startsWith('+')) result.push(line.slice(1));
    else {
      if (lines[at] !== line.slice(1)) throw new Error(`line ${at} does not fit: ${line}`);
      if (line.startsWith(' ')) result.push(line.slice(1));
      at += 1;
    }
  }
  return [...result, ...lines.slice(at)].join('\n');
}

test('equal texts have no difference', () => {
  expect(diff('a\nb\n', 'a\nb\n')).toBe('');
});

test('a changed line is shown with its surroundings', () => {
  expect(diff('1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\nx\n6\n7\n8\n9\n')).toBe(
    '--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n',
  );
});

test('a new text is all additions', () => {
  expect(diff('', 'a\n')).toBe('--- a\n+++ b\n@@ -0,0 +1,1 @@\n+a\n');
});

test('applied to the old text it gives the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      fc.pre(a.join('\n') !== b.join('\n'));
      const [before, after] = [a.map((line) => `${line}\n`).join(''), b.map((line) => `${line}\n`).join('')];
      expect(patched(before, diff(before, after))).toBe(b.join('\n'));
    }),
    { numRuns: times(500) },
  );
});

test('two large texts that have nothing in common are shown as one block', () => {
  const lines = (mark: string): string => Array.from({ length: 20_000 }, (_, index) => `${mark}${index}\n`).join('');
  expect(diff(lines('a'), lines('b')).split('\n').length).toBe(40_004);
});
