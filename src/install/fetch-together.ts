import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import type { OpenedSource } from './open-source.ts';
import type { SourceTree } from './source-tree.ts';
import { TreeIndex } from './tree-index.ts';

/** Fetches the files of several skills in one request. */
export async function fetchTogether(
  { tree }: Pick<OpenedSource, 'tree'>,
  skills: readonly { path: string }[],
): Promise<void> {
  if (skills.length < 2 || !tree.fetch) return;
  try {
    await tree.fetch(pathsOf(tree, skills), skills.length * LIMITS.installedBytes.value);
  } catch (error) {
    // One of the skills is too large. Reading them reports which one.
    if (!(error instanceof Failure) || error.code !== 'TOO_LARGE') throw error;
  }
}

/** Returns the files of the given skills. */
export function pathsOf(tree: SourceTree, skills: readonly { path: string }[]): string[] {
  const index = TreeIndex.of(tree);
  return [...new Set(skills.flatMap(({ path }) => index.pathsBelow(path)))];
}
