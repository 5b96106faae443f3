/** Collects everything that remedies depend on: the agent's list, its settings, and skills that are not used. */
import type { Profile } from '../agents/profile.ts';
import { type AppliedRemedy, isFull, type Listing, type Remedy, remedies, type Unused } from '../agents/remedies.ts';
import type { Seen } from '../agents/seen-by.ts';
import { SETTING_FILES, switchKey } from '../agents/setting-files.ts';
import { isListed } from '../agents/status.ts';
import type { Reader } from '../workspace/reader.ts';
import { settingsOf, type Surveyed } from './agent-shapes.ts';
import { type Subject, subjectFor } from '../agents/switch-subject.ts';
import { loadsIn } from './usage.ts';

/** Caches remedies, because computing each of them takes a while for a long list. */
const computed = new WeakMap<Seen, AppliedRemedy[]>();

/** Number of days without a load after which a remedy suggests disabling a skill. */
const UNUSED_DAYS = 30;

export function listingOf(surveyed: Surveyed, profile: Profile, window: number | undefined): Listing {
  const { survey } = surveyed;
  return { now: surveyed.seen(profile, window), survey, settings: settingsOf(survey, profile), window };
}

export async function remediesFor(
  workspace: Reader,
  surveyed: Surveyed,
  profile: Profile,
  window: number | undefined,
): Promise<Remedy[]> {
  return (await appliedRemedies(workspace, surveyed, profile, window)).map(({ remedy }) => remedy);
}

/** Returns each remedy with the list that it results in. */
export async function appliedRemedies(
  workspace: Reader,
  surveyed: Surveyed,
  profile: Profile,
  window: number | undefined,
): Promise<AppliedRemedy[]> {
  const listing = listingOf(surveyed, profile, window);
  const known = computed.get(listing.now) ?? remedies(listing, await unusedFor(workspace, surveyed, listing));
  computed.set(listing.now, known);
  return known;
}

/** Suggests skills only if loads were counted during the whole period. */
async function unusedFor(workspace: Reader, surveyed: Surveyed, { now }: Listing): Promise<Unused | undefined> {
  const { profile } = now;
  const form = profile.settings && SETTING_FILES[profile.settings]?.form;
  if (!form || !isFull(now) || !workspace.snapshot.settings.usage.value) return undefined;
  const { first, from, subjects } = await findUnused(workspace, surveyed, profile, UNUSED_DAYS);
  if (first === undefined || first > from) return undefined;
  return {
    days: UNUSED_DAYS,
    switches: subjects.map(({ target: { name, files } }) => ({
      match: form.kind === 'table' ? { file: files[0] } : { name },
      state: 'off',
      file: '',
      key: switchKey(form, name),
    })),
  };
}

interface UnusedSkills {
  /** The first day with a count. */
  first: string | undefined;
  /** The first day of the period. */
  from: string;
  subjects: Subject[];
}

/** Finds the skills in an agent's list that were not loaded in the last days, neither through Lectern nor by its own record. */
export async function findUnused(
  workspace: Reader,
  surveyed: Surveyed,
  profile: Profile,
  days: number,
): Promise<UnusedSkills> {
  const { loads, counts, from = '' } = await loadsIn(workspace, days);
  const [first] = [...counts.keys()].sort();
  const { lastUsed } = settingsOf(surveyed.survey, profile);
  const since = Date.now() - days * DAY_MS;
  const subjects = surveyed.survey.copies.flatMap((copy) => {
    const subject = subjectFor(profile, surveyed.seen(profile), copy);
    if (!subject) return [];
    const { verdict } = subject;
    if (!isListed(verdict.status) && verdict.status !== 'dropped') return [];
    const isLoaded = copy.sightings.some(({ found }) => loads.has(found.dir));
    const isUsed = (lastUsed?.get(subject.target.name) ?? Number.NEGATIVE_INFINITY) >= since;
    return isLoaded || isUsed ? [] : [subject];
  });
  return { first, from, subjects };
}

const DAY_MS = 24 * 60 * 60 * 1000;
