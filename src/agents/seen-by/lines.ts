/** Turns the chosen copies into the lines of an agent’s list, in its order. Frontmatter and settings may hide a skill. */
import path from 'node:path';
import { quoteForBash } from '../../core/quote-for-bash.ts';
import { compareText } from '../../core/text.ts';
import { wildcard } from '../../core/wildcard.ts';
import type { ManualForm, Profile } from '../profile.ts';
import { SETTING_FILES } from '../setting-files.ts';
import type { AgentSettings, Switch } from '../settings.ts';
import type { Status } from '../status.ts';
import type { Survey } from '../survey.ts';
import type { Candidate, Judge, Listed, Verdict } from './verdict.ts';

/** Returns the line of a skill, unless its frontmatter or a setting hides it. */
export function listedAs(
  profile: Profile,
  candidate: Candidate,
  settings: AgentSettings,
  switchFor: (candidate: Candidate) => Switch | undefined,
  judge: Judge,
): Listed[] {
  const { copy, found, read, name, at } = candidate;
  const { file } = found;
  const keys = copy.facts.data;
  const hide = (status: Status, reason: string, fix?: string): Listed[] => {
    judge(copy, status, 'settings', reason, { file, ...(fix === undefined ? {} : { fix }) });
    return [];
  };
  // Claude Code does not apply overrides to plugin skills.
  const turned = settings.undecided || at.place.plugin ? undefined : switchFor(candidate);
  if (turned?.state === 'off')
    return hide('disabled', `${turned.key} switches it off`, switchFix(profile, candidate, turned));
  const manual = manualOf(profile, keys['disable-model-invocation']);
  if (manual === 'honored') return hide('manual-only', 'it has disable-model-invocation: only a person can start it');
  if (manual === 'unknown') {
    const isObserved = profile.manualForms !== undefined;
    const reason = isObserved
      ? `it has disable-model-invocation, and whether ${profile.name} honors this spelling was not observed`
      : `it has disable-model-invocation, and whether ${profile.name} honors that is not documented`;
    return hide('unknown', reason, isObserved ? `Write disable-model-invocation: true in ${file}` : undefined);
  }
  if (profile.paths !== 'ignored' && hasPaths(keys['paths'], profile.hidesAllPaths)) {
    return profile.paths === 'honored'
      ? hide('manual-only', 'it has paths: it is listed once a matching file is touched', `Delete paths in ${file}`)
      : hide(
          'unknown',
          `it has paths, and whether ${profile.name} honors that is not documented`,
          `Delete paths in ${file}`,
        );
  }
  if (at.place.plugin && !read.isDescribed)
    return hide(
      'manual-only',
      `${profile.name} lists the skills of plugins only if they have a description`,
      `Add a description: ${file}`,
    );
  if (profile.id === 'codex' && !copy.implicitForCodex)
    return hide(
      'manual-only',
      'agents/openai.yaml has allow_implicit_invocation: false',
      `Delete it in ${path.join(found.dir, 'agents/openai.yaml')}`,
    );
  if (settings.undecided) return hide('unknown', settings.undecided.reason, settings.undecided.fix);
  if (turned?.state === 'manual')
    return hide('manual-only', `${turned.key} leaves it to people`, `Delete ${turned.key} in ${turned.file}`);
  const nameOnly = turned?.state === 'name-only' ? turned : undefined;
  const description = nameOnly ? '' : read.description;
  const weight = settings.usage.get(candidate.key) ?? 0;
  return [
    {
      candidate,
      nameOnly,
      line: { name: nameOnly ? candidate.key : name, description, firstLine: read.firstLine, fixed: false, weight },
    },
  ];
}

/** Returns the command that removes a setting, or the place of a setting that Lectern does not write. */
function switchFix({ id, settings }: Profile, { found, read }: Candidate, { scope, key, file, match }: Switch): string {
  if (scope === undefined || settings === undefined) return `Delete ${key} in ${file}`;
  const isDefault = scope === SETTING_FILES[settings]?.scopes[0];
  const subject = 'file' in match ? found.dir : read.name;
  return `lectern enable ${quoteForBash(subject)} --for ${id}${isDefault ? '' : ` --scope ${scope}`}`;
}

/** A setting that disables a name applies to every copy with that name, not only to the one that the agent would use. */
export function disableOtherCopies(
  { copies }: Profile,
  candidates: readonly Candidate[],
  winners: readonly Candidate[],
  verdictOn: (candidate: Candidate) => Pick<Verdict, 'status' | 'reason' | 'fix'> | undefined,
  judge: Judge,
): void {
  if (copies === 'all') return;
  const off = new Map(
    winners.flatMap((winner) => {
      const verdict = verdictOn(winner);
      return verdict?.status === 'disabled' ? [[winner.key, { winner, verdict }]] : [];
    }),
  );
  for (const { key, copy, found, at } of candidates) {
    const same = off.get(key);
    if (!same || same.winner.copy === copy || at.place.plugin) continue;
    const { reason, fix } = same.verdict;
    judge(copy, 'disabled', 'settings', reason, { file: found.file, ...(fix === undefined ? {} : { fix }) });
  }
}

