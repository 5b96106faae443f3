/** Writes and removes the settings that disable single skills, in the text of an agent's settings file. Pure functions. */
import { isDeepStrictEqual } from 'node:util';
import { type Broken, type Edited, valueAt } from '../core/config-text/edits.ts';
import {
  addToJsonList,
  readJson,
  removeFromJson,
  removeFromJsonList,
  setInJson,
} from '../core/config-text/json-edit.ts';
import { addTomlTables, readToml, removeFromToml, removeTomlTables, setInToml } from '../core/config-text/toml-edit.ts';
import { isRecord } from '../core/json-file.ts';
import type { SettingFiles } from './setting-files.ts';

/** A skill as settings identify it. */
export interface SwitchTarget {
  /** Name in the agent's list. */
  name: string;
  /** Paths of its `SKILL.md`: first the real one, which is written, then the one under which the agent finds it. */
  files: readonly [string, ...string[]];
}

/** A setting for the same skill with another value, which would be lost. */
export interface TakenSwitch {
  target: SwitchTarget;
  value: string;
}

export function findTaken(files: SettingFiles, text: string, targets: readonly SwitchTarget[]): TakenSwitch[] {
  const { form, dialect } = files;
  const read = dialect ? readJson(text, dialect) : readToml(text);
  if ('kind' in read || form.kind === 'item') return [];
  const found = valueAt(read.value, form.keys);
  if (form.kind === 'property')
    return targets.flatMap((target) => {
      const value = valueAt(found, [target.name]);
      return value === undefined || value === form.value ? [] : [{ target, value: JSON.stringify(value) }];
    });
  const items = Array.isArray(found) ? found.filter(isRecord) : [];
  return targets.flatMap((target) => {
    const isOn = items.some((item) => isAbout(item, target) && item['enabled'] !== false);
    return isOn ? [{ target, value: 'enabled = true' }] : [];
  });
}

/** Disables skills. A different setting for one of them is replaced, see `findTaken`. */
export function disableIn(files: SettingFiles, text: string, targets: readonly SwitchTarget[]): Edited {
  const { form, dialect } = files;
  if (dialect && form.kind === 'property')
    return setInJson(text, dialect, form.keys, Object.fromEntries(targets.map(({ name }) => [name, form.value])));
  if (dialect && form.kind === 'item')
    return addToJsonList(
      text,
      dialect,
      form.keys,
      targets.map(({ name }) => name),
    );
  const read = readToml(text);
  if ('kind' in read) return read;
  const found = valueAt(read.value, form.keys);
  const items = Array.isArray(found) ? found.filter(isRecord) : [];
  const missing = targets.filter((target) => !items.some((item) => isAbout(item, target) && item['enabled'] === false));
  const freed = removeTomlTables(text, form.keys, (item) => missing.some((target) => isAbout(item, target)));
  if (freed.kind === 'broken') return freed;
  return addTomlTables(
    freed.kind === 'changed' ? freed.text : text,
    form.keys,
    missing.map(({ files: [file] }) => entryFor(file)),
  );
}

/** Removes settings that `disableIn` would write, and leaves all others. */
export function enableIn(files: SettingFiles, text: string, targets: readonly SwitchTarget[]): Edited {
  const { form, dialect } = files;
  if (form.kind === 'table') {
    const paths = new Set(targets.flatMap((target) => target.files));
    return removeTomlTables(text, form.keys, (item) => {
      const { path } = item;
      return typeof path === 'string' && paths.has(path) && isDeepStrictEqual({ ...item }, entryFor(path));
    });
  }
  if (!dialect) return { kind: 'same' };
  const names = targets.map(({ name }) => name);
  if (form.kind === 'item') return removeFromJsonList(text, dialect, form.keys, names);
  let current = text;
  for (const name of names) {
    const read = readJson(current, dialect);
    if ('kind' in read) return read;
    const keys = [...form.keys, name];
    if (valueAt(read.value, keys) !== form.value) continue;
    const edited = removeFromJson(current, dialect, keys);
    if (edited.kind === 'broken') return edited;
    if (edited.kind === 'changed') current = edited.text;
  }
  return current === text ? { kind: 'same' } : { kind: 'changed', text: current };
}

function isAbout({ path }: Record<string, unknown>, { files }: SwitchTarget): boolean {
  return typeof path === 'string' && files.includes(path);
}

function entryFor(file: string): { path: string; enabled: false } {
  return { path: file, enabled: false };
}

/** Sets the length of the list, or removes the setting if `value` is undefined. */
export function limitIn({ limit, dialect }: SettingFiles, text: string, value: number | undefined): Edited {
  if (!limit) return NO_LIMIT;
  const parent = limit.keys.slice(0, -1);
  const key = limit.keys.at(-1) ?? '';
  if (dialect)
    return value === undefined
      ? removeFromJson(text, dialect, limit.keys)
      : setInJson(text, dialect, parent, { [key]: value });
  return value === undefined ? removeFromToml(text, parent, key) : setInToml(text, parent, key, value);
}

const NO_LIMIT: Broken = { kind: 'broken', reason: 'the agent has no such setting' };
