import path from 'node:path';
import { isFolder } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { folderNamed, type WorkspaceOptions } from './settings.ts';

/** Where Lectern keeps what it can make again: `lectern` in the user's cache folder; undefined if there is no home. */
export function cacheFolder(tree: FileTree, { userDir, environment = {} }: WorkspaceOptions): string | undefined {
  const named = folderNamed(environment[process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME']);
  if (named !== undefined) return path.join(named, 'lectern');
  // A home that does not exist is not made.
  return userDir !== undefined && isFolder(tree, userDir) ? path.join(userDir, '.cache', 'lectern') : undefined;
}