/** Returns the effect of `disable-model-invocation` with this value. */
function manualOf({ manual, manualForms }: Profile, value: unknown): Profile['manual'] {
  const form = trueForm(value);
  if (form === undefined || manual !== 'honored' || manualForms === undefined)
    return form === undefined ? 'ignored' : manual;
  if (form === 'other') return 'unknown';
  return manualForms.includes(form) ? 'honored' : 'ignored';
}

/** Returns the spelling of a true value, including those of YAML 1.1. Undefined for other values. */
function trueForm(value: unknown): ManualForm | 'other' | undefined {
  if (value === true) return 'true';
  if (value === 1) return 'other';
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'true') return 'text';
  if (word === 'yes') return 'yes';
  return word === 'on' || word === '1' ? 'other' : undefined;
}

/** A match-all pattern counts as no pattern, unless `allCount`. */
function hasPaths(value: unknown, allCount = false): boolean {
  const patterns = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  const wanted = patterns
    .map((each) =>
      String(each)
        .trim()
        .replace(/\/\*\*$/u, ''),
    )
    .filter((each) => each !== '');
  return wanted.some((each) => allCount || each !== '**');
}

/**
 * Returns the last switch that matches a skill. Names and files are looked up: settings can have many switches, and a project can
 * have many skills.
 */
export function switchesOf(switches: readonly Switch[]): (candidate: Candidate) => Switch | undefined {
  const byName = new Map<string, number>();
  const byFile = new Map<string, number>();
  const patterns: { at: number; matches: (name: string) => boolean }[] = [];
  for (const [at, { match }] of switches.entries()) {
    if ('name' in match) byName.set(match.name, at);
    else if ('file' in match) byFile.set(match.file, at);
    else patterns.push({ at, matches: wildcard(match.pattern) });
  }
  return ({ key, found, read }) => {
    const exact = [byName.get(key), byName.get(read.name), byFile.get(found.file), byFile.get(found.realFile)];
    const pattern = patterns.findLast(({ matches }) => matches(read.name));
    return switches[Math.max(...exact.map((at) => at ?? -1), pattern?.at ?? -1)];
  };
}

let collator: Intl.Collator | undefined;

function byLocale(a: string, b: string): number {
  // Created on first use: its tables take longer to load than most lists take to compute.
  collator ??= new Intl.Collator();
  return collator.compare(a, b);
}

export function inOrder({ order }: Profile, listed: readonly Listed[]): Listed[] {
  const partOf = ({ candidate }: Listed): number => candidate?.at.part ?? 0;
  const folderOf = ({ candidate }: Listed): number => candidate?.folder ?? 0;
  const dirOf = ({ candidate }: Listed): string => candidate?.sortedAs ?? candidate?.found.dir ?? '';
  const levelOf = ({ candidate }: Listed): number => Math.min(1, candidate?.found.level ?? 1);
  // Sorts by UTF-8 bytes, which have the order of code points. UTF-16 units have the same order unless there are surrogate pairs.
  const hasPairs = listed.some((each) => /[\ud800-\udfff]/.test(each.line.name + dirOf(each)));
  const byBytes = hasPairs
    ? (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
    : compareText;
  return [...listed].sort((a, b) => {
    switch (order) {
      case 'name':
        return partOf(a) - partOf(b) || byBytes(a.line.name, b.line.name) || byBytes(dirOf(a), dirOf(b));
      case 'folder-name':
        return folderOf(a) - folderOf(b) || byBytes(a.line.name, b.line.name);
      case 'name-by-locale':
        return partOf(a) - partOf(b) || byLocale(a.line.name, b.line.name);
      case 'name-everywhere':
        return byLocale(a.line.name, b.line.name);
      case 'folder-backwards':
        return folderOf(a) - folderOf(b) || levelOf(a) - levelOf(b) || compareText(dirOf(b), dirOf(a));
      case 'folder':
      case 'unknown':
        return folderOf(a) - folderOf(b) || compareText(dirOf(a), dirOf(b));
    }
  });
}

/** Adds the built-in skills of the agent. If a skill was found on disk, its full description is known. */
export function withBuiltIn(profile: Profile, survey: Survey, settings: AgentSettings, listed: Listed[]): Listed[] {
  const own = new Set(listed.map(({ candidate }) => candidate?.key));
  const isOnDisk = survey.agents.get(profile.id)?.places.some(({ place }) => place.builtIn && place.found?.length);
  if (isOnDisk) return listed;
  const lines = profile.builtIn
    .filter(({ name, stays }) => (profile.copies === 'all' || !own.has(name)) && (stays || !settings.withoutBuiltIn))
    .map(({ name, characters = 0, fixed }): Listed => ({
      candidate: undefined,
      nameOnly: undefined,
      // Only the length of its description is known.
      line: { name, description: '.'.repeat(Math.min(characters, settings.entryMax ?? characters)), fixed, weight: -1 },
    }));
  if (profile.order === 'name-everywhere') return inOrder(profile, [...listed, ...lines]);
  // Claude Code lists its own skills last, the others first.
  return profile.order === 'folder' || profile.builtInLast ? [...listed, ...lines] : [...lines, ...listed];
}
