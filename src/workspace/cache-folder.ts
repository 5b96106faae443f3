import { isFolder } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { userCacheFolder } from '../core/user-cache.ts';
import type { WorkspaceOptions } from './settings.ts';

/** Returns the folder for data that can be rebuilt. Undefined if there is no home. */
export function cacheFolder(tree: FileTree, { userDir, environment = {} }: WorkspaceOptions): string | undefined {
  return userCacheFolder(environment, () => (userDir !== undefined && isFolder(tree, userDir) ? userDir : undefined));
}
