/** Reads the skill settings of an agent from its files. No agent is started. */
import path from 'node:path';
import { realPlace, tryReadTarget } from '../core/disk/answers.ts';
import { readingInside } from '../core/disk/confined.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { grouped } from '../core/text.ts';
import { pluginSwitches, readClaudeSettings } from '../skills/roots/claude-files.ts';
import type { SettingScope } from './names.ts';
import type { Profile } from './profile.ts';
import { opencodeFiles, SETTING_FILES, scopeOf, settingFiles, type SettingsKind, switchKey } from './setting-files.ts';
import { claudeFolder, type Surroundings } from './surroundings.ts';

/** A setting that removes a skill from the list or restores it. The last match counts. */
export interface Switch {
  match: { name: string } | { file: string } | { pattern: string };
  state: 'on' | 'off' | 'manual' | 'name-only';
  /** File and key of the setting, for the fix. */
  file: string;
  key: string;
  /** Set if `lectern disable --for` writes such a setting to this file, so that `lectern enable --for` removes it. */
  scope?: SettingScope | undefined;
}

export interface AgentSettings {
  switches: readonly Switch[];
  /** Context window of the model in tokens. */
  window?: number | undefined;
  /** Fraction of the window for the list. */
  fraction?: number | undefined;
  /** Overrides the computed length of the list. */
  limit?: number | undefined;
  /** Source of `fraction` or `limit`. */
  limitedBy?: { file: string } | { variable: string } | undefined;
  /** Overrides the maximum length of a description, including built-in skills. */
  entryMax?: number | undefined;
  /** Simulates descriptions shortened to this length, except those of built-in skills. */
  ownMax?: number | undefined;
  withoutBuiltIn?: boolean | undefined;
  /** Whether each plugin is enabled, by `plugin@marketplace`. */
  plugins: ReadonlyMap<string, boolean>;
  /** Usage of each skill, by name. The most used skills get their description first. */
  usage: ReadonlyMap<string, number>;
  /** Time of the last use of each skill, by name, in milliseconds, if the agent records it. */
  lastUsed?: ReadonlyMap<string, number> | undefined;
  /** Reason why the switches cannot be evaluated. */
  undecided?: { reason: string; fix: string } | undefined;
  /** Reason why the skills of the project are not read. */
  distrust?: { reason: string; fix: string } | undefined;
  /** Folders of skills that the settings add. */
  added?: readonly AddedFolder[] | undefined;
}

export interface AddedFolder {
  dir: string;
  inProject: boolean;
  /** Reason why Lectern does not read the folder, although the agent does. */
  unread?: string;
}

const NO_SETTINGS: AgentSettings = { switches: [], plugins: new Map(), usage: new Map() };

export async function readSettings(profile: Profile, tree: FileTree, at: Surroundings): Promise<AgentSettings> {
  const inProject = readingInside(at.folders.at(-1) ?? at.projectDir, tree);
  switch (profile.settings) {
    case 'claude':
      return claudeSettings(tree, at);
    case 'codex':
      return codexSettings(tree, at);
    case 'gemini':
      return geminiSettings(tree, inProject, at);
    case 'opencode':
      return opencodeSettings(tree, inProject, at);
    case 'pi':
      return piSettings(tree, at);
    default:
      return NO_SETTINGS;
  }
}

/** Settings of Claude Code for the length of the list. The variable overrides the fraction. */
const FRACTION = 'skillListingBudgetFraction';
const BUDGET_VARIABLE = 'SLASH_COMMAND_TOOL_CHAR_BUDGET';

const OVERRIDES: Readonly<Record<string, Switch['state']>> = {
  on: 'on',
  off: 'off',
  'name-only': 'name-only',
  'user-invocable-only': 'manual',
};

/** Claude Code models with a window of 200,000 tokens. The default model has 1,000,000. */
const SMALL_CLAUDE = /(?:sonnet|haiku)-4-5/u;

