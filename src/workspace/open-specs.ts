/** Opens the specs of a workspace. Loaded on first use. */
import path from 'node:path';
import type { FileTree } from '../core/disk/tree.ts';
import { projectFolders } from '../skills/roots/plan.ts';
import { SpecCatalog } from '../specs/catalog.ts';
import type { RootOptions } from '../specs/roots.ts';
import type { Settings } from './settings-table.ts';

export interface SpecPlaces {
  projectDir: string;
  userDir: string | undefined;
  settings: Settings;
}

export function openSpecs(
  files: FileTree,
  { projectDir, userDir, settings }: SpecPlaces,
  before: SpecCatalog | undefined,
): SpecCatalog {
  const { ancestors, repository } = specAncestors(files, projectDir, userDir);
  const { specsDir, changesDir } = settings;
  return new SpecCatalog(
    files,
    { projectDir, ancestors, repository, specsDir: specsDir.value, changesDir: changesDir.value },
    before,
  );
}

/** From the project's folder up to its repository. Outside a repository, up to the home, as OpenSpec does. */
function specAncestors(
  files: FileTree,
  projectDir: string,
  userDir: string | undefined,
): Pick<RootOptions, 'ancestors' | 'repository'> {
  const { folders, gitRoot } = projectFolders(files, projectDir);
  if (gitRoot !== undefined) return { ancestors: folders, repository: gitRoot };
  const above: string[] = [projectDir];
  for (let dir = path.dirname(projectDir); dir !== above.at(-1) && dir !== userDir; dir = path.dirname(dir))
    above.push(dir);
  return { ancestors: above };
}
