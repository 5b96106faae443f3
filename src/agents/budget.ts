/** Computes exactly how a list is cut to fit its budget. Pure functions. */
import { widthOf } from '../core/columns.ts';

/** A line of a list. */
export interface Line {
  name: string;
  description: string;
  /** First line of the description, if a long list has only that. */
  firstLine?: string | undefined;
  /** The line is never shortened. */
  fixed: boolean;
  /** Lines with a higher weight get their description first. Ties keep the order of the list. */
  weight: number;
  /** File path or location as shown in the list. */
  path?: string;
}

export interface Cut {
  /** Remaining text of each description. Undefined for a dropped line. */
  texts: (string | undefined)[];
  /** Cost of each line in the unit of the budget. */
  costs: number[];
  /** Cost of each line with its full description. */
  wholes: number[];
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
  if (sum <= limit)
    return { texts: lines.map(({ description }) => description), costs: whole, wholes: whole, used: sum, wanted: sum };
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
  return { texts, costs, wholes: whole, used, wanted: sum };
}

/**
 * Copilot CLI: entries are listed in full as long as they fit with their line breaks. From the first entry that does not fit, only
 * names are listed, which do not count. Names have a limit of their own, and from the first one that does not fit, nothing is listed.
 */
export function firstWhole(lines: readonly Line[], limit: number, nameLimit = Infinity): Cut {
  const wholes = lines.map(entryCharacters);
  let used = 0;
  let end = 0;
  while (end < lines.length && used + (wholes[end] ?? 0) <= limit) used += wholes[end++] ?? 0;
  let named = end;
  let left = nameLimit;
  while (named < lines.length && (left -= nameCharacters(lines[named], named === end)) >= 0) named += 1;
  return {
    texts: lines.map(({ description }, index) => (index < end ? description : index < named ? '' : undefined)),
    costs: wholes.map((cost, index) => (index < end ? cost : 0)),
    wholes,
    used,
    wanted: total(wholes),
  };
}

/** Qwen Code: if the whole list is longer than `limit`, it has only the first line of every description. It may still be longer. */
export function firstLines(lines: readonly Line[], limit: number): Cut {
  const cost = ({ name, path = '' }: Line, description: string): number => {
    const entry = `<skill>\n<name>\n${name}\n</name>\n<description>\n${description} (${path})\n</description>\n<location>\n${path}\n</location>\n</skill>\n`;
    return entry.length + escapedMore(name) + escapedMore(description);
  };
  const wholes = lines.map((line) => cost(line, line.description));
  // The last entry has no line break.
  const wanted = total(wholes) - 1;
  if (wanted <= limit)
    return { texts: lines.map(({ description }) => description), costs: wholes, wholes, used: wanted, wanted };
  const texts = lines.map(({ description, firstLine = description }) => firstLine);
  const costs = lines.map((line, index) => cost(line, texts[index] ?? ''));
  return { texts, costs, wholes, used: total(costs) - 1, wanted };
}

/** Returns the length of a name with the comma before it. */
function nameCharacters(line: Line | undefined, isFirst: boolean): number {
  return (line?.name.length ?? 0) + (isFirst ? 0 : ', '.length);
}

/** Returns the length of an entry in markup, with its line breaks. */
function entryCharacters({ name, description, path = '' }: Line): number {
  const entry = `<skill>\n  <name>${name}</name>\n  <description>${description}</description>\n  <location>${path}</location>\n</skill>\n`;
  return entry.length + escapedMore(name) + escapedMore(description);
}

/** Returns the number of characters that escaping adds to a text in markup. */
function escapedMore(text: string): number {
  let more = 0;
  for (const [character] of text.matchAll(/[&<>"']/gu)) more += ESCAPED_MORE[character] ?? 0;
  return more;
}

const ESCAPED_MORE: Readonly<Record<string, number>> = { '&': 4, '<': 3, '>': 3, '"': 5, "'": 5 };

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
    return { texts: lines.map(({ description }) => description), costs: whole, wholes: whole, used: wanted, wanted };
  if (total(bare) > limit) return { ...keepBare(bare, limit), wholes: whole, wanted };

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
    wholes: whole,
    used: total(costs),
    wanted,
  };
}

function keepBare(bare: readonly number[], limit: number): Omit<Cut, 'wanted' | 'wholes'> {
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
