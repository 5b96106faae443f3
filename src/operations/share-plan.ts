/** Resolves the request of `share`: the folder of each skill, and for each agent whether it needs a link or a copy, and where. */
import path from 'node:path';
import type { Profile } from '../agents/profile.ts';
import { replaceCommand } from '../agents/commands.ts';
import type { Verdict } from '../agents/seen-by.ts';
import { type AgentPlace, type Copy, isManaged, type Sighting, type Survey } from '../agents/survey.ts';
import { findEntry, findTarget } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { nearest } from '../core/near.ts';
import { quoteForBash } from '../core/quote-for-bash.ts';
import { echo, foldName } from '../core/text.ts';
import type { Scope } from '../install/lock.ts';
import type { Machine } from '../install/open-source.ts';
import type { PlannedShare, SharedSkill, ShareTarget } from '../install/share.ts';
import { SHARED_AGENTS } from '../skills/roots/agents.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { noSuchSkill, placesNamed, type Surveyed, surveyAgents } from './agent-shapes.ts';

/** An agent to share with. Without a profile, it is the folder that several agents share. */
export interface AskedAgent {
  id: string;
  profile: Profile | undefined;
  /** Undefined for the scope of the skill. */
  scope: Scope | undefined;
}

/** Parses `--to`. `all` means every agent found here whose folders were observed. Returns notes about the others. */
export async function askedAgents(
  to: readonly string[],
  { present }: Surveyed,
): Promise<{ agents: AskedAgent[]; notes: string[] }> {
  const [{ PROFILES }, { parseTarget }] = await Promise.all([
    import('../agents/profiles/index.ts'),
    import('../install/targets.ts'),
  ]);
  const agents: AskedAgent[] = [];
  const notes: string[] = [];
  for (const text of to) {
    const { name, scope } = parseTarget(text);
    if (name === 'all') {
      const known = present.filter(isObserved);
      if (known.length === 0)
        throw new Failure('NOT_FOUND', 'No agent whose folders are known was found here.', {
          hint: 'Name the agents, for example --to claude,codex.',
        });
      agents.push(...known.map((profile) => ({ id: profile.id, profile, scope })));
      for (const other of present.filter((each) => !isObserved(each)))
        notes.push(`${other.name} is left out, because its folders are known only from its documentation`);
      continue;
    }
    const profile = PROFILES.find(({ id }) => id === name);
    if (!profile && name !== SHARED_AGENTS.name) throw unknownAgent(name, PROFILES);
    if (profile && !isObserved(profile))
      throw new Failure(
        'REFUSED',
        `The folders of ${profile.name} were not observed, so nothing can be shared with it.`,
        {
          hint: `To copy a skill there anyway, use lectern install <folder> --to ${profile.id}.`,
        },
      );
    agents.push({ id: name, profile, scope });
  }
  const seen = new Set<string>();
  return {
    agents: agents.filter(({ id, scope = '' }) => !seen.has(`${id}:${scope}`) && seen.add(`${id}:${scope}`)),
    notes,
  };
}

function isObserved({ facts }: Profile): boolean {
  return facts.places.source === 'observed';
}

