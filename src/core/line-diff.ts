/** The difference between two texts as a unified diff. */
export interface DiffOptions {
  /** The names in the two header lines. */
  from: string;
  to: string;
  /** Unchanged lines shown around a change. */
  context?: number;
}

type Edit = { kind: ' ' | '-' | '+'; text: string };

/** With more edits than this, finding the shortest script takes too long, and the difference is shown as one block. */
const MAX_EDITS = 2_000;

/** Empty when the texts are equal. */
export function unifiedDiff(before: string, after: string, { from, to, context = 3 }: DiffOptions): string {
  if (before === after) return '';
  const edits = editsBetween(linesOf(before), linesOf(after));
  const hunks = hunksOf(edits, context);
  return [`--- ${from}`, `+++ ${to}`, ...hunks].join('\n') + '\n';
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function editsBetween(a: readonly string[], b: readonly string[]): Edit[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const same = (text: string): Edit => ({ kind: ' ', text });
  return [
    ...a.slice(0, start).map(same),
    ...shortestEdits(a.slice(start, endA), b.slice(start, endB)),
    ...a.slice(endA).map(same),
  ];
}

/** Myers' greedy algorithm: `reach[k]` is how far diagonal k goes. `walkBack` reads the script from the recorded steps. */
function shortestEdits(a: readonly string[], b: readonly string[]): Edit[] {
  const max = Math.min(a.length + b.length, MAX_EDITS);
  const offset = max + 1;
  const reach = new Int32Array(2 * max + 3);
  const trail: Int32Array[] = [];
  for (let edits = 0; edits <= max; edits++) {
    trail.push(reach.slice(offset - edits - 1, offset + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (reach[offset + k - 1] ?? 0) < (reach[offset + k + 1] ?? 0));
      let x = down ? (reach[offset + k + 1] ?? 0) : (reach[offset + k - 1] ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reach[offset + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trail);
    }
  }
  return [...a.map((text): Edit => ({ kind: '-', text })), ...b.map((text): Edit => ({ kind: '+', text }))];
}

function walkBack(a: readonly string[], b: readonly string[], trail: readonly Int32Array[]): Edit[] {
  const edits: Edit[] = [];
  let x = a.length;
  let y = b.length;
  for (let step = trail.length - 1; step >= 0; step--) {
    const row = trail[step];
    const reach = (k: number): number => row?.[k + step + 1] ?? 0;
    const k = x - y;
    const down = k === -step || (k !== step && reach(k - 1) < reach(k + 1));
    const previousX = step === 0 ? 0 : reach(down ? k + 1 : k - 1);
    const previousY = step === 0 ? 0 : previousX - (down ? k + 1 : k - 1);
    while (x > previousX && y > previousY) {
      x -= 1;
      y -= 1;
      edits.push({ kind: ' ', text: a[x] ?? '' });
    }
    if (step === 0) break;
    if (down) edits.push({ kind: '+', text: b[previousY] ?? '' });
    else edits.push({ kind: '-', text: a[previousX] ?? '' });
    x = previousX;
    y = previousY;
  }
  return edits.reverse();
}

function hunksOf(edits: readonly Edit[], context: number): string[] {
  const changed = edits.flatMap(({ kind }, index) => (kind === ' ' ? [] : [index]));
  const ranges: [start: number, end: number][] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    if (last && index - context <= last[1]) last[1] = Math.min(edits.length, index + context + 1);
    else ranges.push([Math.max(0, index - context), Math.min(edits.length, index + context + 1)]);
  }
  const lines: string[] = [];
  let lineA = 1;
  let lineB = 1;
  let at = 0;
  for (const [start, end] of ranges) {
    lineA += start - at;
    lineB += start - at;
    const hunk = edits.slice(start, end);
    const countA = hunk.filter(({ kind }) => kind !== '+').length;
    const countB = hunk.filter(({ kind }) => kind !== '-').length;
    lines.push(
      `@@ -${countA === 0 ? lineA - 1 : lineA},${countA} +${countB === 0 ? lineB - 1 : lineB},${countB} @@`,
      ...hunk.map(({ kind, text }) => kind + text),
    );
    lineA += countA;
    lineB += countB;
    at = end;
  }
  return lines;
}
