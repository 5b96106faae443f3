/** A skill list as blocks of a drawing, in the unit of its budget. Parts that were cut off come last. */
import { count } from '../core/text.ts';
import type { BLOCK_KINDS } from './names.ts';
import type { SeenBudget } from './seen-by.ts';

/** A longer list has fewer, longer blocks of each kind, because more would be indistinguishable. */
const BLOCKS_MAX = 120;

export interface Block {
  from: number;
  length: number;
  kind: (typeof BLOCK_KINDS)[number];
  label: string;
}

interface ListLine {
  name: string;
  cost: number;
  fullCost: number;
  builtIn?: boolean | undefined;
}

interface Part {
  label: string;
  length: number;
}

/**
 * Returns the blocks of a list. The parts in the list are as long as the used budget, and all blocks together are as long as the
 * list without a limit.
 */
export function listBlocks(
  { used, wanted }: Pick<SeenBudget, 'used' | 'wanted'>,
  lines: readonly ListLine[],
  max = BLOCKS_MAX,
): Block[] {
  const inBlocks = (kind: Block['kind'], start: number, parts: readonly Part[]): Block[] =>
    merged(parts, max).map(({ at, ...part }) => ({ ...part, from: start + at, kind }));
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const own = lines.filter(({ builtIn }) => builtIn);
  const others = lines.filter(({ builtIn }) => !builtIn);
  const costOf = (some: readonly ListLine[]): Part[] => some.map(({ name, cost }) => ({ label: name, length: cost }));
  // Codex spends a part of its budget on a table of folders.
  const table = used - sum(lines.map(({ cost }) => cost));
  const lost = lines.map(({ name, cost, fullCost }) => ({ label: name, length: fullCost - cost }));
  const dropped = wanted - used - sum(lost.map(({ length }) => length));
  return [
    ...inBlocks('kept', 0, costOf(others)),
    ...inBlocks('own', sum(others.map(({ cost }) => cost)), [
      ...costOf(own),
      ...(table > 0 ? [{ label: 'table of folders', length: table }] : []),
    ]),
    ...inBlocks('lost', used, [...lost, ...(dropped > 0 ? [{ label: 'dropped skills', length: dropped }] : [])]),
  ];
}

/** Merges parts until there are at most `max`. */
function merged(parts: readonly Part[], max: number): (Part & { at: number })[] {
  const shown = parts.filter(({ length }) => length > 0);
  const perBlock = Math.ceil(shown.length / max);
  const blocks: (Part & { at: number; lines: number })[] = [];
  let at = 0;
  for (const { label, length } of shown) {
    const last = blocks.at(-1);
    if (last && last.lines < perBlock) {
      last.length += length;
      last.lines += 1;
      last.label = count(last.lines, 'skill');
    } else blocks.push({ at, length, label, lines: 1 });
    at += length;
  }
  return blocks.map(({ lines: _lines, ...block }) => block);
}
