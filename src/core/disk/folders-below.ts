import path from 'node:path';
import { LIMITS } from '../limits.ts';
import { compareText } from '../text.ts';
import { entriesOf } from './answers.ts';
import { IGNORED_FOLDERS } from './ignored-folders.ts';
import type { Entry, FileTree } from './tree.ts';

/** Folders that never contain packages of a monorepo. */
const SKIPPED_FOLDERS = new Set([...IGNORED_FOLDERS, 'openspec', 'target', 'dist', 'build', 'vendor', 'venv']);

export interface FolderBelow {
  dir: string;
  entries: readonly Entry[];
}

/**
 * Returns the folders a few levels below the project that may be packages of a monorepo, sorted by path. Hidden folders are
 * skipped.
 */
export function foldersBelow(tree: FileTree, projectDir: string): FolderBelow[] {
  const folders: FolderBelow[] = [];
  let level = [projectDir];
  let left: number = LIMITS.walkEntries.value;
  for (let depth = 0; depth < LIMITS.packageDepth.value && left > 0; depth++) {
    const next: string[] = [];
    for (const dir of level) {
      const entries = left > 0 ? entriesOf(tree, dir) : [];
      left -= entries.length;
      if (depth > 0) folders.push({ dir, entries });
      for (const { name, kind } of entries) {
        if (kind === 'directory' && !name.startsWith('.') && !SKIPPED_FOLDERS.has(name))
          next.push(path.join(dir, name));
      }
    }
    level = next.sort(compareText);
  }
  return folders.sort((a, b) => compareText(a.dir, b.dir));
}
