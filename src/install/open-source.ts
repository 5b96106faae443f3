import path from 'node:path';
import { findTarget } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { echo } from '../core/text.ts';
import { isSkillFile } from '../skills/skill.ts';
import { type FetchedSource, fetchGit } from './git.ts';
import type { GitOptions } from './git-repository.ts';
import type { Scope } from './lock.ts';
import type { ReadBudget } from './read-budget.ts';
import type { Source } from './source.ts';
import type { Surroundings } from './targets.ts';
import { readFolder } from './tree.ts';

/** Machine resources needed by an installation. */
export interface Machine extends Surroundings {
  /** Folder that a relative source starts from. */
  workingDir: string;
  files: FileTree;
  /** Returns the writable files of a scope. */
  diskFor(scope: Scope): Disk;
  /** Environment variables for git. */
  gitEnvironment: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  allowFile: boolean;
  /** Lectern's folder in the user's state folder, if there is one. */
  stateDir: string | undefined;
  signal?: AbortSignal | undefined;
  onReceived?: ((bytes: number) => void) | undefined;
  /** Shared budget for everything this command reads from sources. */
  budget: ReadBudget;
  /** Asks the user for permission to read a folder outside the project that is named in the project's lock file. */
  mayReadOutside(folder: string): Promise<boolean>;
}

export function gitOptions(machine: Machine): GitOptions {
  const { gitEnvironment, timeoutMs, signal, onReceived } = machine;
  return { disk: machine.diskFor('user'), environment: gitEnvironment, timeoutMs, signal, onReceived };
}

/** An opened source, and its address as shown in the lock and the output. */
export interface OpenedSource extends FetchedSource {
  type: 'git' | 'local';
  /** URL or folder. */
  url: string;
  /** Name of an unnamed skill at the root. */
  name: string;
  /** Real path of the folder. Undefined for a repository. */
  folder?: string;
}

export async function openSource(source: Source, machine: Machine): Promise<OpenedSource> {
  if (source.type === 'git') {
    const name = path.posix.basename(source.url.replace(/\.git$/u, '').replace(/^[^/]*:(?!\/\/)/u, ''));
    return { ...(await fetchGit(source, gitOptions(machine))), type: 'git', url: source.url, name };
  }
  const { userDir, workingDir } = machine;
  const dir =
    userDir !== undefined && /^~(?=[\\/]|$)/u.test(source.dir)
      ? path.join(userDir, source.dir.slice(1))
      : path.resolve(workingDir, source.dir);
  return openFolder(machine.files, dir, source.path);
}

/** Opens a folder that a lock file names as a source. Fails with REFUSED if the user has to give permission and does not. */
export async function openLockedFolder(dir: string, scope: Scope, machine: Machine): Promise<OpenedSource> {
  // A project's lock file comes from its repository, so it can name any folder on this machine.
  if (scope === 'project' && isOutside(dir, machine) && !(await machine.mayReadOutside(dir))) {
    throw new Failure(
      'REFUSED',
      `The lock file names ${echo(dir)} as a source. It is outside the project, so it was not read.`,
      {
        path: dir,
        hint: 'If you trust the lock file, use --allow-file.',
      },
    );
  }
  return openFolder(machine.files, dir, '');
}

/** Whether a folder is outside the project after resolving links. */
function isOutside(dir: string, { files, projectRoot }: Machine): boolean {
  const [root, target] = [findTarget(files, projectRoot), findTarget(files, dir)];
  return root !== undefined && target !== undefined && !isInside(root.realPath, target.realPath);
}

function openFolder(files: FileTree, dir: string, below: string): OpenedSource {
  const found = findTarget(files, dir);
  // The path may point to the SKILL.md itself.
  if (found?.kind === 'file' && isSkillFile(path.basename(dir))) return openFolder(files, path.dirname(dir), below);
  if (found?.kind !== 'directory') {
    throw new Failure('NOT_FOUND', `There is no folder ${echo(dir)}.`, {
      path: dir,
      hint: 'For a repository on GitHub, leave out the dot: owner/repo.',
    });
  }
  return {
    type: 'local',
    url: dir,
    name: path.basename(found.realPath),
    folder: found.realPath,
    ref: null,
    commit: null,
    path: below,
    tree: readFolder(files, found.realPath),
    close: () => undefined,
  };
}
