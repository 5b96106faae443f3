/** Locations of the skill settings of each agent, and the form of a setting that disables one skill. */
import path from 'node:path';
import { type JsonDialect, LENIENT_JSON, STRICT_JSON } from '../core/config-text/json-dialect.ts';
import type { SettingScope } from './names.ts';
import type { Profile } from './profile.ts';
import { claudeFolder, homeFolder, type Surroundings } from './surroundings.ts';

export type SettingsKind = NonNullable<Profile['settings']>;

/** How a setting disables one skill. */
export type SwitchForm =
  /** A property with the name of the skill. */
  | { readonly kind: 'property'; readonly keys: readonly string[]; readonly value: string }
  /** The name of the skill in a list. */
  | { readonly kind: 'item'; readonly keys: readonly string[] }
  /** A table with the path of the `SKILL.md`. */
  | { readonly kind: 'table'; readonly keys: readonly string[] };

export interface SettingFiles {
  /** The first scope is the default. */
  readonly scopes: readonly [SettingScope, ...SettingScope[]];
  /** TOML if undefined. */
  readonly dialect?: JsonDialect;
  /** The agent cannot read a file that starts with a byte order mark. */
  readonly refusesMark?: true;
  readonly form: SwitchForm;
  /** Setting for the length of the list, if there is one. */
  readonly limit?: { readonly keys: readonly string[]; readonly max?: number };
  /** Names with wildcards would be read as patterns. */
  readonly hasPatterns?: true;
}

export const SETTING_FILES: Readonly<Partial<Record<SettingsKind, SettingFiles>>> = {
  claude: {
    scopes: ['local', 'user', 'project'],
    dialect: STRICT_JSON,
    form: { kind: 'property', keys: ['skillOverrides'], value: 'off' },
    limit: { keys: ['skillListingBudgetFraction'] },
  },
  codex: {
    scopes: ['user'],
    form: { kind: 'table', keys: ['skills', 'config'] },
    limit: { keys: ['skills', 'max_context_tokens'], max: 10_000 },
  },
  gemini: {
    scopes: ['user', 'project'],
    dialect: { comments: true, trailingCommas: false },
    refusesMark: true,
    form: { kind: 'item', keys: ['skills', 'disabled'] },
  },
  opencode: {
    scopes: ['user', 'project'],
    dialect: LENIENT_JSON,
    form: { kind: 'property', keys: ['permission', 'skill'], value: 'deny' },
    hasPatterns: true,
  },
};

/**
 * Returns the settings files of a scope, most preferred first: those in the working folder before those above it. Empty without a
 * home folder.
 */
export function settingFiles(kind: SettingsKind, scope: SettingScope, at: Surroundings): string[] {
  switch (kind) {
    case 'claude':
      if (scope === 'user') return inFolder(claudeFolder(at), 'settings.json');
      return at.folders.map((dir) =>
        path.join(dir, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json'),
      );
    case 'codex':
      return scope === 'user' ? inFolder(homeFolder(at, '.codex', 'CODEX_HOME'), 'config.toml') : [];
    case 'gemini':
      if (scope === 'local') return [];
      return inFolder(scope === 'user' ? at.userDir : at.projectDir, '.gemini', 'settings.json');
    case 'opencode':
      if (scope === 'local') return [];
      return (scope === 'user' ? [opencodeFolder(at)] : at.folders).flatMap((dir) => [
        ...inFolder(dir, 'opencode.jsonc'),
        ...inFolder(dir, 'opencode.json'),
      ]);
    default:
      return [];
  }
}

/**
 * Returns every configuration file of opencode. Later files count more, and those in `.opencode` folders more than all others: the
 * outermost folder of the project more than the nearest, and the one in the home folder most.
 */
export function opencodeFiles(at: Surroundings): { user: string[]; project: string[]; folders: string[] } {
  const own = opencodeFolder(at);
  const dirs = [...at.folders, ...(at.userDir === undefined ? [] : [at.userDir])];
  return {
    user: [...inFolder(own, 'config.json'), ...settingFiles('opencode', 'user', at).reverse()],
    project: settingFiles('opencode', 'project', at).reverse(),
    folders: dirs.flatMap((dir) =>
      ['opencode.json', 'opencode.jsonc'].map((name) => path.join(dir, '.opencode', name)),
    ),
  };
}

function opencodeFolder(at: Surroundings): string | undefined {
  const config = homeFolder(at, '.config', 'XDG_CONFIG_HOME');
  return config === undefined ? undefined : path.join(config, 'opencode');
}

function inFolder(dir: string | undefined, ...below: string[]): string[] {
  return dir === undefined ? [] : [path.join(dir, ...below)];
}

/** Returns the scope of a settings file, if `lectern enable --for` looks there. */
export function scopeOf(kind: SettingsKind, file: string, at: Surroundings): SettingScope | undefined {
  return SETTING_FILES[kind]?.scopes.find((scope) => settingFiles(kind, scope, at).includes(file));
}

/** Returns the key of the setting that disables a skill, for messages. */
export function switchKey(form: SwitchForm, name: string): string {
  if (form.kind === 'table') return `[[${form.keys.join('.')}]]`;
  return form.kind === 'item' ? form.keys.join('.') : `${form.keys.join('.')}["${name}"]`;
}
