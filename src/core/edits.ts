/**
 * Computes the shortest edit script between two lists, as items that are kept, removed or added. Used for line diffs and for
 * marking words in a sentence.
 */
export interface Edit {
  kind: ' ' | '-' | '+';
  text: string;
}

/** If there are more than `max` edits, the differing middle becomes one block: all removed items, then all added ones. */
export function editsBetween(a: readonly string[], b: readonly string[], max: number): Edit[] {
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
    ...shortestEdits(a.slice(start, endA), b.slice(start, endB), max),
    ...a.slice(endA).map(same),
  ];
}

/**
 * Myers' greedy algorithm: `reach[k]` is the furthest point on diagonal k. `walkBack` reads the script from the recorded steps.
 */
function shortestEdits(a: readonly string[], b: readonly string[], most: number): Edit[] {
  const max = Math.min(a.length + b.length, most);
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