function unknownAgent(name: string, profiles: readonly Profile[]): Failure {
  const names = profiles.filter(isObserved).map(({ id }) => id);
  const near = nearest(name, [...names, SHARED_AGENTS.name]);
  return new Failure('USAGE', `There is no agent "${echo(name)}".`, {
    suggestions: near,
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Use one of ${names.join(', ')}, or all.`,
  });
}

/** The folder of a skill to share. */
export interface OwnFolder {
  copy: Copy;
  name: string;
  dir: string;
  scope: Scope;
}

/** Finds the folder for a name or a path. Fails if it cannot be shared. */
export async function getOwnFolder(
  asked: string,
  { survey }: Surveyed,
  { workspace, workingDir }: { workspace: Workspace; workingDir: string },
): Promise<OwnFolder> {
  const { copiesNamed, namesOf } = await import('../agents/why.ts');
  const { copies } = copiesNamed(survey, placesNamed(asked, workspace, workingDir));
  if (copies.length === 0) throw notShareable(asked, survey, survey.copies.flatMap(namesOf));
  const own = copies.filter(({ sightings }) => sightings.some(({ place }) => !isManaged(place)));
  if (own.length === 0)
    throw new Failure('REFUSED', `${echo(asked)} belongs to a plugin, which updates it, so it is not shared.`, {
      hint: `To install a copy of it, use lectern install ${quoteForBash(copies[0]?.path ?? '')} --to <agent>.`,
    });
  const enabled = own.filter(({ sightings }) => !sightings[0]?.found.disabled);
  if (enabled.length === 0)
    throw new Failure('REFUSED', `${echo(asked)} is disabled, so no agent would list it.`, {
      hint: `Enable it first: lectern enable ${quoteForBash(own[0]?.path ?? asked)}`,
    });
  const [first, ...others] = enabled;
  if (!first) throw notShareable(asked, survey, []);
  const areSame = await sameFolders(workspace.disk);
  if (others.some((other) => !areSame(first.path, other.path)))
    throw new Failure('AMBIGUOUS', `${enabled.length} different skills are called "${echo(asked)}".`, {
      suggestions: enabled.map(({ path: dir }) => dir),
      hint: `Name one by its path: ${enabled.map(({ path: dir }) => quoteForBash(dir)).join(', ')}`,
      facts: { paths: enabled.map(({ path: dir }) => dir) },
    });
  return folderOf(first, workspace);
}

function notShareable(asked: string, survey: Survey, names: readonly string[]): Failure {
  const isBuiltIn = survey.copies.some(({ builtIn, name }) => builtIn && foldName(name) === foldName(asked));
  if (isBuiltIn) return new Failure('REFUSED', `${echo(asked)} is built into an agent, so it cannot be shared.`);
  return noSuchSkill(asked, names);
}

/** Prefers the path without links: links to links break when one of them is removed. */
function folderOf(copy: Copy, workspace: Workspace): OwnFolder {
  const { disk, projectRoot, options } = workspace;
  const sightings = copy.sightings.filter(({ place }) => !isManaged(place));
  const isDirect = ({ found }: Sighting): boolean => {
    const base = [projectRoot, options.userDir].find((dir) => dir !== undefined && isInside(dir, found.dir));
    const realBase = base === undefined ? undefined : findTarget(disk, base)?.realPath;
    if (base === undefined || realBase === undefined) return false;
    return findTarget(disk, found.dir)?.realPath === path.join(realBase, path.relative(base, found.dir));
  };
  const sighting = sightings.find(isDirect) ?? sightings[0];
  if (!sighting) throw new Error('a shared skill has a folder');
  const { place, found } = sighting;
  if (found.level === 0 && place.location !== 'custom')
    throw new Failure('REFUSED', `${found.file} is directly in a folder of skills, so it has no folder to share.`, {
      path: found.file,
      hint: 'Move it into a separate folder first.',
    });
  const isOfUser =
    place.location === 'user' ||
    (place.location === 'custom' &&
      !isInside(projectRoot, found.dir) &&
      options.userDir !== undefined &&
      isInside(options.userDir, found.dir));
  return { copy, name: path.basename(found.dir), dir: found.dir, scope: isOfUser ? 'user' : 'project' };
}

type SameFolders = (a: string, b: string) => boolean;

/** Returns a function that compares all files of two folders. */
async function sameFolders(disk: FileTree): Promise<SameFolders> {
  const { lockedFiles, problemsIn, readFiles } = await import('../install/state.ts');
  return (a, b) => {
    const [first, second] = [findTarget(disk, a)?.realPath, findTarget(disk, b)?.realPath];
    if (first === undefined || second === undefined) return false;
    if (first === second) return true;
    const files = readFiles(disk, first);
    return files !== undefined && problemsIn(disk, second, lockedFiles(files)).length === 0;
  };
}

/** Requirements of one agent for listing a skill. */
export type Need =
  | { kind: 'row'; agent: AskedAgent; row: PlannedShare }
  | {
      kind: 'target';
      agent: AskedAgent;
      scope: Scope;
      /** Folders of skills that it reads in the scope, best first. */
      roots: readonly string[];
      replaces: boolean;
      copyBecause: string | undefined;
    };

interface Place {
  workspace: Workspace;
  machine: Machine;
  replace: boolean;
}

/** Determines whether an agent lists the skill already, cannot list it, or needs a target. */
export async function needOf(own: OwnFolder, agent: AskedAgent, { workspace, machine, replace }: Place): Promise<Need> {
  const scope = agent.scope ?? own.scope;
  const { agentRoot } = await import('../install/targets.ts');
  const areSame = await sameFolders(workspace.disk);
  const row = (given: Answer): Need => ({
    kind: 'row',
    agent,
    row: { name: own.name, agent: agent.id, scope: scopeOf(given.path, machine) ?? scope, ...given },
  });
  const usual = agentRoot(agent.id, scope, machine);
  if (!agent.profile) {
    const need = needOfFolder(usual, { own, disk: workspace.disk, replace, areSame });
    return need.kind === 'present' ? row(need) : { agent, scope, ...need };
  }
  const { profile } = agent;
  const { survey, seen } = await surveyAgents(workspace, profile.id);
  const verdicts = [...seen(profile).verdicts.values()];
  const verdict = verdicts.find(({ copy }) => copy.sightings.some(({ found }) => found.dir === own.dir));
  const places = survey.agents.get(profile.id)?.places ?? [];
  const isElsewhere = (dir: string): boolean =>
    agent.scope !== undefined &&
    !places.some((at) => isInside(at.place.dir, dir) && at.inProject === (scope === 'project'));
  const known = verdict && answerFrom(verdict, own, agent, { places, areSame });
  // With an explicit scope, a folder of the other scope is not enough.
  if (known && (known.isRefused || !isElsewhere(known.path))) return row(known);
  const refused = await whyUnreadable(own, profile);
  if (refused) return row({ path: own.dir, kind: 'link', isRefused: true, ...refused });
  const other = verdicts.find((each) => isNamesake(each, own, profile) && isUsed(each));
  const found = other && path.dirname(other.file);
  const roots = rootsOf({ places, scope, usual, own, machine });
  if (found !== undefined && !areSame(own.dir, found)) {
    const taken = path.join(roots[0] ?? found, own.name);
    const others = findEntry(workspace.disk, taken) && taken !== found ? [found, taken] : [found];
    return row(usesAnother(own, others, agent));
  }
  const there = found !== undefined && isElsewhere(found) ? undefined : found;
  if (there !== undefined) {
    const isReplaceable =
      replace &&
      path.basename(there) === own.name &&
      roots.includes(path.dirname(there)) &&
      findEntry(workspace.disk, there)?.kind === 'directory';
    if (!isReplaceable) return row({ path: there, kind: 'present' });
    return { kind: 'target', agent, scope, roots: [path.dirname(there)], replaces: true, copyBecause: undefined };
  }
  if (roots.length === 0)
    return row({
      path: own.dir,
      kind: 'link',
      isRefused: true,
      reason: `${profile.name} reads no folder of the ${scope} that the lock file could record`,
      hint: `Use --to ${agent.id}:${scope === 'project' ? 'user' : 'project'}.`,
    });
  return { kind: 'target', agent, scope, roots, replaces: false, copyBecause: whyCopy(own, profile) };
}

/** The shared folder belongs to no agent, so no list has to contain the skill. */
function needOfFolder(
  root: string | undefined,
  { own, disk, replace, areSame }: { own: OwnFolder; disk: FileTree; replace: boolean; areSame: SameFolders },
): { kind: 'present'; path: string } | { kind: 'target'; roots: string[]; replaces: boolean; copyBecause: undefined } {
  if (root === undefined) throw new Failure('REFUSED', 'There is no home folder to share to.');
  const place = path.join(root, own.name);
  const isSame = areSame(own.dir, place);
  const replaces = isSame && replace && place !== own.dir && findEntry(disk, place)?.kind === 'directory';
  if (isSame && !replaces) return { kind: 'present', path: place };
  return { kind: 'target', roots: [root], replaces, copyBecause: undefined };
}

/** Explains why an agent needs a copy instead of a link. */
function whyCopy({ copy, dir }: OwnFolder, { name, walk }: Profile): string | undefined {
  if (walk.linkedFolders === false) return `a copy, because ${name} ignores a skill folder that is a link`;
  const isLinkedFile = copy.sightings.some(({ found }) => found.dir === dir && found.linkedFile);
  return isLinkedFile && !walk.linkedFiles ? `a copy, because ${name} ignores a SKILL.md that is a link` : undefined;
}

/** Returns the scope of a folder of skills. */
function scopeOf(dir: string, { projectRoot, userDir }: Machine): Scope | undefined {
  if (projectRoot !== userDir && isInside(projectRoot, dir)) return 'project';
  return userDir !== undefined && isInside(userDir, dir) ? 'user' : undefined;
}

function isUsed({ status, copy }: Verdict): boolean {
  const isHidden = ['not-read', 'disabled', 'broken', 'other-copy'].includes(status);
  return !isHidden && !copy.builtIn && copy.sightings.some(({ place }) => !isManaged(place));
}

/** Whether the agent would list both skills under the same name. */
function isNamesake({ copy, file }: Verdict, own: OwnFolder, { reading }: Profile): boolean {
  return reading.name === 'folder'
    ? path.basename(path.dirname(file)) === own.name
    : foldName(copy.name) === foldName(own.copy.name);
}

/** Interprets the verdict about the folder itself. Undefined if the agent does not read it. */
function answerFrom(
  { status, reason, fix, file, winner }: Verdict,
  own: OwnFolder,
  agent: AskedAgent,
  { places, areSame }: { places: readonly AgentPlace[]; areSame: SameFolders },
): Answer | undefined {
  const dir = path.dirname(file);
  const name = agent.profile?.name ?? agent.id;
  const isRead = places.some(({ place }) => isInside(place.dir, file));
  if (status === 'not-read' || !isRead) return undefined;
  if (status === 'broken')
    return { path: dir, kind: 'present', isRefused: true, reason: `${name} cannot use it: ${reason}`, hint: fix };
  if (status !== 'other-copy' || !winner)
    return { path: dir, kind: 'present', ...(status === 'seen' ? {} : { reason }) };
  if (areSame(dir, winner.path)) return { path: winner.path, kind: 'present' };
  return usesAnother(own, [winner.path], agent);
}

type Answer = Pick<PlannedShare, 'path' | 'kind'> & Partial<PlannedShare>;

/** Refuses because the agent uses another skill with this name. `others` are in the way, the one that it uses first. */
function usesAnother(own: OwnFolder, others: readonly string[], { id, profile }: AskedAgent): Answer {
  const [other = ''] = others;
  return {
    path: other,
    kind: 'present',
    isRefused: true,
    reason: `${profile?.name ?? id} uses a different ${own.name}, ${other}`,
    hint: `To use this one instead, move the other away first: ${replaceCommand(own.dir, others, id)}`,
  };
}

/** Returns the reason why the agent could not use the file wherever it is. */
async function whyUnreadable(own: OwnFolder, profile: Profile): Promise<{ reason: string; hint?: string } | undefined> {
  const { readAs } = await import('../agents/read-as.ts');
  const read = readAs(profile.reading, own.copy.facts, path.join(own.dir, path.basename(own.copy.file)), undefined);
  if (read.kind === 'broken') return { reason: `${profile.name} cannot use it: ${read.reason}`, hint: read.fix };
  const isExact = own.copy.sightings.some(({ found }) => found.dir === own.dir && found.exactName);
  if (!isExact && !profile.walk.anyCase)
    return {
      reason: `${profile.name} reads only files named exactly SKILL.md`,
      hint: `Rename ${own.copy.file} to SKILL.md.`,
    };
  return undefined;
}

interface RootsOf {
  places: readonly AgentPlace[];
  scope: Scope;
  /** The folder that `install --to` would use. */
  usual: string | undefined;
  own: OwnFolder;
  machine: Machine;
}

/** Returns the folders of an agent that can get the skill: the one that `install` uses first. */
function rootsOf({ places, scope, usual, own, machine }: RootsOf): string[] {
  const base = scope === 'project' ? machine.projectRoot : machine.userDir;
  const dirs = places
    .filter(({ place, inProject }) => !place.plugin && !place.builtIn && inProject === (scope === 'project'))
    .map(({ place }) => place.dir)
    .filter((dir) => base !== undefined && isInside(base, dir) && path.join(dir, own.name) !== own.dir);
  const first = usual !== undefined && dirs.includes(usual) ? [usual] : [];
  return [...new Set([...first, ...dirs])];
}

/** Chooses one folder for each need. Agents that read the shared folder get one link there, if there are several of them. */
export function targetsFor(
  own: OwnFolder,
  needs: readonly Need[],
  machine: Machine,
): { skill: SharedSkill; places: (string | undefined)[] } {
  const open = needs.flatMap((need) => (need.kind === 'target' ? [need] : []));
  const chosen = new Map<string, ShareTarget>();
  const places = needs.map((need) => {
    if (need.kind === 'row') return undefined;
    const base = need.scope === 'project' ? machine.projectRoot : (machine.userDir ?? '');
    const shared = path.join(base, '.agents', 'skills');
    const others = open.filter(
      ({ scope, replaces, roots }) => scope === need.scope && !replaces && roots.includes(shared),
    );
    const isForSeveral = !need.replaces && need.roots.includes(shared) && others.length > 1;
    const root = need.roots.find((each) => chosen.has(each)) ?? (isForSeveral ? shared : need.roots[0]);
    if (root === undefined) return undefined;
    const known = chosen.get(root);
    chosen.set(root, {
      agent: known?.agent ?? (isForSeveral && root === shared ? SHARED_AGENTS.name : need.agent.id),
      scope: need.scope,
      root,
      copyBecause: known?.copyBecause ?? need.copyBecause,
      replaces: need.replaces,
    });
    return path.join(root, own.name);
  });
  return { skill: { name: own.name, dir: own.dir, targets: [...chosen.values()] }, places };
}
