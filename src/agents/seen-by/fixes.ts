/** Finds the command that makes a copy available to an agent that does not read it. */
import path from 'node:path';
import { isInside } from '../../core/inside.ts';
import { quoteForBash } from '../../core/quote-for-bash.ts';
import { foldName } from '../../core/text.ts';
import type { FoundFile } from '../../skills/walk.ts';
import { ENABLED_NAME } from '../../skills/skill.ts';
import { excludedBy, type WalkRules } from '../../skills/walk-rules.ts';
import { installCommand, replaceCommand, shareCommand } from '../commands.ts';
import type { Profile } from '../profile.ts';
import { readAs } from '../read-as.ts';
import { isListed } from '../status.ts';
import { type AgentPlace, type Copy, isManaged, type Place, type Sighting, type Survey } from '../survey.ts';
import type { Verdict } from './verdict.ts';

/** Returns a function that finds the fix for a copy outside the folders of the agent, or too deep inside one. */
export function sharingFixes(
  profile: Profile,
  survey: Survey,
  verdicts: ReadonlyMap<Copy, Verdict>,
): (copy: Copy, sighting: Sighting) => string {
  const places = (survey.agents.get(profile.id)?.places ?? []).filter(({ place }) => !place.builtIn && !place.plugin);
  let isUnique: ReturnType<typeof uniqueNames> | undefined;
  const used = [...verdicts.values()].filter(
    ({ status, copy }) => (isListed(status) || status === 'unknown') && isOwn(copy) && !copy.builtIn,
  );
  const nameOf = (name: string, dir: string): string =>
    profile.reading.name === 'folder' ? path.basename(dir) : foldName(name);
  const byName = new Map(used.map((verdict) => [nameOf(verdict.copy.name, path.dirname(verdict.file)), verdict]));
  return (copy, { found, place }) => {
    if (profile.facts.places.source !== 'observed' || !isOwn(copy)) return copyingFix(profile, survey, copy, places);
    const used = byName.get(nameOf(copy.name, found.dir));
    const inUse = used && used.copy !== copy ? path.dirname(used.file) : undefined;
    const others = [...new Set([inUse, takenPlace(profile, copy, found, places)])].filter((dir) => dir !== undefined);
    const steps = repairs(profile, copy, found, place.location === 'custom');
    if (steps.prose !== undefined) return `${steps.prose}, then run ${shareCommand(steps.dir, profile.id)}`;
    const share =
      others.length === 0
        ? shareCommand(
            steps.commands.length === 0 && (isUnique ??= uniqueNames(survey))(copy) ? copy.name : steps.dir,
            profile.id,
          )
        : replaceCommand(steps.dir, others, profile.id);
    return [...steps.commands, share].join(' && ');
  };
}

/** Whether the copy is in a folder that no plugin updates. */
function isOwn({ sightings }: Copy): boolean {
  return sightings.some(({ place }) => !isManaged(place));
}