function claudeSettings(tree: FileTree, at: Surroundings): AgentSettings {
  const files = readClaudeSettings(tree, claudeFolder(at), at.folders);
  const switches: Switch[] = [];
  let merged: Record<string, unknown> = {};
  let fractionFile: string | undefined;
  for (const { file, settings } of files) {
    merged = { ...merged, ...settings };
    const scope = scopeOf('claude', file, at);
    for (const [name, given] of entriesIn(settings['skillOverrides'])) {
      const state = typeof given === 'string' ? OVERRIDES[given] : undefined;
      if (state) switches.push({ match: { name }, state, file, key: keyOf('claude', name), ...ownScope(state, scope) });
    }
    if (numberIn(settings[FRACTION]) !== undefined) fractionFile = file;
  }
  const model = merged['model'];
  const limit = numberIn(Number(at.environment[BUDGET_VARIABLE] ?? Number.NaN));
  return {
    switches,
    plugins: new Map(Array.from(pluginSwitches(files).states, ([id, { isOn }]) => [id, isOn])),
    ...claudeUsage(tree, at),
    window: typeof model === 'string' && SMALL_CLAUDE.test(model) ? 200_000 : undefined,
    fraction: numberIn(merged[FRACTION]),
    entryMax: numberIn(merged['skillListingMaxDescChars']),
    limit,
    limitedBy:
      limit !== undefined
        ? { variable: BUDGET_VARIABLE }
        : fractionFile === undefined
          ? undefined
          : { file: fractionFile },
    withoutBuiltIn: merged['disableBundledSkills'] === true,
  };
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

function claudeUsage(tree: FileTree, at: Surroundings): Required<Pick<AgentSettings, 'usage' | 'lastUsed'>> {
  const moved = at.environment['CLAUDE_CONFIG_DIR'] === undefined ? undefined : claudeFolder(at);
  const dir = moved ?? at.userDir;
  const used = dir === undefined ? undefined : recordIn(tree, path.join(dir, '.claude.json'))['skillUsage'];
  const usage = new Map<string, number>();
  const lastUsed = new Map<string, number>();
  for (const [name, entry] of entriesIn(used)) {
    const count = isRecord(entry) ? numberIn(entry['usageCount']) : undefined;
    if (!isRecord(entry) || count === undefined) continue;
    const last = timeIn(entry['lastUsedAt']) ?? at.now;
    usage.set(name, count * Math.max(0.1, 0.5 ** (Math.max(0, at.now - last) / WEEK_MS)));
    lastUsed.set(name, last);
  }
  return { usage, lastUsed };
}

/** Reads only the user's file, because skill settings in a project's config.toml have no effect. */
async function codexSettings(tree: FileTree, at: Surroundings): Promise<AgentSettings> {
  const [file] = settingFiles('codex', 'user', at);
  if (file === undefined) return NO_SETTINGS;
  const config = await readToml(tree, file);
  const skills = isRecord(config['skills']) ? config['skills'] : {};
  const switches = (Array.isArray(skills['config']) ? skills['config'] : [])
    .filter(isRecord)
    .flatMap((entry): Switch[] => {
      const state = entry['enabled'] === false ? 'off' : 'on';
      const key = '[[skills.config]]';
      if (typeof entry['path'] === 'string')
        return [{ match: { file: entry['path'] }, state, file, key, ...(isOwnTable(entry) ? { scope: 'user' } : {}) }];
      return typeof entry['name'] === 'string' ? [{ match: { name: entry['name'] }, state, file, key }] : [];
    });
  const limit = numberIn(skills['max_context_tokens']);
  return {
    ...NO_SETTINGS,
    switches,
    window: numberIn(config['model_context_window']),
    limit: limit === undefined ? undefined : Math.min(limit, SETTING_FILES.codex?.limit?.max ?? limit),
    limitedBy: limit === undefined ? undefined : { file },
  };
}

/** Whether `lectern disable --for` writes such a table. */
function isOwnTable(entry: Record<string, unknown>): boolean {
  return entry['enabled'] === false && Object.keys(entry).length === 2;
}

async function geminiSettings(tree: FileTree, inProject: FileTree, at: Surroundings): Promise<AgentSettings> {
  const [own] = settingFiles('gemini', 'user', at);
  const [shared] = settingFiles('gemini', 'project', at);
  const switches: Switch[] = [];
  let isTrustAsked = true;
  for (const [file, files] of [
    [own, tree],
    [shared, inProject],
  ] as const) {
    const settings = file === undefined ? {} : await readLooseJson(files, file);
    const disabled = isRecord(settings['skills']) ? settings['skills']['disabled'] : undefined;
    for (const name of Array.isArray(disabled) ? disabled : [])
      if (typeof name === 'string' && file !== undefined)
        switches.push({
          match: { name },
          state: 'off',
          file,
          key: keyOf('gemini', name),
          scope: file === own ? 'user' : 'project',
        });
    const security = isRecord(settings['security']) ? settings['security']['folderTrust'] : undefined;
    if (file === own && isRecord(security) && security['enabled'] === false) isTrustAsked = false;
  }
  const trustFile = at.userDir === undefined ? undefined : path.join(at.userDir, '.gemini/trustedFolders.json');
  const { GEMINI_CLI_TRUST_WORKSPACE: given, GEMINI_RESTRICTED_MODE: restricted } = at.environment;
  const reason = 'Gemini CLI does not trust this folder, so it reads no skills from it';
  if (given === 'false' || restricted === 'true') {
    const variable = given === 'false' ? 'GEMINI_CLI_TRUST_WORKSPACE' : 'GEMINI_RESTRICTED_MODE';
    return { ...NO_SETTINGS, switches, distrust: { reason, fix: `Unset ${variable}` } };
  }
  const isRefused =
    given !== 'true' &&
    isTrustAsked &&
    trustFile !== undefined &&
    isDistrusted(await readLooseJson(tree, trustFile), at);
  const fix = `Trust the folder: start gemini here and run /permissions, or edit ${trustFile}`;
  return { ...NO_SETTINGS, switches, distrust: isRefused ? { reason, fix } : undefined };
}

/** The longest rule for the folder or a folder above it counts. Without a rule, Gemini CLI prompts the user. */
function isDistrusted(rules: Record<string, unknown>, { projectDir }: Surroundings): boolean {
  const about = Object.entries(rules).filter(([place, level]) =>
    isInside(level === 'TRUST_PARENT' ? path.dirname(place) : place, projectDir),
  );
  const [longest] = about.sort(([a], [b]) => b.length - a.length);
  return longest?.[1] === 'DO_NOT_TRUST';
}

/** The nearest rule for the folder or a folder above it counts. Without a rule, Pi prompts the user. */
function piSettings(tree: FileTree, at: Surroundings): AgentSettings {
  if (at.userDir === undefined) return NO_SETTINGS;
  const file = path.join(at.userDir, '.pi/agent/trust.json');
  const rules = recordIn(tree, file);
  for (let dir = at.projectDir; ; dir = path.dirname(dir)) {
    const rule = Object.hasOwn(rules, dir) ? rules[dir] : undefined;
    if (rule === true || path.dirname(dir) === dir) return NO_SETTINGS;
    if (rule === false)
      return {
        ...NO_SETTINGS,
        distrust: {
          reason: 'Pi does not trust this folder, so it reads no skills from it',
          fix: `Start Pi with pi --approve, or delete "${dir}" in ${file}`,
        },
      };
  }
}

async function opencodeSettings(tree: FileTree, inProject: FileTree, at: Surroundings): Promise<AgentSettings> {
  const { user, project, folders } = opencodeFiles(at);
  const written = { user: settingFiles('opencode', 'user', at), project: settingFiles('opencode', 'project', at) };
  const scopeOfFile = (file: string): SettingScope | undefined =>
    written.user.includes(file) ? 'user' : written.project.includes(file) ? 'project' : undefined;
  const switches: Switch[] = [];
  let added: AddedFolder[] = [];
  for (const file of new Set([...user, ...project, ...folders])) {
    const isOwn = user.includes(file) || (at.userDir !== undefined && path.dirname(path.dirname(file)) === at.userDir);
    const { permission, skills } = await readLooseJson(isOwn ? tree : inProject, file);
    const paths = isRecord(skills) ? skills['paths'] : undefined;
    // The paths of a later file replace those of an earlier one.
    if (Array.isArray(paths)) added = addedFolders(paths, file, isOwn, tree, at);
    const rule = isRecord(permission) ? permission['skill'] : undefined;
    const rules = typeof rule === 'string' ? [['*', rule] as const] : entriesIn(rule);
    for (const [pattern, action] of rules) {
      const isPattern = /[*?]/u.test(pattern);
      const state = action === 'deny' ? 'off' : 'on';
      switches.push({
        match: isPattern ? { pattern } : { name: pattern },
        state,
        file,
        key: keyOf('opencode', pattern),
        ...(isPattern ? {} : ownScope(state, scopeOfFile(file))),
      });
    }
  }
  return { ...NO_SETTINGS, switches, added, ...tooManyPatterns(switches) };
}

/** Resolves `skills.paths` as opencode does: `~/` and `{env:NAME}` are replaced, and the rest is relative to the working folder. */
function addedFolders(
  paths: readonly unknown[],
  file: string,
  isOwn: boolean,
  tree: FileTree,
  at: Surroundings,
): AddedFolder[] {
  const root = at.folders.at(-1) ?? at.projectDir;
  const realRoot = realPlace(tree, root);
  const dirs = paths.flatMap((given) => {
    if (typeof given !== 'string') return [];
    const filled = given.replace(/\{env:([^{}]+)\}/gu, (_, name: string) => at.environment[name] ?? '');
    return filled.startsWith('~/') && at.userDir !== undefined
      ? path.join(at.userDir, filled.slice(2))
      : path.resolve(at.projectDir, filled);
  });
  return [...new Set(dirs)].map((dir, index): AddedFolder => {
    const place = { dir, inProject: isInside(root, dir) };
    if (index >= LIMITS.addedFolders.value)
      return {
        ...place,
        unread: `${file} adds ${grouped(dirs.length)} folders, and Lectern reads ${LIMITS.addedFolders.value}`,
      };
    // A cloned repository must not make Lectern read other folders of the user.
    if (!isOwn && !isInside(realRoot, realPlace(tree, dir)))
      return { ...place, unread: `${file} adds a folder outside the project, and Lectern does not read that` };
    return place;
  });
}

/** Files with very many patterns are not evaluated, because every pattern is compared with every skill. */
function tooManyPatterns(switches: readonly Switch[]): Pick<AgentSettings, 'undecided'> {
  const patterns = switches.filter(({ match }) => 'pattern' in match);
  const { value: most } = LIMITS.filterPatterns;
  const [first] = patterns;
  if (first === undefined || patterns.length <= most) return {};
  const files = [...new Set(patterns.map(({ file }) => file))].join(' and ');
  return {
    undecided: {
      reason: `the settings have ${patterns.length} patterns for skills, and Lectern evaluates at most ${most}`,
      fix: `Use fewer patterns in ${files}`,
    },
  };
}

function keyOf(kind: SettingsKind, name: string): string {
  const form = SETTING_FILES[kind]?.form;
  return form ? switchKey(form, name) : name;
}

function ownScope(state: Switch['state'], scope: SettingScope | undefined): Pick<Switch, 'scope'> {
  return state === 'off' ? { scope } : {};
}

/** Reads a JSON object from a file. Returns an empty object if the file is missing or invalid. */
function recordIn(tree: FileTree, file: string): Record<string, unknown> {
  const read = readJsonFile(tree, file);
  return read.kind === 'value' && isRecord(read.value) ? read.value : {};
}

/** Reads JSON with comments and trailing commas. */
export async function readLooseJson(tree: FileTree, file: string): Promise<Record<string, unknown>> {
  const read = readJsonFile(tree, file);
  if (read.kind === 'missing') return {};
  if (read.kind === 'value') return isRecord(read.value) ? read.value : {};
  const text = textIn(tree, file);
  if (text === undefined) return {};
  const { parse } = await import('jsonc-parser');
  try {
    const value: unknown = parse(text, [], { allowTrailingComma: true });
    return isRecord(value) ? value : {};
  } catch {
    // The parser is recursive, so a deeply nested file overflows the stack.
    return {};
  }
}

export async function readToml(tree: FileTree, file: string): Promise<Record<string, unknown>> {
  const text = textIn(tree, file);
  if (text === undefined) return {};
  const { parse } = await import('smol-toml');
  try {
    return parse(text);
  } catch {
    // Codex cannot read the file either. `lectern doctor` reports it.
    return {};
  }
}

function textIn(tree: FileTree, file: string): string | undefined {
  const read = tryReadTarget(tree, file, LIMITS.jsonFileBytes.value);
  if (read === undefined || read instanceof FileTrouble) return undefined;
  return Buffer.from(read.bytes)
    .toString('utf8')
    .replace(/^\ufeff/u, '');
}

function entriesIn(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}

function timeIn(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}
