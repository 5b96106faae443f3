/** Judges the copies that an agent does not find. */
import path from 'node:path';
import { isInside } from '../../core/inside.ts';
import { quoteForBash } from '../../core/quote-for-bash.ts';
import type { Profile } from '../profile.ts';
import type { Copy, Place, Survey } from '../survey.ts';
import type { Surroundings } from '../surroundings.ts';
import { sharingFixes } from './fixes.ts';
import type { Judge, Verdict } from './verdict.ts';

/** Folders that agents read in addition to their own, often without documenting it. */
const SHARED = ['.agents', '.claude'].map((dir) => path.join(dir, 'skills'));

/**
 * Returns the status of skills in a folder that is not among the agent's places. It is unknown whether an agent that was not
 * observed reads the shared folders, or its own folders above the working folder.
 */
export function unreadStatus(profile: Profile, { dir }: Place, at: Surroundings): 'not-read' | 'unknown' {
  const isObserved = profile.facts.places.source === 'observed';
  const isShared = SHARED.some((below) => dir.endsWith(path.sep + below));
  if (isShared && !isObserved) return 'unknown';
  return (!isObserved || profile.above === 'not-observed') && isAbove(profile, dir, at) ? 'unknown' : 'not-read';
}

/** Returns the reason why Lectern does not read a folder that the settings of the agent add and that contains the skill. */
function whyUnread({ agents }: Survey, { id }: Profile, { sightings }: Copy): string | undefined {
  const unread = agents.get(id)?.settings.added?.filter((each) => each.unread !== undefined) ?? [];
  return unread.find(({ dir }) => sightings.some(({ found }) => isInside(dir, found.dir)))?.unread;
}

/** Whether the folder would be one of the agent's places if the agent were started in a folder above the working folder. */
function isAbove({ places }: Profile, dir: string, { projectDir }: Surroundings): boolean {
  return places.some(({ in: where, below }) => {
    if (where === 'home' || where === 'machine' || !dir.endsWith(path.sep + path.normalize(below))) return false;
    const parent = dir.slice(0, -below.length - 1) || path.sep;
    return parent !== projectDir && isInside(parent, projectDir);
  });
}

function whyUnknown({ name, facts: { places } }: Profile, dir: string): string {
  if (places.source === 'observed') return `whether ${name} reads ${dir} was not observed`;
  const from = places.source === 'documents' ? `the ${places.version}` : `the source code of ${places.version}`;
  return `the folders of ${name} are known only from ${from}: whether it reads ${dir} was not observed`;
}

/** Judges the copies that are in none of the agent's folders, and adds a fix for those that it does not read. */
export function judgeOthers(
  profile: Profile,
  survey: Survey,
  verdicts: ReadonlyMap<Copy, Verdict>,
  judge: Judge,
): void {
  const fixFor = sharingFixes(profile, survey, verdicts);
  for (const { copy, file, status, reason, fix } of verdicts.values()) {
    const sighting = copy.sightings.find(({ found }) => found.file === file);
    if (status === 'not-read' && fix === undefined && sighting)
      judge(copy, status, 'places', reason, { file, fixFor: () => fixFor(copy, sighting) });
  }
  for (const copy of survey.copies) {
    if (verdicts.has(copy) || copy.builtIn) continue;
    const first = copy.sightings.find(({ place }) => place.plugin === undefined) ?? copy.sightings[0];
    if (!first) continue;
    const { place } = first;
    if (place.package !== undefined && profile.id === 'claude' && place.provider === 'claude') {
      const reason = `it belongs to ${place.package}: ${profile.name} lists it once it touches a file there`;
      const folder = path.join(survey.at.projectDir, place.package);
      judge(copy, 'not-read', 'places', reason, { fix: `cd ${quoteForBash(folder)} && claude` });
      continue;
    }
    const unread = whyUnread(survey, profile, copy);
    if (unread !== undefined || unreadStatus(profile, place, survey.at) === 'unknown') {
      judge(copy, 'unknown', 'places', unread ?? whyUnknown(profile, place.dir));
      continue;
    }
    judge(copy, 'not-read', 'places', `${profile.name} does not read ${place.dir}`, {
      fixFor: () => fixFor(copy, first),
    });
  }
}
