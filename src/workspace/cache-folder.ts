import path from 'node:path';
import { isFolder } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { folderNamed, type WorkspaceOptions } from './settings.ts';

/** Returns the folder for data that can be rebuilt: `lectern` in the user's cache folder. Undefined if there is no home. */
export function cacheFolder(tree: FileTree, { userDir, environment = {} }: WorkspaceOptions): string | undefined {
  const named = folderNamed(environment[process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME']);
  if (named !== undefined) return path.join(named, 'lectern');
  // A home that does not exist is not created.
  return userDir !== undefined && isFolder(tree, userDir) ? path.join(userDir, '.cache', 'lectern') : undefined;
}
