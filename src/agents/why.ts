/** Explains why an agent does or does not use a skill: the verdict and the folders it searched. */
import path from 'node:path';
import { foldName } from '../core/text.ts';
import type { Seen, Verdict } from './seen-by.ts';
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
  chain: Link[];
}

/** Finds copies by name, full name, `plugin:name`, or path of a folder or file. `isExact` is true if one copy is identified. */
export function copiesNamed(survey: Survey, asked: string): { copies: Copy[]; isExact: boolean } {
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
  return { copies: own.filter((copy) => namesOf(copy).some((name) => foldName(name) === wanted)), isExact: false };
}

/** Returns every name that identifies a copy. */
export function namesOf({ name, path: dir, sightings }: Copy): string[] {
  const plugins = sightings.flatMap(({ place }) => place.plugin?.plugin ?? []);
  return [name, path.basename(dir), ...plugins.map((plugin) => `${plugin}:${name}`)];
}

/** Returns the copy that users expect an agent to use: project before user, among the copies that the agent reads. */
export function expectedCopy(survey: Survey, agent: string, copies: readonly Copy[]): Copy | undefined {
  if (copies.length === 1) return copies[0];
  const places = survey.agents.get(agent)?.places ?? [];
  const isRead = (copy: Copy): boolean => copy.sightings.some(({ place }) => places.some((own) => own.place === place));
  const isOfProject = (copy: Copy): boolean => copy.sightings.some(({ place }) => place.location === 'project');
  return copies.find((copy) => isRead(copy) && isOfProject(copy)) ?? copies.find(isRead) ?? copies[0];
}

/** Explains the verdict of one agent. If a short name matches several copies, the expected copy is explained. */
export function because(
  seen: Seen,
  survey: Survey,
  copies: readonly Copy[],
  areSame: (a: Copy, b: Copy) => boolean,
): Because | undefined {
  const places = survey.agents.get(seen.profile.id)?.places ?? [];
  const expected = expectedCopy(survey, seen.profile.id, copies);
  const found = expected && seen.verdicts.get(expected);
  if (!found) return undefined;
  // A copy with the same text in another folder is equivalent.
  const winner = found.winner ?? undefined;
  const isTwin = found.status === 'other-copy' && winner !== undefined && areSame(found.copy, winner);
  const listed = isTwin ? (seen.verdicts.get(winner) ?? found) : found;
  const used = new Set(seen.entries.flatMap(({ verdict }) => verdict?.copy ?? []));
  return {
    verdict: listed,
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