/** Returns a function that checks whether the name of a copy identifies it on the command line. */
function uniqueNames({ copies }: Survey): (copy: Copy) => boolean {
  const counts = new Map<string, number>();
  for (const copy of copies) {
    if (copy.builtIn || !isOwn(copy)) continue;
    for (const name of new Set([foldName(copy.name), foldName(path.basename(copy.path))]))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return ({ name }) => /^[a-z0-9][\w.-]*$/iu.test(name) && counts.get(foldName(name)) === 1;
}

/** Returns an existing folder at the path of the link that the agent does not list: a disabled or broken skill. */
function takenPlace(
  profile: Profile,
  copy: Copy,
  { dir }: FoundFile,
  places: readonly AgentPlace[],
): string | undefined {
  const inProject = copy.sightings.some(({ place }) => place.location === 'project');
  const usual = places.find((own) => own.inProject === inProject && own.place.provider === profile.id);
  const taken = usual && path.join(usual.place.dir, path.basename(dir));
  return taken !== dir && usual?.place.found?.some((found) => found.dir === taken) ? taken : undefined;
}

/** Repairs that a skill needs before it can be shared: commands, or a change that only a person can make. */
function repairs(
  profile: Profile,
  copy: Copy,
  found: FoundFile,
  isCustom: boolean,
): { commands: string[]; prose?: string | undefined; dir: string } {
  const { file, dir } = found;
  if (found.disabled) return { commands: [`lectern enable ${quoteForBash(dir)}`], dir };
  const read = readAs(profile.reading, copy.facts, file, undefined);
  if (read.kind === 'broken') return { commands: [], prose: read.fix, dir };
  if (found.level === 0 && !isCustom) return { commands: [intoFolder(copy, found)], dir: folderFor(copy, found) };
  const commands = [
    ...(found.linkedFile && !profile.walk.linkedFiles ? [asFile(found)] : []),
    ...(found.exactName || profile.walk.anyCase ? [] : [asExactName(found)]),
  ];
  // A folder with a dot at the start would be hidden wherever it is shared.
  const shown = path.join(path.dirname(dir), path.basename(dir).replace(/^\.+/u, ''));
  if (isCustom || shown === dir || shown === path.dirname(dir)) return { commands, dir };
  return { commands: [...commands, `mv ${quoteForBash(dir)} ${quoteForBash(shown)}`], dir: shown };
}

/** Replaces a link to a file with the file. */
function asFile({ file }: FoundFile): string {
  return `cp -L ${quoteForBash(file)} ${quoteForBash(`${file}.copy`)} && mv ${quoteForBash(`${file}.copy`)} ${quoteForBash(file)}`;
}

function asExactName({ file, dir }: FoundFile): string {
  return `mv ${quoteForBash(file)} ${quoteForBash(path.join(dir, ENABLED_NAME))}`;
}

/** Returns the commands for a file that is in a folder of the agent but not in the form that the agent expects. */
export function countingFix(walk: WalkRules, copy: Copy, found: FoundFile, place: Place): string | undefined {
  const { dir } = found;
  const { aspects } = excludedBy(found, walk);
  if (aspects.length === 1 && aspects[0] === 'hidden') return unhidden(dir, place);
  if (found.linkedFolder && walk.linkedFolders === false) {
    const [from, aside] = [quoteForBash(dir), quoteForBash(`${dir}.copy`)];
    return `cp -RL ${from} ${aside} && rm ${from} && mv ${aside} ${from}`;
  }
  if (found.linkedFile && !walk.linkedFiles) return asFile(found);
  if (!found.exactName && !walk.anyCase) return asExactName(found);
  return found.level < walk.shallowest ? intoFolder(copy, found) : undefined;
}

/** Renames the first hidden folder on the way to a skill. Undefined if that would not be enough, or if the name is taken. */
function unhidden(dir: string, { dir: root, found = [] }: Place): string | undefined {
  const names = path.relative(root, dir).split(path.sep);
  const at = names.findIndex((name) => name.startsWith('.'));
  const shown = names[at]?.replace(/^\.+/u, '');
  if (!shown || names.slice(at + 1).some((name) => name.startsWith('.'))) return undefined;
  const parent = path.join(root, ...names.slice(0, at));
  const target = path.join(parent, shown);
  if (found.some((other) => isInside(target, other.dir))) return undefined;
  return `mv ${quoteForBash(path.join(parent, names[at] ?? ''))} ${quoteForBash(target)}`;
}

function intoFolder(copy: Copy, found: FoundFile): string {
  const folder = folderFor(copy, found);
  return `mkdir ${quoteForBash(folder)} && mv ${quoteForBash(found.file)} ${quoteForBash(path.join(folder, ENABLED_NAME))}`;
}

function folderFor({ name }: Copy, { dir }: FoundFile): string {
  return path.join(dir, /^[a-z0-9][\w.-]*$/iu.test(name) && name !== path.basename(dir) ? name : 'skill');
}

/** Installs a copy. Used for plugin skills, and for agents whose folders are documented but were not observed. */
function copyingFix(profile: Profile, { at }: Survey, copy: Copy, places: readonly AgentPlace[]): string {
  const { userDir } = at;
  const inHome = places.filter(
    ({ place, inProject }) => !inProject && userDir !== undefined && isInside(userDir, place.dir),
  );
  const inProject = places.filter((own) => own.inProject);
  const isOfProject = copy.sightings.some(({ place }) => place.location === 'project');
  const [first, second] = isOfProject ? [inProject, inHome] : [inHome, inProject];
  const usual = (own: readonly AgentPlace[]): AgentPlace | undefined =>
    // Prefers a shared folder, so that other agents see the skill too.
    own.find(({ place }) => place.provider === 'agents') ?? own[0];
  const target = usual(first) ?? usual(second);
  return target ? installCommand(copy.path, target.place.dir) : `lectern setup ${profile.id}`;
}
