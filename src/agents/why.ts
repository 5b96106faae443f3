/** Explains why an agent does or does not use a skill: the verdict and the folders it searched. */
import path from 'node:path';
import { foldName } from '../core/text.ts';
import type { Seen, Verdict } from './seen-by.ts';
import type { Status } from './status.ts';
import type { Copy, Survey } from './survey.ts';

export interface Link {
  place: string;
  path: string;
  /** True if the folder contains a copy of the skill. */
  found: boolean;
  /** True if the agent lists this copy. */
  used: boolean;
}

export interface Because {
  verdict: Verdict;
  /** True if the agent uses another copy with the same text. */
  isIdentical: boolean;
  chain: Link[];
}

/**
 * Finds copies by name, full name, `plugin:name`, or path of a folder or file. Of several readings of a request, the first one
 * with a copy counts. `isExact` is true if one copy is identified.
 */
export function copiesNamed(survey: Survey, readings: readonly string[]): { copies: Copy[]; isExact: boolean } {
  for (const reading of readings) {
    const named = copiesCalled(survey, reading);
    if (named.copies.length > 0) return named;
  }
  return { copies: [], isExact: false };
}

function copiesCalled(survey: Survey, asked: string): { copies: Copy[]; isExact: boolean } {
  const own = survey.copies.filter(({ builtIn }) => !builtIn);
  if (path.isAbsolute(asked)) {
    const place = path.resolve(asked);
    const at = own.filter(({ sightings }) =>
      sightings.some(({ found }) => found.dir === place || found.file === place),
    );
    return { copies: at, isExact: true };
  }
  const wanted = foldName(asked.trim());
  const byFullName = own.filter((copy) => foldName(copy.fullName) === wanted);
  if (byFullName.length > 0) return { copies: byFullName, isExact: byFullName.length === 1 };
  const byName = own.filter(({ name }) => foldName(name) === wanted);
  if (byName.length > 0) return { copies: byName, isExact: false };
  return { copies: own.filter((copy) => namesOf(copy).some((name) => foldName(name) === wanted)), isExact: false };
}

/** Returns every name that identifies a copy. */
export function namesOf({ name, path: dir, sightings }: Copy): string[] {
  const plugins = sightings.flatMap(({ place }) => place.plugin?.plugin ?? []);
  return [name, path.basename(dir), ...plugins.map((plugin) => `${plugin}:${name}`)];
}

/** Best first. Unknown precedes the statuses in which the agent certainly does not use the skill. */
const BEST_FIRST: readonly Status[] = [
  'seen',
  'shortened',
  'other-text',
  'name-only',
  'manual-only',
  'unknown',
  'dropped',
  'other-copy',
  'disabled',
  'broken',
  'not-read',
];

/**
 * Returns the verdict about a name: the best verdict of its copies. Ties prefer an enabled copy. A copy that lost
 * against another of them does not matter, because the verdict about the winner explains more.
 */
export function bestVerdict({ verdicts }: Seen, copies: readonly Copy[]): Verdict | undefined {
  const own = new Set(copies);
  const open = copies.flatMap((copy) => verdicts.get(copy) ?? []).filter(({ winner }) => !winner || !own.has(winner));
  const rank = ({ status, copy }: Verdict): number =>
    BEST_FIRST.indexOf(status) * 2 + (copy.sightings[0]?.found.disabled ? 1 : 0);
  return open.reduce<Verdict | undefined>((best, each) => (best && rank(best) <= rank(each) ? best : each), undefined);
}

/** Explains the verdict of one agent about a name, or about one copy. */
export function because(
  seen: Seen,
  survey: Survey,
  copies: readonly Copy[],
  areSame: (a: Copy, b: Copy) => boolean,
): Because | undefined {
  const places = survey.agents.get(seen.profile.id)?.places ?? [];
  const verdict = bestVerdict(seen, copies);
  if (!verdict) return undefined;
  const { winner, status, copy } = verdict;
  const used = new Set(seen.entries.flatMap(({ verdict }) => verdict?.copy ?? []));
  return {
    verdict,
    isIdentical: status === 'other-copy' && Boolean(winner && areSame(copy, winner)),
    chain: places
      .filter(({ place }) => place.builtIn === undefined)
      .map(({ place }) => {
        const here = copies.filter((copy) => copy.sightings.some((sighting) => sighting.place === place));
        return {
          place: place.plugin === undefined ? place.location : `plugin ${place.plugin.plugin}`,
          path: place.dir,
          found: here.length > 0,
          used: here.some((copy) => used.has(copy) && seen.verdicts.get(copy)?.winner === undefined),
        };
      }),
  };
}

/** Groups copies by name, in the order of the first copy of each name. */
export function groupedByName(copies: readonly Copy[]): [Copy, ...Copy[]][] {
  const groups = new Map<string, [Copy, ...Copy[]]>();
  for (const copy of copies) {
    const key = foldName(copy.name);
    const group = groups.get(key);
    if (group) group.push(copy);
    else groups.set(key, [copy]);
  }
  return [...groups.values()];
}
