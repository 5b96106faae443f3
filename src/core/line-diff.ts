const CONTEXT_LINES = 3;

/** One change between two texts, as a unified diff: what they share at both ends is left out but for a few lines. */
export function lineDiff(before: string, after: string, name: string): string {
  if (before === after) return '';
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - CONTEXT_LINES);
  const shared = Math.min(tail, CONTEXT_LINES);
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + shared).map((line) => ` ${line}`),
  ];
  const range = (count: number): string => `${count === 0 ? from : from + 1},${count}`;
  const header = `@@ -${range(old.length - tail + shared - from)} +${range(now.length - tail + shared - from)} @@`;
  return [`--- ${name}`, `+++ ${name}`, header, ...lines].map((line) => `${line}\n`).join('');
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\r\n?/gu, '\n').replace(/\n$/u, '').split('\n');
}
