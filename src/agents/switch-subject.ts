import type { Profile } from './profile.ts';
import { readAs } from './read-as.ts';
import type { Seen, Verdict } from './seen-by.ts';
import type { Copy } from './survey.ts';
import type { SwitchTarget } from './switch-text.ts';

/** A copy that an agent's own setting can disable or enable. */
export interface Subject {
  copy: Copy;
  verdict: Verdict;
  target: SwitchTarget;
}

/** Returns the copy as the agent's settings name it. Undefined if its settings do not apply to the copy. */
export function subjectFor(profile: Profile, { verdicts }: Seen, copy: Copy): Subject | undefined {
  const verdict = verdicts.get(copy);
  if (!verdict || verdict.status === 'broken' || copy.builtIn) return undefined;
  if (verdict.status === 'not-read') return undefined;
  const sighting = copy.sightings.find(({ found }) => found.file === verdict.file) ?? copy.sightings[0];
  if (!sighting || sighting.place.plugin) return undefined;
  const read = readAs(profile.reading, copy.facts, verdict.file, undefined);
  if (read.kind !== 'listed') return undefined;
  return { copy, verdict, target: { name: read.name, files: [sighting.found.realFile, verdict.file] } };
}
