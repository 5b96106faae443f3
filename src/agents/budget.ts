/** Computes how a list is cut to fit, to the character. Pure arithmetic. */
import { widthOf } from '../core/columns.ts';

/** A line of a list. */
export interface Line {
  name: string;
  description: string;
  /** The line is never shortened. */
  fixed: boolean;
  /** Lines with more weight get their description first. Equal ones follow the order of the list. */
  weight: number;
  /** File path as shown in the list. */
  path?: string;
}

export interface Cut {
  /** Remaining text of each description. Undefined for a dropped line. */
  texts: (string | undefined)[];
  /** Cost of each line in the unit of the budget. */
  costs: number[];
  used: number;
  /** Total cost without a limit. */
  wanted: number;
}

/** Returns the length of `- name: description` with its line break. */
export function lineCharacters({ name }: Line, description: string): number {
  const text = widthOf(name) + widthOf(description);
  return description === '' ? 2 + text + 1 : 2 + text + 2 + 1;
}

/**
 * Claude Code: if not everything fits, every name is kept, and descriptions are included in full or not at all. A description that
 * does not fit is skipped, and shorter ones after it are still included. Lengths are terminal columns, in which an emoji counts as two.
 */
export function wholeOrName(lines: readonly Line[], limit: number): Cut {
  // The last line has no line break.
  const costOf = (line: Line, index: number, description: string): number =>
    lineCharacters(line, description) - (index === lines.length - 1 ? 1 : 0);
  const whole = lines.map((line, index) => costOf(line, index, line.description));
  const sum = total(whole);
  if (sum <= limit) return { texts: lines.map(({ description }) => description), costs: whole, used: sum, wanted: sum };
  const texts = lines.map(({ fixed, description }) => (fixed ? description : ''));
  const costs = lines.map((line, index) => costOf(line, index, texts[index] ?? ''));
  let used = total(costs);
  const byWeight = lines.map((line, index) => ({ line, index })).filter(({ line }) => !line.fixed);
  byWeight.sort((a, b) => b.line.weight - a.line.weight || a.index - b.index);
  for (const { line, index } of byWeight) {
    const more = (whole[index] ?? 0) - (costs[index] ?? 0);
    if (used + more > limit) continue;
    used += more;
    costs[index] = (costs[index] ?? 0) + more;
    texts[index] = line.description;
  }
  return { texts, costs, used, wanted: sum };
}

/** A token counts as four bytes. */
const tokens = (bytes: number): number => Math.ceil(bytes / 4);

/** Size of the heading of the folder table, which is not counted. */
const TABLE_FREE_BYTES = 142;

/** Returns the cost of the folder table. Codex lists every folder once, as `r0`, `r1` …, to keep the paths in the lines short. */
export function tableTokens(roots: readonly string[]): number {
  const bytes = total(roots.map((root, index) => Buffer.byteLength(`- \`r${index}\` = \`${root}\``) + 1));
  return Math.max(0, tokens(bytes - TABLE_FREE_BYTES));
}

/**
 * Codex: room for the lines without their descriptions is reserved, and the rest is distributed in rounds of one character per
 * description. If even the bare lines do not fit, those that do are kept.
 */
export function dealtOut(lines: readonly Line[], limit: number): Cut {
  const bareBytes = lines.map(({ name, path = '' }) => Buffer.byteLength(`- ${name}: (file: ${path})`) + 1);
  const bare = bareBytes.map(tokens);
  const whole = lines.map(({ description }, index) => {
    const more = description === '' ? 0 : Buffer.byteLength(description) + 1;
    return tokens((bareBytes[index] ?? 0) + more);
  });
  const wanted = total(whole);
  if (wanted <= limit)
    return { texts: lines.map(({ description }) => description), costs: whole, used: wanted, wanted };
  if (total(bare) > limit) return { ...keepBare(bare, limit), wanted };

  let left = limit - total(bare);
  const dealt = lines.map(({ description }, index) => ({
    characters: [...description],
    taken: 0,
    bytes: (bareBytes[index] ?? 0) + 1,
    cost: bare[index] ?? 0,
  }));
  for (let changed = true; changed;) {
    changed = false;
    for (const line of dealt) {
      const next = line.characters[line.taken];
      if (next === undefined) continue;
      const bytes = line.bytes + Buffer.byteLength(next);
      const more = tokens(bytes) - line.cost;
      if (more > left) continue;
      left -= more;
      line.taken += 1;
      line.bytes = bytes;
      line.cost += more;
      changed = true;
    }
  }
  const costs = dealt.map(({ cost }) => cost);
  return {
    texts: dealt.map(({ characters, taken }) => characters.slice(0, taken).join('')),
    costs,
    used: total(costs),
    wanted,
  };
}

function keepBare(bare: readonly number[], limit: number): Omit<Cut, 'wanted'> {
  let used = 0;
  const texts = bare.map((cost) => {
    if (used + cost > limit) return undefined;
    used += cost;
    return '';
  });
  return { texts, costs: bare.map((cost, index) => (texts[index] === undefined ? 0 : cost)), used };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
