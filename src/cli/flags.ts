/** Flags and arguments, derived from the tables of parameters and settings. Used by the parser, help and docs. */
import type { Field } from '../core/fields/field.ts';
import type { NameKind, Param, Params } from '../operations/define.ts';
import { SETTINGS, type SettingDefinition, type SettingGroup } from '../workspace/settings-table.ts';

/** The target of a flag: a parameter of the command, a setting of the workspace, or an option of the command line. */
export type FlagTarget = 'param' | 'setting' | 'global';

export interface Flag {
  /** The first name is shown. The others are aliases. */
  names: readonly [string, ...string[]];
  /** The placeholder of a value. A flag without one is a switch. */
  value?: string;
  repeatable?: boolean;
  choices?: readonly string[];
  completes?: NameKind;
  mayBeEmpty?: boolean;
  /** Accepted, but not listed in help and completion. */
  unlisted?: boolean;
  about: string;
  target: FlagTarget;
  key: string;
  /** The value that a switch sets. */
  sets?: string | boolean;
  /** The group of a setting. */
  group?: SettingGroup;
}

export interface Argument {
  key: string;
  /** `<name>`, `[name]` or `<names...>`. */
  form: string;
  about: string;
  choices?: readonly string[];
  completes?: NameKind;
  takesMany: boolean;
  /** Whether several words form one text. */
  joins: boolean;
  passedOn: boolean;
}

const GLOBAL_PARAMS: Params = {
  projectDir: { type: 'text', placeholder: 'dir', help: 'Use this folder instead of the working folder' },
  userDir: {
    type: 'text',
    placeholder: 'dir',
    help: 'Use this folder as the home; ignores variables such as CODEX_HOME',
  },
};

const OUTPUT_PARAMS: Params = {
  json: { type: 'flag', help: 'Print one JSON document, errors included' },
  color: { type: 'flag', flags: ['--no-color'], help: 'Print no colors; NO_COLOR and FORCE_COLOR work too' },
  verbose: { type: 'flag', help: 'Print more, including the details of internal errors' },
};

export const GLOBAL_FLAGS: readonly Flag[] = [
  ...flagsOf(GLOBAL_PARAMS, 'global'),
  ...settingFlags(['global']),
  ...flagsOf(OUTPUT_PARAMS, 'global').map((flag) => (flag.key === 'color' ? { ...flag, sets: false } : flag)),
];

/** Flags accepted by every command, and without a command. */
export const HELP_FLAGS: readonly Flag[] = flagsOf(
  {
    help: { type: 'flag', flags: ['--help', '-h'], help: 'Show help' },
    version: {
      type: 'flag',
      flags: ['--version', '-V'],
      help: 'Print the version; with --json, also Node.js, the platform and paths, for bug reports',
    },
  },
  'global',
);

export function flagsOf(params: Params, target: FlagTarget = 'param'): Flag[] {
  return Object.entries(params).flatMap(([key, param]): Flag[] => {
    if (param.positional || param.hidden || (param.faces && !param.faces.includes('cli'))) return [];
    const switches = Object.entries(param.switches ?? {}).map(([name, { value, help }]): Flag => ({
      names: [name],
      about: help,
      target,
      key,
      sets: value,
    }));
    if (param.switches && !param.flags) return switches;
    return [...switches, flagOf(param, { key, names: param.flags ?? [`--${kebab(key)}`], target, sets: true })];
  });
}

export function settingFlags(groups: readonly SettingGroup[]): Flag[] {
  return Object.entries<SettingDefinition>(SETTINGS).flatMap(([key, setting]) => {
    const { flags, group, sets, flagHelp, help } = setting;
    if (flags === undefined || group === undefined || !groups.includes(group)) return [];
    const flag = flagOf(
      { ...setting, help: flagHelp ?? help },
      { key, names: flags, target: 'setting', sets: sets ?? true },
    );
    return [{ ...flag, group }];
  });
}

function flagOf(
  field: Field & { placeholder?: string; mayBeEmpty?: boolean; unlisted?: boolean; completes?: NameKind },
  { key, names, target, sets }: Pick<Flag, 'key' | 'names' | 'target'> & { sets: boolean },
): Flag {
  const about = aboutOf(field);
  const unlisted = field.unlisted ? { unlisted: true } : {};
  if (field.type === 'flag') return { names, about, target, key, sets, ...unlisted };
  const choices = choicesOf(field);
  return {
    names,
    value: field.placeholder ?? (field.type === 'integer' ? 'n' : kebab(key)),
    ...(field.type === 'list' ? { repeatable: true } : {}),
    ...(choices === undefined ? {} : { choices }),
    ...(field.completes === undefined ? {} : { completes: field.completes }),
    ...(field.mayBeEmpty ? { mayBeEmpty: true } : {}),
    ...unlisted,
    about,
    target,
    key,
  };
}

export function argumentsOf(params: Params): Argument[] {
  return Object.entries(params)
    .filter(([, { positional }]) => positional)
    .map(([key, param]) => {
      const takesMany = param.type === 'list' || param.positional === 'words';
      const choices = choicesOf(param);
      return {
        key,
        form: formOf(key, param, takesMany),
        about: aboutOf(param),
        ...(choices === undefined ? {} : { choices }),
        ...(param.completes === undefined ? {} : { completes: param.completes }),
        takesMany,
        joins: param.positional === 'words',
        passedOn: param.passedOn ?? false,
      };
    });
}

function formOf(key: string, { placeholder = kebab(key), required = false }: Param, takesMany: boolean): string {
  const name = `${placeholder}${takesMany ? '...' : ''}`;
  return required ? `<${name}>` : `[${name}]`;
}

function choicesOf(field: Field): readonly string[] | undefined {
  if (field.type === 'list') return choicesOf(field.of);
  return field.type === 'choice' ? field.choices : undefined;
}

/** Returns the help text of a field with its choices, bounds and default. */
export function aboutOf(field: Field): string {
  const { help = '' } = field;
  const facts: string[] = [];
  const choices = choicesOf(field);
  if (choices && !choices.every((choice) => help.includes(choice))) facts.push(choices.join(', '));
  if ((field.type === 'integer' || field.type === 'number') && field.min !== undefined && field.max !== undefined)
    if (field.max < 1_000_000) facts.push(`${field.min} to ${field.max}`);
  const shown = typeof field.default === 'string' || typeof field.default === 'number';
  if (shown) facts.push(`default ${field.default}`);
  return facts.length === 0 ? help : `${help} (${facts.join('; ')})`;
}

function kebab(key: string): string {
  return key.replaceAll('_', '-').replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** The values on the command line, by key. */
export type Given = Record<string, string | boolean | string[]>;
export type GivenByTarget = Record<FlagTarget, Given>;
