/**
 * Locates a project's specs and checks whether there are any. Separate from `open-specs.ts`, because a server checks this before
 * it reads them.
 */
import path from 'node:path';
import { isFolder } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { projectFolders } from '../skills/roots/plan.ts';
import { findRoots, type RootOptions } from '../specs/roots.ts';
import type { Settings } from './settings-table.ts';

export interface SpecPlaces {
  projectDir: string;
  userDir: string | undefined;
  settings: Pick<Settings, 'specsDir' | 'changesDir'>;
  /** Lectern's folder in the user's state folder, if there is one. */
  stateDir?: string | undefined;
}

/** The folders that mark a project with specs, even if they are empty. */
export const LAYOUT_FOLDERS = ['openspec', '.spox'] as const;

/** Whether the project has a layout for specs, or folders for them are configured. */
export function hasSpecLayout(files: FileTree, places: SpecPlaces): boolean {
  const options = specRootOptions(files, places);
  if (options.specsDir !== undefined || options.changesDir !== undefined) return true;
  const marked = options.ancestors.some((dir) => LAYOUT_FOLDERS.some((name) => isFolder(files, path.join(dir, name))));
  return marked || findRoots(files, options).roots.length > 0;
}

/**
 * Searches from the project's folder up to its repository. Outside a repository, it searches up to the home, as OpenSpec does.
 */
export function specRootOptions(files: FileTree, { projectDir, userDir, settings, stateDir }: SpecPlaces): RootOptions {
  const { folders, gitRoot } = projectFolders(files, projectDir);
  const configured = {
    specsDir: settings.specsDir.value,
    changesDir: settings.changesDir.value,
    records: { stateDir, project: gitRoot ?? projectDir },
  };
  if (gitRoot !== undefined) return { projectDir, ancestors: folders, repository: gitRoot, ...configured };
  const above: string[] = [projectDir];
  for (let dir = path.dirname(projectDir); dir !== above.at(-1) && dir !== userDir; dir = path.dirname(dir))
    above.push(dir);
  return { projectDir, ancestors: above, ...configured };
}
