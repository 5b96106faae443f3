import path from 'node:path';
import { projectFolders } from '../skills/roots/plan.ts';
import type { Workspace } from './workspace.ts';

/** The index lies in the project's outermost folder, so that every folder of a repository shares it. */
export function indexFolder(workspace: Workspace): string {
  const { folders } = projectFolders(workspace.disk, workspace.options.projectDir);
  return path.join(folders.at(-1) ?? workspace.options.projectDir, '.lectern', 'index');
}
