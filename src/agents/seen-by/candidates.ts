/** Finds the copies in the folders of an agent that it could list, under the names in its list. */
import { quoteForBash } from '../../core/quote-for-bash.ts';
import { codePointStart, compareText } from '../../core/text.ts';
import type { FoundFile } from '../../skills/walk.ts';
import { counts } from '../../skills/walk-rules.ts';
import { whyNotCounted } from '../not-counted.ts';
import type { Profile, Topic } from '../profile.ts';
import { type Read, readAs } from '../read-as.ts';
import type { AgentSettings } from '../settings.ts';
import type { Status } from '../status.ts';
import type { AgentPlace, Copy, Survey } from '../survey.ts';
import { countingFix } from './fixes.ts';
import type { Candidate, Judge } from './verdict.ts';

/** Returns every copy in the agent's folders that it could list. */
export function findCandidates(profile: Profile, survey: Survey, settings: AgentSettings, judge: Judge): Candidate[] {
  const taken = new Map<Copy, Candidate>();
  const refused = new Map<Copy, Refusal>();
  const { places = [] } = survey.agents.get(profile.id) ?? {};
  for (const [folder, at] of places.entries()) {
    const isAlone = profile.rootAlone && at.place.found?.some((found) => isRoot(found) && counts(found, profile.walk));
    for (const found of inFolderOrder(at.place.found ?? [])) {
      const copy = survey.byFile.get(found.realFile);
      if (!copy || taken.has(copy)) continue;
      const refusal = whyPassedOver(profile, copy, found, at, isAlone === true) ?? whyHidden(found, at, settings);
      if (refusal) {
        if (!refusal.isPassedOver || !refused.has(copy)) refused.set(copy, refusal);
        continue;
      }
      const { file } = found;
      const whole = readAs(profile.reading, copy.facts, file, settings.entryMax);
      const read = copy.builtIn ? whole : shortenedTo(settings.ownMax, whole);
      if (read.kind === 'listed') taken.set(copy, { copy, at, folder, found, read, ...namesOf(profile, at, read) });
      else refused.set(copy, { status: read.kind, topic: 'files', reason: read.reason, file, fix: read.fix });
    }
  }
  // A copy that one folder leaves out may be listed from another one.
  for (const [copy, { status, topic, reason, file, fix }] of refused)
    if (!taken.has(copy)) judge(copy, status, topic, reason, { file, ...(fix === undefined ? {} : { fix }) });
  return [...taken.values()];
}

/** Reason why the agent does not list a copy from one of its folders. */
interface Refusal {
  status: Status;
  topic: Topic;
  reason: string;
  file: string;
  fix?: string | undefined;
  /** The agent does not look for the file there. Reasons of other folders count more. */
  isPassedOver?: true;
}

/** Whether the agent does not look for the file in this folder. */
function whyPassedOver(
  profile: Profile,
  copy: Copy,
  found: FoundFile,
  { place, walk }: AgentPlace,
  isAlone: boolean,
): Refusal | undefined {
  const { file } = found;
  // The path of the copy, not of a link to it, so that agents with the same answer have the same fix.
  if (found.disabled)
    return {
      status: 'disabled',
      topic: 'files',
      reason: 'its file is named .SKILL.md, which no agent reads',
      file,
      fix: `lectern enable ${quoteForBash(copy.path)}`,
    };
  const isCounted = place.plugin?.single ? found.level === 0 : counts(found, walk);
  if (!isCounted) {
    const why = whyNotCounted(profile.name, walk, found);
    return { ...why, topic: 'places', file, fix: countingFix(walk, copy, found, place), isPassedOver: true };
  }
  if (!isAlone || isRoot(found)) return undefined;
  return {
    status: 'not-read',
    topic: 'places',
    reason: `${profile.name} reads only the SKILL.md directly in ${place.dir}`,
    file,
    fix: `Move the SKILL.md out of ${place.dir}`,
    isPassedOver: true,
  };
}

/** Whether a setting hides every skill of a plugin or of the project. */
function whyHidden(found: FoundFile, at: AgentPlace, settings: AgentSettings): Refusal | undefined {
  const distrust =
    at.inProject && settings.distrust ? { status: 'disabled' as const, ...settings.distrust } : undefined;
  const hidden = at.place.plugin?.hidden ?? at.hidden?.get(found.dir) ?? distrust;
  return hidden && { ...hidden, topic: 'settings', file: found.file };
}

const isRoot = ({ level, disabled }: FoundFile): boolean => level === 0 && !disabled;

/** Reads a file as if its author had shortened the description. */
function shortenedTo(max: number | undefined, read: Read): Read {
  if (max === undefined || read.kind !== 'listed' || read.description.length <= max) return read;
  return { ...read, description: read.description.slice(0, codePointStart(read.description, max)), isCut: false };
}

function inFolderOrder(found: readonly FoundFile[]): FoundFile[] {
  return [...found].sort((a, b) => compareText(a.dir, b.dir));
}

/** Claude Code lists the name of the folder, prefixed with the plugin. */
function namesOf(profile: Profile, { place }: AgentPlace, read: Candidate['read']): Pick<Candidate, 'name' | 'key'> {
  if (profile.reading.name !== 'folder') return { name: read.name, key: read.name };
  const plugin = place.plugin === undefined ? '' : `${place.plugin.plugin}:`;
  const name = plugin + (place.plugin?.single ? (read.ownName ?? read.name) : read.name);
  return { name, key: name };
}

/** Claude Code adds a different name in parentheses, unless that is the name of another skill. */
export function withOwnNames(profile: Profile, candidates: readonly Candidate[]): Candidate[] {
  if (profile.reading.name !== 'folder') return [...candidates];
  const taken = new Set([...candidates.map(({ key }) => key), ...profile.builtIn.map(({ name }) => name)]);
  return candidates.map((candidate) => {
    const { at, key, read } = candidate;
    const plugin = at.place.plugin === undefined ? '' : `${at.place.plugin.plugin}:`;
    if (read.ownName === undefined || at.place.plugin?.single) return candidate;
    const own = plugin + read.ownName;
    if (taken.has(own) || own.length > 256 || !/^[\p{L}\p{M}\p{N}_:.-]+$/u.test(own)) return candidate;
    taken.add(own);
    return { ...candidate, name: `${key} (${own})` };
  });
}
