import path from 'node:path';
import { isInside } from '../core/inside.ts';
import { rootSettings, type WorkspaceOptions } from './settings.ts';
import type { Settings } from './settings-table.ts';

/** Longer lists of folders would take space from the skills. */
const NAMED_CHARACTERS = 120;

/** Lists the folders that are searched for skills, strongest first, briefly for models. */
export function searchedFolders(options: WorkspaceOptions, settings: Settings): string {
  const { skillDirs, vendoredRoot, scanDefaultDirs } = rootSettings(options, settings);
  const custom = skillDirs.map(({ dir }) => shortPath(dir, options));
  const named = custom.join(', ');
  const isLong = named.length > NAMED_CHARACTERS;
  const root = vendoredRoot === undefined ? undefined : shortPath(vendoredRoot, options);
  const isRootLong = root !== undefined && root.length > NAMED_CHARACTERS;
  const hasPlugins =
    !settings.skipPlugins.value &&
    (scanDefaultDirs || settings.pluginsFile.value !== undefined || settings.pluginsRoot.value !== undefined);
  const parts = [
    ...(custom.length === 0 ? [] : [isLong ? `${custom.length} configured folders` : named]),
    ...(scanDefaultDirs ? ['.agents/skills, .claude/skills and the like in project and home'] : []),
    ...(root === undefined ? (scanDefaultDirs ? ['skills'] : []) : [isRootLong ? 'a configured folder' : root]),
    ...(hasPlugins ? ['Claude Code plugins'] : []),
  ];
  return parts.length === 0 ? 'no folder' : parts.join(', ');
}

function shortPath(dir: string, { projectDir, userDir }: WorkspaceOptions): string {
  const below = (base: string): string => path.relative(base, dir).split(path.sep).join('/');
  if (isInside(projectDir, dir)) return below(projectDir) || '.';
  return userDir !== undefined && isInside(userDir, dir) ? `~/${below(userDir)}` : dir;
}
