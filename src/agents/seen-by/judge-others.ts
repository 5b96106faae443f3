/** Judges the copies that an agent does not find. */
import path from 'node:path';
import { foldName } from '../../core/text.ts';
import type { Profile } from '../profile.ts';
import { isListed } from '../status.ts';
import type { Copy, Survey } from '../survey.ts';
import type { Judge, Verdict } from './verdict.ts';

/** Judges the copies that are in none of the agent's folders. */
export function judgeOthers(
  profile: Profile,
  survey: Survey,
  verdicts: ReadonlyMap<Copy, Verdict>,
  judge: Judge,
): void {
  const places = survey.agents.get(profile.id)?.places ?? [];
  const inProject = places.filter((own) => own.inProject);
  // Prefers a shared folder, so that other agents see the skill too.
  const target = inProject.find(({ place }) => place.provider === 'agents') ?? inProject[0] ?? places[0];
  const listed = new Map(
    [...verdicts.values()].filter(({ status }) => isListed(status)).map((each) => [foldName(each.copy.name), each]),
  );
  for (const copy of survey.copies) {
    if (verdicts.has(copy) || copy.builtIn) continue;
    const [first] = copy.sightings;
    if (!first) continue;
    const { place } = first;
    const own = listed.get(foldName(copy.name));
    if (place.package !== undefined && profile.id === 'claude' && place.provider === 'claude') {
      const reason = `it belongs to ${place.package}: ${profile.name} lists it once it touches a file there`;
      judge(copy, 'not-read', 'places', reason, { fix: `Start ${profile.name} in ${place.package}` });
      continue;
    }
    const fix = own
      ? `Replace the copy that it reads, ${path.dirname(own.file)}, or leave it if both are wanted`
      : target === undefined
        ? `lectern setup shows how to serve it to ${profile.name}`
        : `Link or copy the folder to ${target.place.dir + copy.path.slice(copy.path.lastIndexOf(path.sep))}`;
    judge(copy, 'not-read', 'places', `${profile.name} does not read ${place.dir}`, { fix });
  }
}
