/** Remedies for a list that is too long, with the effect of each. Effects are computed by rebuilding the list. */
import type { SettingScope } from './names.ts';
import { type Entry, type Seen, seenBy } from './seen-by.ts';
import { windowRoom } from './seen-by/cut.ts';
import { SETTING_FILES, scopeOf, settingFiles, type SettingsKind } from './setting-files.ts';
import type { AgentSettings, Switch } from './settings.ts';
import type { Copy, Survey } from './survey.ts';

/** Counts the skills of a list by how much of their description is shown. */
export interface Effect {
  /** Listed with the full description. */
  kept: number;
  shortened: number;
  nameOnly: number;
  /** Not listed because the list is full. */
  dropped: number;
  /** Estimated tokens that each session needs in addition. Negative if it needs fewer. */
  tokens: number;
}

export const REMEDY_IDS = ['limit', 'built-in', 'shorten', 'unused'] as const;

export interface Remedy extends Effect {
  id: (typeof REMEDY_IDS)[number];
  /** The remedy in one sentence, without a final period. */
  fix: string;
  /** The command that applies the remedy, or lists the manual steps. */
  command?: string;
  setting?: { file: string; key: string; value: number | boolean };
  /** Number of additional skills that are listed with their full description. */
  gains: number;
  /** For `limit`: fraction of the model's window. */
  share?: number;
  /** For `shorten`: the length in characters, and the number of longer descriptions. For `unused`: the days and the skills. */
  to?: number;
  skills?: number;
}

/** Skills that were not loaded for some days, with the settings that would disable them. */
export interface Unused {
  days: number;
  switches: readonly Switch[];
}

/** The current list of an agent, and everything that determines it. */
export interface Listing {
  now: Seen;
  survey: Survey;
  settings: AgentSettings;
  /** Context window of the model, if it is not the default. */
  window?: number | undefined;
}

export function isFull({ budget: { limit, wanted } }: Seen): boolean {
  return limit !== null && wanted > limit;
}

/** A remedy with the list that it results in. */
export interface AppliedRemedy {
  remedy: Remedy;
  after: Seen;
}

/** Returns the remedies that show more than now, best first. Empty if everything fits. */
export function remedies(listing: Listing, unused?: Unused): AppliedRemedy[] {
  const { now } = listing;
  if (!isFull(now)) return [];
  const found = [limitRemedy(listing), builtInRemedy(listing), shortenRemedy(listing), unusedRemedy(listing, unused)];
  const before = rankOf(now);
  return found
    .flatMap((step) => (step ? { step, rank: rankOf(step.after) } : []))
    .filter(({ step, rank }) => isBetter(rank, before) || (step.id === 'unused' && gainsIn(step.after, now) > 0))
    .sort((a, b) => (isBetter(a.rank, b.rank) ? -1 : isBetter(b.rank, a.rank) ? 1 : 0))
    .map(({ step: { after, ...remedy } }) => {
      const effect = effectOf(after, now);
      // Disabling skills leaves fewer to describe, so only those that remain count.
      const gains = remedy.id === 'unused' ? gainsIn(after, now) : effect.kept - effectOf(now, now).kept;
      return { remedy: { ...remedy, gains, ...effect }, after };
    });
}

/** Number of skills that get their full description and did not have it before. */
function gainsIn(after: Seen, before: Seen): number {
  return [...after.verdicts.values()].filter(
    ({ copy, status }) => !copy.builtIn && status === 'seen' && before.verdicts.get(copy)?.status !== 'seen',
  ).length;
}

type Step = Omit<Remedy, 'gains' | keyof Effect> & { after: Seen };

/** Compared in order: full descriptions, listed skills, characters of descriptions. */
function rankOf(seen: Seen): readonly [number, number, number] {
  const own = seen.entries.filter(({ verdict }) => verdict !== undefined);
  return [effectOf(seen, seen).kept, own.length, own.reduce((sum, { text }) => sum + text.length, 0)];
}

