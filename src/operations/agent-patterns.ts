/** Groups the skills of the agent matrix: those with the same statuses and folders are one pattern. */
import { shareCommand, shareManyCommand } from '../agents/commands.ts';
import { isListed, type Status } from '../agents/status.ts';
import { pageFrom } from '../core/cursor.ts';
import type { ObjectOf } from '../core/fields/field.ts';
import { compareText } from '../core/text.ts';
import type { GAP, MatrixRow, PATTERN } from './agent-pattern-shapes.ts';

interface Pattern {
  rows: MatrixRow[];
  statuses: readonly Status[];
  folders: readonly string[];
  marketplaces: readonly string[];
  hasVersions: boolean;
}

/** Patterns on one page, and skills that one pattern names. More would be too much for a page. */
const PATTERNS_SHOWN = 25;
const SKILLS_SHOWN = 30;
/** Skills in the command of a gap. A longer command line is hard to check. */
const SHARED_MAX = 40;

function patternOf({ copies, verdicts, hasVersions }: MatrixRow): Omit<Pattern, 'rows'> {
  const places = copies.flatMap(({ sightings }) => sightings.map(({ place }) => place));
  const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort(compareText);
  return {
    statuses: verdicts.map((verdict) => verdict?.status ?? 'not-read'),
    folders: distinct(places.flatMap(({ dir, plugin }) => (plugin === undefined ? [dir] : []))),
    marketplaces: distinct(
      places.flatMap(({ plugin }) =>
        plugin === undefined ? [] : [plugin.id.slice(plugin.plugin.length + 1) || plugin.plugin],
      ),
    ),
    hasVersions,
  };
}

/** Returns the patterns of the rows, largest first. */
export function patternsOf(rows: readonly MatrixRow[]): Pattern[] {
  const patterns = new Map<string, Pattern>();
  for (const row of rows) {
    const pattern = patternOf(row);
    const key = JSON.stringify(pattern);
    const known = patterns.get(key);
    if (known) known.rows.push(row);
    else patterns.set(key, { ...pattern, rows: [row] });
  }
  return [...patterns.values()].sort((a, b) => b.rows.length - a.rows.length);
}

/** Returns the rows with the pattern of a row. */
export function sameAs(row: MatrixRow, rows: readonly MatrixRow[]): MatrixRow[] {
  const keyOf = (each: MatrixRow): string => JSON.stringify(patternOf(each));
  const key = keyOf(row);
  return rows.filter((each) => keyOf(each) === key);
}

export function describePatterns(
  patterns: readonly Pattern[],
  agents: readonly string[],
  { limit = PATTERNS_SHOWN, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): { patterns: ObjectOf<typeof PATTERN>[]; nextCursor?: string } {
  const { page, ...next } = pageFrom(patterns, { limit, cursor });
  return {
    patterns: page.map((pattern) => ({
      status: Object.fromEntries(agents.map((id, index) => [id, pattern.statuses[index] ?? 'unknown'])),
      ...placesOf(pattern),
      ...(pattern.hasVersions ? { versions: true } : {}),
      total: pattern.rows.length,
      skills: pattern.rows.slice(0, SKILLS_SHOWN).map(({ copies: [{ name, fullName, path }] }) => ({
        name,
        fullName,
        path,
      })),
    })),
    ...next,
  };
}

function placesOf({ folders, marketplaces }: Pattern): Pick<ObjectOf<typeof PATTERN>, 'folders' | 'marketplaces'> {
  return { folders: [...folders], ...(marketplaces.length === 0 ? {} : { marketplaces: [...marketplaces] }) };
}

/** Finds the most skills that some agents list and others do not read, if `lectern share` can change that. */
export function largestGap(patterns: readonly Pattern[], agents: readonly string[]): { gap?: ObjectOf<typeof GAP> } {
  for (const pattern of patterns) {
    const { rows, statuses } = pattern;
    const indexes = agents.map((_, index) => index);
    const seenBy = indexes.filter((index) => isListed(statuses[index]));
    const [first] = rows;
    if (seenBy.length === 0 || !first) continue;
    const missing = indexes.filter(
      (index) => statuses[index] === 'not-read' && sharedAs(first, index, agents) !== undefined,
    );
    // A skill that needs more than sharing is left out.
    const shareable = rows.flatMap((row) => {
      const [one, ...others] = missing.map((index) => sharedAs(row, index, agents));
      return one !== undefined && others.every((other) => other === one) ? [one] : [];
    });
    if (shareable.length === 0) continue;
    const [ids, listing] = [missing, seenBy].map((some) => some.flatMap((index) => agents[index] ?? []));
    const named = shareable.slice(0, SHARED_MAX);
    return {
      gap: {
        total: rows.length,
        ...placesOf(pattern),
        seenBy: listing ?? [],
        agents: ids ?? [],
        command: shareManyCommand(named, ids ?? []),
        shared: named.length,
      },
    };
  }
  return {};
}

/** Returns the name or folder with which a skill can be shared with an agent. Undefined if its fix is another one. */
function sharedAs({ copies, verdicts }: MatrixRow, index: number, agents: readonly string[]): string | undefined {
  const { fix } = verdicts[index] ?? {};
  const readings = copies.flatMap(({ name, path }) => [name, path]);
  return readings.find((reading) => fix === shareCommand(reading, agents[index] ?? ''));
}
