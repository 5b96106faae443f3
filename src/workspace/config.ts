/** Finds and reads the configuration files: the project's and the user's, checked against the table of settings. */
import path from 'node:path';
import type { FileTree } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { checkFields, misfitFailure } from '../core/fields/check.ts';
import { readJsonFile } from '../core/json-file.ts';
import { echo } from '../core/text.ts';
import { configFields, type GivenSettings } from './settings-table.ts';

export interface ConfigPlaces {
  /** Folders of the project, nearest first. */
  projects: readonly string[];
  /** The folder for user configuration (`$XDG_CONFIG_HOME/lectern`), if there is one. */
  userConfigDir: string | undefined;
  userDir: string | undefined;
}

export interface ConfigFile {
  origin: 'project' | 'user';
  file: string;
  /** What relative paths in the file start from. */
  base: string;
  config: GivenSettings;
}

/** The files that exist, strongest first. A broken one is a Failure that names the place and the fix. */
export function readConfigFiles(tree: FileTree, places: ConfigPlaces): ConfigFile[] {
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
  return candidates.flatMap((candidate) => {
    const config = readConfig(tree, candidate.file);
    return config ? [{ ...candidate, config }] : [];
  });
}

function readConfig(tree: FileTree, file: string): GivenSettings | undefined {
  const read = readJsonFile(tree, file);
  if (read.kind === 'missing') return undefined;
  if (read.kind === 'broken') {
    throw new Failure('INVALID_CONFIG', `The configuration file cannot be read: ${read.reason}.`, {
      path: file,
      ...(read.line === undefined ? {} : { line: read.line }),
      hint: 'Correct the file, or move it away to go on without it.',
    });
  }
  // Editors ask for $schema; it sets nothing.
  const checked = checkFields({ ...configFields(), $schema: { type: 'text' } }, read.value);
  if (!('misfit' in checked)) return checked.value;
  throw misfitFailure(checked.misfit, {
    code: 'INVALID_CONFIG',
    name: (place) => `"${echo(place)}"`,
    whole: 'The configuration',
    unknown: 'key',
    details: ({ place }) => {
      const line = lineOfKey(read.text, place.slice(place.lastIndexOf('.') + 1));
      return { path: file, ...(line === undefined ? {} : { line }) };
    },
  });
}

function lineOfKey(text: string, key: string): number | undefined {
  const at = key === '' ? -1 : text.indexOf(JSON.stringify(key));
  return at === -1 ? undefined : text.slice(0, at).split('\n').length;
}