function isBetter(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** Counts the skills like `lectern agents`. `before` is the list to compare the size with. */
export function effectOf(seen: Seen, before: Seen): Effect {
  const counts = { kept: 0, shortened: 0, nameOnly: 0, dropped: 0 };
  for (const { copy, status } of seen.verdicts.values()) {
    if (copy.builtIn) continue;
    if (status === 'seen') counts.kept += 1;
    if (status === 'shortened') counts.shortened += 1;
    if (status === 'name-only') counts.nameOnly += 1;
    if (status === 'dropped') counts.dropped += 1;
  }
  const more = seen.budget.used - before.budget.used;
  return { ...counts, tokens: seen.budget.unit === 'tokens' ? more : Math.ceil(more / CHARACTERS_PER_TOKEN) };
}

/** An estimate, because the tokenizer is not known. */
const CHARACTERS_PER_TOKEN = 4;

function again({ now, survey, settings, window }: Listing, more: Partial<AgentSettings>): Seen {
  return seenBy(now.profile, survey, { ...settings, ...more }, window);
}

/** The value of the agent's own setting for a list of this length, and where it is set. */
export interface LimitSetting {
  scope: SettingScope;
  file: string;
  key: string;
  value: number;
  /** Length of the list with this value. */
  limit: number;
}

/**
 * Returns the setting for a length in the agent's unit, or for a list with all descriptions. Undefined if the agent has no such
 * setting or if it has no effect here.
 */
export function limitSetting(
  { now, survey, settings, window }: Listing,
  wanted: number | 'all',
  asked?: SettingScope,
): LimitSetting | undefined {
  const { profile, budget } = now;
  const kind = profile.settings;
  const own = kind && SETTING_FILES[kind]?.limit;
  if (!kind || !own || (settings.limitedBy && 'variable' in settings.limitedBy)) return undefined;
  const scope = asked ?? scopeFor(kind, survey, settings);
  const [file] = settingFiles(kind, scope, survey.at);
  if (file === undefined) return undefined;
  const length = wanted === 'all' ? budget.wanted : wanted;
  const place = { scope, file, key: own.keys.join('.') };
  if (budget.unit === 'tokens') {
    const value = Math.min(own.max ?? length, length);
    return { ...place, value, limit: value };
  }
  const room = windowRoom(profile, settings, window);
  // Fewer digits are easier to read. A requested length gets more precision.
  const steps = wanted === 'all' ? 1_000 : 1_000_000;
  let value = Math.ceil((length / room) * steps) / steps;
  // Rounding must not cost a character.
  if (Math.floor(room * value + 1e-6) < length) value = Math.round((value + 1 / steps) * steps) / steps;
  return { ...place, value, limit: Math.floor(room * value + 1e-6) };
}

/** A project's settings override the user's, so an existing value is changed in its own file. */
function scopeFor(kind: SettingsKind, survey: Survey, { limitedBy }: AgentSettings): SettingScope {
  return (limitedBy && 'file' in limitedBy && scopeOf(kind, limitedBy.file, survey.at)) || 'user';
}

function limitRemedy(listing: Listing): Step | undefined {
  const { now, settings, survey, window } = listing;
  const { profile, budget } = now;
  if (settings.limitedBy && 'variable' in settings.limitedBy) {
    const { variable } = settings.limitedBy;
    const fix = `Set ${variable}=${budget.wanted} in the environment of ${profile.name}`;
    return { id: 'limit', fix, after: again(listing, { limit: budget.wanted }) };
  }
  const setting = limitSetting(listing, 'all');
  if (!setting) return undefined;
  const { scope, file, key, value, limit } = setting;
  const isFraction = budget.unit === 'characters';
  const words = [
    'lectern fit',
    profile.id,
    '--limit all',
    ...(scope === 'user' ? [] : [`--scope ${scope}`]),
    ...(window === undefined ? [] : [`--window ${window}`]),
  ];
  return {
    id: 'limit',
    fix: isFraction ? `Set "${key}": ${value} in ${file}` : `Set ${key} = ${value} in ${file}`,
    command: words.join(' '),
    setting: { file, key, value },
    share: limit / windowRoom(profile, settings, window),
    after: seenBy(
      profile,
      survey,
      { ...settings, ...(isFraction ? { fraction: value, limit: undefined } : { limit: value }) },
      window,
    ),
  };
}

function builtInRemedy(listing: Listing): Step | undefined {
  const { now, settings, survey } = listing;
  const [file] = settingFiles('claude', 'user', survey.at);
  if (now.profile.settings !== 'claude' || settings.withoutBuiltIn || file === undefined) return undefined;
  return {
    id: 'built-in',
    fix: `Set "disableBundledSkills": true in ${file}`,
    setting: { file, key: 'disableBundledSkills', value: true },
    after: again(listing, { withoutBuiltIn: true }),
  };
}

/** Lengths to which descriptions are shortened. Round numbers are easier to remember. */
const LENGTHS = [20, 30, 40, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 800, 1_000, 1_250] as const;
/** Used if not even the shortest descriptions would fit. */
const SHORT_CHARACTERS = 100;

export interface Shortening {
  /** Maximum length of a description. */
  to: number;
  after: Seen;
}

/** Finds the longest length at which all descriptions fit. */
export function shortening(listing: Listing): Shortening {
  const at = (to: number): Shortening => ({ to, after: again(listing, { ownMax: to }) });
  let best: Shortening | undefined;
  let low = 0;
  let high = LENGTHS.length - 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const tried = at(LENGTHS[middle] ?? SHORT_CHARACTERS);
    if (isFull(tried.after)) high = middle - 1;
    else {
      best = tried;
      low = middle + 1;
    }
  }
  return best ?? at(SHORT_CHARACTERS);
}

