/** Finds everything that Lectern has written on this machine for this user and project. */
import os from 'node:os';
import path from 'node:path';
import { clientStates } from '../clients/states.ts';
import { exists } from '../core/disk/answers.ts';
import { recordsFolders } from '../core/disk/records.ts';
import { LOCK_NAME } from '../install/lock.ts';
import { cacheFolder } from '../workspace/cache-folder.ts';
import { userConfigFolder } from '../workspace/settings.ts';
import { stateFolder } from '../workspace/state-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { COMPLETION_MARKS, completionPlaces } from './completion-places.ts';
import { installedIn } from './installed.ts';
import type { OwnFile } from './own-files-shape.ts';
import { hasBlock, usualFiles } from './sync-block.ts';

export async function findOwnFiles(workspace: Workspace): Promise<OwnFile[]> {
  const { disk, options, projectRoot } = workspace;
  const found: OwnFile[] = [...folders(workspace), ...completions(workspace)];
  const states = clientStates(disk, { ...options, projectRoot }, process.platform);
  for (const { state, file, name } of states)
    if (name !== undefined && state !== 'absent') found.push({ kind: 'client', path: file, isPart: true, name });
  for (const file of usualFiles(disk, projectRoot))
    if (hasBlock(disk, file)) found.push({ kind: 'list', path: file, isPart: true });
  const config = userConfigFolder(options);
  for (const file of [projectRoot, ...(config === undefined ? [] : [config])].map((dir) => path.join(dir, LOCK_NAME)))
    if (exists(disk, file)) found.push({ kind: 'lock', path: file });
  const installed = (await installedIn(workspace))?.byFolder ?? new Map<string, unknown>();
  for (const folder of installed.keys())
    if (exists(disk, folder)) found.push({ kind: 'skill', path: folder, name: path.basename(folder) });
  for (const base of [projectRoot, ...(options.userDir === undefined ? [] : [options.userDir])]) {
    const backups = path.join(base, '.lectern', 'backups');
    if (exists(disk, backups)) found.push({ kind: 'backup', path: backups });
  }
  return found;
}

function folders({ disk, options, projectRoot }: Workspace): OwnFile[] {
  const cache = cacheFolder(disk, options);
  const stateDir = stateFolder(disk, options);
  const temporary = recordsFolders(disk, { stateDir, project: projectRoot }).filter((dir) =>
    dir.startsWith(os.tmpdir() + path.sep),
  );
  const config = userConfigFolder(options);
  const rows: [OwnFile['kind'], string | undefined][] = [
    ['cache', cache],
    ['state', stateDir],
    ...temporary.map((dir): [OwnFile['kind'], string] => ['state', dir]),
    ['configuration', config === undefined ? undefined : path.join(config, 'config.json')],
  ];
  return rows.flatMap(([kind, place]) => (place === undefined || !exists(disk, place) ? [] : [{ kind, path: place }]));
}

function completions({ disk, options }: Workspace): OwnFile[] {
  return completionPlaces(options, process.platform).flatMap(({ script, startFile }): OwnFile[] => [
    ...(exists(disk, script) ? [{ kind: 'completion' as const, path: script }] : []),
    ...(startFile !== undefined && hasBlock(disk, startFile, COMPLETION_MARKS)
      ? [{ kind: 'completion' as const, path: startFile, isPart: true as const }]
      : []),
  ]);
}
