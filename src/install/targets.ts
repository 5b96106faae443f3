/** Determines the folders to install to. */
import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import { ALL_AGENTS, type Agent, SHARED_AGENTS } from '../skills/roots/agents.ts';
import { userFolders } from '../skills/roots/plan.ts';
import { LOCK_NAME, type LockedTarget, lockedPath, type LockPlace, type Scope } from './lock.ts';

/** Environment of an installation. */
export interface Surroundings {
  projectRoot: string;
  /** Base of relative paths in the request. */
  projectDir: string;
  userDir: string | undefined;
  /** Environment variables, such as CODEX_HOME and XDG_CONFIG_HOME. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** A skills folder. */
export interface Target {
  agent: string | null;
  scope: Scope;
  root: string;
}

export function projectLock({ projectRoot }: Surroundings): LockPlace {
  return { scope: 'project', base: projectRoot, file: path.join(projectRoot, LOCK_NAME) };
}

export function userLock({ userDir, environment }: Surroundings): LockPlace | undefined {
  if (userDir === undefined) return undefined;
  const named = environment['XDG_CONFIG_HOME'];
  const config = named && path.isAbsolute(named) ? named : path.join(userDir, '.config');
  return { scope: 'user', base: userDir, file: path.join(config, 'lectern', LOCK_NAME) };
}

export function lockFor(scope: Scope, here: Surroundings): LockPlace {
  if (scope === 'project') return projectLock(here);
  const place = userLock(here);
  if (place) return place;
  throw new Failure('REFUSED', 'There is no home folder to install to.');
}

export interface AskedTargets {
  to?: readonly string[] | undefined;
  dir?: string | undefined;
}

/** Returns undefined if no target was requested. */
export function askedTargets({ to = [], dir }: AskedTargets, here: Surroundings): Target[] | undefined {
  if (dir !== undefined && to.length > 0) throw new Failure('USAGE', '--to and --dir cannot be combined.');
  if (dir !== undefined) return [folderTarget(dir, here)];
  return to.length > 0 ? unique(to.map((each) => agentTarget(each, here))) : undefined;
}

function folderTarget(dir: string, here: Surroundings): Target {
  const expanded =
    here.userDir !== undefined && /^~(?=[\\/]|$)/u.test(dir) ? path.join(here.userDir, dir.slice(1)) : dir;
  const root = path.resolve(here.projectDir, expanded);
  if (isInside(here.projectRoot, root)) return { agent: null, scope: 'project', root };
  if (here.userDir !== undefined && isInside(here.userDir, root)) return { agent: null, scope: 'user', root };
  throw new Failure(
    'REFUSED',
    `${echo(root)} is neither in the project nor in your home, so no lock file could record it.`,
    {
      hint: 'Set --project-dir to a folder above it.',
    },
  );
}

/** Parses `agent`, `agent:project` or `agent:user`. */
export function parseTarget(text: string): { name: string; scope: Scope | undefined } {
  const [name = '', scope, ...more] = text.split(':');
  if ((scope !== undefined && scope !== 'project' && scope !== 'user') || more.length > 0)
    throw new Failure('USAGE', `--to ${echo(text)}: the scope after the colon must be project or user.`);
  return { name: name.trim().toLowerCase(), scope };
}

/** Returns the folder that `--to` means for an agent, if it has one. */
export function agentRoot(name: string, scope: Scope, here: Surroundings): string | undefined {
  const agent = ALL_AGENTS.find((each) => each.name === name);
  return agent && rootOf(agent, scope, here);
}

function agentTarget(text: string, here: Surroundings): Target {
  const { name, scope = 'project' } = parseTarget(text);
  const agent = ALL_AGENTS.find((each) => each.name === name);
  if (!agent) {
    const names = ALL_AGENTS.map((each) => each.name);
    const near = nearest(name, names);
    throw new Failure('USAGE', `There is no agent "${echo(name)}".`, {
      suggestions: near,
      hint:
        near.length > 0
          ? `Did you mean ${near.join(' or ')}?`
          : `Use one of ${names.join(', ')}, or --dir for a folder.`,
    });
  }
  const root = rootOf(agent, scope, here);
  if (root !== undefined) return { agent: agent.name, scope, root };
  throw new Failure('REFUSED', `${agent.title} has no ${scope} folder for skills here.`, {
    hint: scope === 'project' ? `Use --to ${agent.name}:user.` : `Use --to ${agent.name}:project.`,
  });
}

function rootOf(agent: Agent, scope: Scope, here: Surroundings): string | undefined {
  const folders =
    scope === 'user' ? userFolders(agent, here) : agent.project.map((below) => path.join(here.projectRoot, below));
  // Most agents read the plural spelling. The singular spelling is only read, never written.
  return folders.find((folder) => folder.endsWith(path.join('.agents', 'skills'))) ?? folders[0];
}

function unique(targets: readonly Target[]): Target[] {
  const seen = new Set<string>();
  return targets.filter(({ root }) => !seen.has(root) && seen.add(root));
}

/** Returns the shared folder, which contains the real files if other folders link to them. */
function sharedTarget(scope: Scope, here: Surroundings): Target {
  const root = rootOf(SHARED_AGENTS, scope, here);
  if (root === undefined) throw new Failure('REFUSED', 'There is no home folder to install to.');
  return { agent: SHARED_AGENTS.name, scope, root };
}

/** Returns the lock entries for a skill in these folders. */
export function lockedTargets(
  { name, targets, mode }: { name: string; targets: readonly Target[]; mode: 'copy' | 'link' },
  here: Surroundings,
  lock: LockPlace,
): LockedTarget[] {
  const shared = mode === 'link' ? sharedTarget(lock.scope, here) : undefined;
  const all = unique(shared ? [shared, ...targets] : targets);
  return all.map(({ agent, scope, root }): LockedTarget => {
    const place = lockedPath(path.join(root, name), lock);
    if (place === undefined)
      throw new Failure('REFUSED', `${echo(root)} is not in your home, so the lock file could not record it.`);
    if (!shared || root === shared.root) return { agent, scope, path: place };
    const link = path.relative(root, path.join(shared.root, name)).split(path.sep).join('/');
    return { agent, scope, path: place, link };
  });
}