function shortenRemedy(listing: Listing): Step {
  const { to, after } = shortening(listing);
  const window = listing.window === undefined ? '' : ` --window ${listing.window}`;
  return {
    id: 'shorten',
    fix: `Shorten every description to ${to} characters`,
    command: `lectern fit ${listing.now.profile.id} --shorten${window}`,
    to,
    skills: toShorten(listing, to).length,
    after,
  };
}

/** A description above the maximum length. */
export interface LongDescription {
  entry: Entry | undefined;
  copy: Copy;
  file: string;
  /** The whole description, as the agent would list it without any limit. */
  description: string;
  /** The part of it that the model gets now. */
  shown: string;
}

/** Returns the skills whose description is longer than `to`, longest first. */
export function toShorten({ now, survey, settings, window }: Listing, to: number): LongDescription[] {
  const unlimited = seenBy(
    { ...now.profile, budget: { ...now.profile.budget, kind: 'none' } },
    survey,
    { ...settings, entryMax: Number.MAX_SAFE_INTEGER },
    window,
  );
  const entries = new Map(now.entries.map((entry) => [entry.verdict?.copy, entry]));
  return unlimited.entries
    .flatMap(({ verdict, text }): LongDescription[] => {
      if (!verdict || text.length <= to) return [];
      const entry = entries.get(verdict.copy);
      return [{ entry, copy: verdict.copy, file: verdict.file, description: text, shown: entry?.text ?? '' }];
    })
    .sort((a, b) => b.description.length - a.description.length);
}

/** Returns the words of a description that the model does not get, from the first word that is cut. */
export function lostWords({ description, shown }: Pick<LongDescription, 'description' | 'shown'>): string {
  if (shown === description) return '';
  // The agent may have put a mark at the end.
  let start = description.startsWith(shown) ? shown.length : Math.max(0, shown.length - 3);
  const isInWord = (at: number): boolean => at > 0 && !/\s/u.test(description.charAt(at - 1));
  if (!/\s/u.test(description.charAt(start))) while (isInWord(start)) start -= 1;
  return description.slice(start).trim();
}

function unusedRemedy(listing: Listing, unused: Unused | undefined): Step | undefined {
  if (!unused || unused.switches.length === 0) return undefined;
  const { days, switches } = unused;
  return {
    id: 'unused',
    fix: `Disable the ${switches.length} skills that were not loaded in ${days} days`,
    command: `lectern fit ${listing.now.profile.id} --unused ${days}`,
    skills: switches.length,
    after: again(listing, { switches: [...listing.settings.switches, ...switches] }),
  };
}
