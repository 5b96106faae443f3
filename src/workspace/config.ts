/**
 * Finds and reads the configuration files. Each key is checked separately against the table of settings: invalid keys are
 * reported and ignored, and the rest applies. A project's file may only set values that cannot widen access.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { findTarget } from '../core/disk/answers.ts';
import { readingInside } from '../core/disk/confined.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { checkFields } from '../core/fields/check.ts';
import { expandHome } from '../core/home-path.ts';
import { isInside } from '../core/inside.ts';
import { includedPaths, mapFilterPaths } from '../skills/filter.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import { configInvalid, configKeyRefused, configKeyUnknown, configUnreadable, configValueInvalid } from './codes.ts';
import { type GivenSettings, NESTED_KEYS, SETTINGS, SETTING_NAMES, type SettingDefinition } from './settings-table.ts';

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
  /** The base folder of relative paths in the file. */
  base: string;
  config: GivenSettings;
  diagnostics: readonly Diagnostic[];
}

/** Returns the files that exist, strongest first. */
export function readConfigFiles(tree: FileTree, places: ConfigPlaces): ConfigFile[] {
  const inProject = readingInside(places.projects.at(-1) ?? '.', tree);
  const project = places.projects.find(
    (dir) => readJsonFile(inProject, path.join(dir, '.lectern/config.json')).kind !== 'missing',
  );
  const candidates = [
    ...(project === undefined
      ? []
      : [{ origin: 'project' as const, file: path.join(project, '.lectern/config.json'), base: project }]),
    ...(places.userConfigDir === undefined
      ? []
      : [
          {
            origin: 'user' as const,
            file: path.join(places.userConfigDir, 'config.json'),
            base: places.userDir ?? places.userConfigDir,
          },
        ]),
  ];
  return candidates.flatMap((candidate) => {
    const { userDir } = places;
    const read = readConfig(candidate.origin === 'project' ? inProject : tree, { ...candidate, userDir });
    return read ? [{ ...candidate, ...read }] : [];
  });
}

type Candidate = Pick<ConfigFile, 'origin' | 'file' | 'base'> & { userDir: string | undefined };

function readConfig(tree: FileTree, candidate: Candidate): Pick<ConfigFile, 'config' | 'diagnostics'> | undefined {
  const { file } = candidate;
  const nothing = (diagnostic: Diagnostic) => ({ config: {}, diagnostics: [diagnostic] });
  const read = readJsonFile(tree, file);
  if (read.kind === 'missing') return undefined;
  if (read.kind === 'broken') {
    const rule = read.reason === 'permission denied' ? configUnreadable : configInvalid;
    return nothing(rule.at({ path: file, line: read.line, message: `The file cannot be used: ${read.reason}.` }));
  }
  if (!isRecord(read.value))
    return nothing(configInvalid.at({ path: file, message: 'The configuration must be an object.' }));
  return checkKeys(tree, candidate, read.value, read.text);
}

/** A key in the file: `include`, or `limits.walkDepth`. */
interface GivenKey {
  key: string;
  name: string;
  in: 'search' | 'limits' | undefined;
  value: unknown;
}

function checkKeys(
  tree: FileTree,
  candidate: Candidate,
  given: Record<string, unknown>,
  text: string,
): Pick<ConfigFile, 'config' | 'diagnostics'> {
  const config: Record<string, unknown> = {};
  const diagnostics: Diagnostic[] = [];
  const definitions: Readonly<Record<string, SettingDefinition>> = SETTINGS;
  for (const { key, name, in: group, value } of keysOf(given)) {
    const place = { path: candidate.file, line: lineOfKey(text, name) };
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (!definition || definition.in !== group) {
      diagnostics.push(configKeyUnknown.at({ ...place, ...unknownKey(key, group) }));
      continue;
    }
    const { default: _default, ...field } = definition;
    const checked = checkFields({ [name]: field }, { [name]: value });
    if ('mismatch' in checked) {
      const wrong = `"${echo(key)}" must be ${checked.mismatch.mustBe}; it is ignored.`;
      diagnostics.push(configValueInvalid.at({ ...place, message: wrong }));
      continue;
    }
    const refusal =
      candidate.origin === 'project' ? refusedHere(tree, candidate, definition, checked.value[name]) : undefined;
    if (refusal !== undefined) {
      diagnostics.push(configKeyRefused.at({ ...place, message: `"${echo(key)}" is ignored: ${refusal}.` }));
      continue;
    }
    const holder = group === undefined ? config : ((config[group] ??= {}) as Record<string, unknown>);
    holder[name] = checked.value[name];
  }
  return { config, diagnostics };
}

function keysOf(given: Record<string, unknown>): GivenKey[] {
  return Object.entries(given).flatMap(([key, value]): GivenKey[] => {
    // Used by editors. It does not set anything.
    if (key === '$schema') return [];
    const group = NESTED_KEYS.find((each) => each === key);
    if (group === undefined || !isRecord(value)) return [{ key, name: key, in: undefined, value }];
    return Object.entries(value).map(([name, inner]) => ({ key: `${key}.${name}`, name, in: group, value: inner }));
  });
}

function unknownKey(key: string, group: GivenKey['in']): { message: string; fix?: string } {
  const known = SETTING_NAMES.map((name) => {
    const definition: SettingDefinition = SETTINGS[name];
    return definition.in === undefined ? name : `${definition.in}.${name}`;
  }).filter((name) => group === undefined || name.startsWith(`${group}.`));
  const near = nearest(key, known);
  return {
    message: `"${echo(key)}" is not a known key.`,
    ...(near.length > 0 ? { fix: `Did you mean ${near.join(' or ')}?` } : {}),
  };
}

/** Returns why a project's file may not set a value, or undefined if it may. */
function refusedHere(
  tree: FileTree,
  { base, userDir }: Candidate,
  definition: SettingDefinition,
  value: unknown,
): string | undefined {
  const { project, isPath, isFilter } = definition;
  if (project === undefined) return 'a project’s file may not set it';
  if (typeof project === 'number' && !(typeof value === 'number' && value > 0 && value <= project))
    return `a project’s file may only lower it, from ${project}`;
  if (!isPath && !isFilter) return undefined;
  const root = findTarget(tree, base)?.realPath ?? base;
  const values = (Array.isArray(value) ? value : [value]).map(String);
  const places = isFilter
    ? includedPaths(
        values.map((each) => mapFilterPaths(each, (place) => expandHome(place, userDir))),
        base,
      )
    : values.map((each) => path.resolve(base, expandHome(each.replace(/\?scope=[^?&]+$/u, ''), userDir)));
  const outside = places.find(
    (place) => !isInside(base, place) || !isInside(root, findTarget(tree, place)?.realPath ?? root),
  );
  return outside === undefined ? undefined : `${outside} is outside the project`;
}

function lineOfKey(text: string, key: string): number | undefined {
  const at = key === '' ? -1 : text.indexOf(JSON.stringify(key));
  return at === -1 ? undefined : text.slice(0, at).split('\n').length;
}
