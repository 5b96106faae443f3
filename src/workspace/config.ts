/** Finds and reads the configuration files; flags stand over the project's file, and that over the user's. */
import path from 'node:path';
import { Failure } from '../core/failure.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { readJsonFile } from '../core/json-file.ts';
import { echo } from '../core/text.ts';
import type { Config } from './config-schema.ts';

export interface ConfigPlaces {
  /** Folders of the project, nearest first. */
  projects: readonly string[];
  /** The folder for user configuration (`$XDG_CONFIG_HOME/lectern`), where there is one. */
  userConfigDir: string | undefined;
  userDir: string | undefined;
}

export interface ConfigFile {
  origin: 'project' | 'user';
  file: string;
  /** What relative paths in the file start from. */
  base: string;
  config: Config;
}

/** The files that exist, strongest first. A broken one is a Failure that names the place and the fix. */
export async function readConfigFiles(tree: FileTree, places: ConfigPlaces): Promise<ConfigFile[]> {
  const candidates: Omit<ConfigFile, 'config'>[] = [];
  const project = places.projects.find(
    (dir) => readJsonFile(tree, path.join(dir, '.lectern/config.json')).kind !== 'missing',
  );
  if (project !== undefined)
    candidates.push({ origin: 'project', file: path.join(project, '.lectern/config.json'), base: project });
  if (places.userConfigDir !== undefined) {
    candidates.push({
      origin: 'user',
      file: path.join(places.userConfigDir, 'config.json'),
      base: places.userDir ?? places.userConfigDir,
    });
  }
  const files: ConfigFile[] = [];
  for (const candidate of candidates) {
    const config = await readConfig(tree, candidate.file);
    if (config) files.push({ ...candidate, config });
  }
  return files;
}

async function readConfig(tree: FileTree, file: string): Promise<Config | undefined> {
  const read = readJsonFile(tree, file);
  if (read.kind === 'missing') return undefined;
  if (read.kind === 'broken') {
    throw new Failure('INVALID_CONFIG', `The configuration file cannot be read: ${read.reason}.`, {
      path: file,
      ...(read.line === undefined ? {} : { line: read.line }),
      hint: 'Correct the file, or move it away to go on without it.',
    });
  }
  // The schema library costs more to load than the whole of discovery on a small machine; most people have no file.
  const [{ ConfigSchema }, { misfitOf }] = await Promise.all([import('./config-schema.ts'), import('./misfit.ts')]);
  const parsed = ConfigSchema.safeParse(read.value);
  if (parsed.success) return parsed.data;
  const { place, unknown, message, near, known } = misfitOf(ConfigSchema, parsed.error);
  const line = lineOfKey(read.text, unknown ?? place.slice(place.lastIndexOf('.') + 1));
  throw new Failure(
    'INVALID_CONFIG',
    unknown === undefined
      ? `${place === '' ? 'The configuration' : `"${echo(place)}"`}: ${message}.`
      : `"${echo(place)}" is not a known key.`,
    {
      path: file,
      ...(line === undefined ? {} : { line }),
      suggestions: near,
      hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known keys: ${known.join(', ')}.`,
    },
  );
}

function lineOfKey(text: string, key: string): number | undefined {
  const at = key === '' ? -1 : text.indexOf(JSON.stringify(key));
  return at === -1 ? undefined : text.slice(0, at).split('\n').length;
}

export type SettingOrigin = 'flag' | 'project' | 'user' | 'default';

export interface Setting<T> {
  value: T;
  origin: SettingOrigin;
  /** The file it came from. */
  file?: string;
}

/** The first value given by a flag, the project's file or the user's, or else the default. */
export function chooseSetting<T>(
  flag: T | undefined,
  files: readonly ConfigFile[],
  pick: (config: Config, base: string) => T | undefined,
  fallback: T,
): Setting<T> {
  if (flag !== undefined) return { value: flag, origin: 'flag' };
  for (const { config, origin, file, base } of files) {
    const value = pick(config, base);
    if (value !== undefined) return { value, origin, file };
  }
  return { value: fallback, origin: 'default' };
}
