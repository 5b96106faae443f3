import path from 'node:path';
import { isFolder } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { folderNamed } from '../core/user-cache.ts';
import type { WorkspaceOptions } from './settings.ts';

/** Returns `lectern` in the user's state folder, for data that cannot be rebuilt. Undefined if there is no home. */
export function stateFolder(tree: FileTree, { userDir, environment = {} }: WorkspaceOptions): string | undefined {
  const named = folderNamed(environment[process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_STATE_HOME']);
  if (named !== undefined) return path.join(named, 'lectern');
  // A home that does not exist is not created.
  return userDir !== undefined && isFolder(tree, userDir) ? path.join(userDir, '.local/state/lectern') : undefined;
}
