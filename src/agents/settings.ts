/** Reads the skill settings of an agent from its files. No agent is started. */
import path from 'node:path';
import { tryReadTarget } from '../core/disk/answers.ts';
import { readingInside } from '../core/disk/confined.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { pluginSwitches, readClaudeSettings } from '../skills/roots/claude-files.ts';
import type { Profile } from './profile.ts';

/** Folder in which an agent would be started, and its user. */
export interface Surroundings {
  projectDir: string;
  /** The working folder and the folders above it that belong to the project, nearest first. */
  folders: readonly string[];
  userDir: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  /** Current time in milliseconds. Claude Code discounts older uses of a skill. */
  now: number;
}

/** A setting that removes a skill from the list or restores it. The last match counts. */
export interface Switch {
  match: { name: string } | { file: string } | { pattern: string };
  state: 'on' | 'off' | 'manual' | 'name-only';
  /** File and key of the setting, for the fix. */
  file: string;
  key: string;
}

export interface AgentSettings {
  switches: readonly Switch[];
  /** Context window of the model in tokens. */
  window?: number | undefined;
  /** Fraction of the window for the list. */
  fraction?: number | undefined;
  /** Overrides the computed length of the list. */
  limit?: number | undefined;
  /** Overrides the maximum length of a description, including built-in skills. */
  entryMax?: number | undefined;
  /** Like `entryMax` but without built-in skills, to compute the gain of shorter descriptions. */
  ownMax?: number | undefined;
  withoutBuiltIn?: boolean | undefined;
  /** Whether each plugin is enabled, by `plugin@marketplace`. */
  plugins: ReadonlyMap<string, boolean>;
  /** Usage of each skill, by name. The most used skills get their description first. */
  usage: ReadonlyMap<string, number>;
  /** Reason why the switches cannot be evaluated. */
  undecided?: { reason: string; fix: string } | undefined;
  /** Reason why the skills of the project are not read. */
  distrust?: { reason: string; fix: string } | undefined;
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
    default:
      return NO_SETTINGS;
  }
}

/** Returns the folder from an environment variable, or the default in the home folder. */
function homeFolder(at: Surroundings, below: string, variable?: string): string | undefined {
  const named = variable === undefined ? undefined : at.environment[variable];
  if (named !== undefined && path.isAbsolute(named)) return named;
  return at.userDir === undefined ? undefined : path.join(at.userDir, below);
}

export function claudeFolder(at: Surroundings): string | undefined {
  return homeFolder(at, '.claude', 'CLAUDE_CONFIG_DIR');
}

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
  for (const { file, settings } of files) {
    merged = { ...merged, ...settings };
    for (const [name, given] of entriesIn(settings['skillOverrides'])) {
      const state = typeof given === 'string' ? OVERRIDES[given] : undefined;
      if (state) switches.push({ match: { name }, state, file, key: `skillOverrides["${name}"]` });
    }
  }
  const model = merged['model'];
  return {
    switches,
    plugins: new Map(Array.from(pluginSwitches(files).states, ([id, { isOn }]) => [id, isOn])),
    usage: claudeUsage(tree, at),
    window: typeof model === 'string' && SMALL_CLAUDE.test(model) ? 200_000 : undefined,
    fraction: numberIn(merged['skillListingBudgetFraction']),
    entryMax: numberIn(merged['skillListingMaxDescChars']),
    limit: numberIn(Number(at.environment['SLASH_COMMAND_TOOL_CHAR_BUDGET'] ?? Number.NaN)),
    withoutBuiltIn: merged['disableBundledSkills'] === true,
  };
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

function claudeUsage(tree: FileTree, at: Surroundings): Map<string, number> {
  const moved = at.environment['CLAUDE_CONFIG_DIR'] === undefined ? undefined : claudeFolder(at);
  const dir = moved ?? at.userDir;
  const used = dir === undefined ? undefined : recordIn(tree, path.join(dir, '.claude.json'))['skillUsage'];
  const usage = new Map<string, number>();
  for (const [name, entry] of entriesIn(used)) {
    const count = isRecord(entry) ? numberIn(entry['usageCount']) : undefined;
    if (!isRecord(entry) || count === undefined) continue;
    const last = timeIn(entry['lastUsedAt']) ?? at.now;
    usage.set(name, count * Math.max(0.1, 0.5 ** (Math.max(0, at.now - last) / WEEK_MS)));
  }
  return usage;
}

/** Reads only the user's file, because skill settings in a project's config.toml have no effect. */
async function codexSettings(tree: FileTree, at: Surroundings): Promise<AgentSettings> {
  const home = homeFolder(at, '.codex', 'CODEX_HOME');
  if (home === undefined) return NO_SETTINGS;
  const file = path.join(home, 'config.toml');
  const config = await readToml(tree, file);
  const skills = isRecord(config['skills']) ? config['skills'] : {};
  const switches = (Array.isArray(skills['config']) ? skills['config'] : [])
    .filter(isRecord)
    .flatMap((entry): Switch[] => {
      const state = entry['enabled'] === false ? 'off' : 'on';
      const key = '[[skills.config]]';
      if (typeof entry['path'] === 'string') return [{ match: { file: entry['path'] }, state, file, key }];
      return typeof entry['name'] === 'string' ? [{ match: { name: entry['name'] }, state, file, key }] : [];
    });
  const limit = numberIn(skills['max_context_tokens']);
  return {
    ...NO_SETTINGS,
    switches,
    window: numberIn(config['model_context_window']),
    limit: limit === undefined ? undefined : Math.min(limit, CODEX_LIMIT_MAX),
  };
}

/** Maximum of `skills.max_context_tokens`. */
const CODEX_LIMIT_MAX = 10_000;

async function geminiSettings(tree: FileTree, inProject: FileTree, at: Surroundings): Promise<AgentSettings> {
  const own = at.userDir === undefined ? undefined : path.join(at.userDir, '.gemini/settings.json');
  const shared = path.join(at.projectDir, '.gemini/settings.json');
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
        switches.push({ match: { name }, state: 'off', file, key: 'skills.disabled' });
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

async function opencodeSettings(tree: FileTree, inProject: FileTree, at: Surroundings): Promise<AgentSettings> {
  const named = at.environment['XDG_CONFIG_HOME'];
  const configHome =
    named !== undefined && path.isAbsolute(named)
      ? named
      : at.userDir === undefined
        ? undefined
        : path.join(at.userDir, '.config');
  const own = configHome === undefined ? [] : namesIn(path.join(configHome, 'opencode'));
  const switches: Switch[] = [];
  for (const file of [...own, ...[...at.folders].reverse().flatMap(namesIn)]) {
    const { permission } = await readLooseJson(own.includes(file) ? tree : inProject, file);
    const rule = isRecord(permission) ? permission['skill'] : undefined;
    const rules = typeof rule === 'string' ? [['*', rule] as const] : entriesIn(rule);
    for (const [pattern, action] of rules)
      switches.push({
        match: /[*?]/u.test(pattern) ? { pattern } : { name: pattern },
        state: action === 'deny' ? 'off' : 'on',
        file,
        key: `permission.skill["${pattern}"]`,
      });
  }
  return { ...NO_SETTINGS, switches, ...tooManyPatterns(switches) };
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

function namesIn(dir: string): string[] {
  return ['opencode.json', 'opencode.jsonc'].map((name) => path.join(dir, name));
}

/** Reads a JSON object from a file. Returns an empty object if the file is missing or invalid. */
function recordIn(tree: FileTree, file: string): Record<string, unknown> {
  const read = readJsonFile(tree, file);
  return read.kind === 'value' && isRecord(read.value) ? read.value : {};
}

/** Reads JSON with comments and trailing commas. */
async function readLooseJson(tree: FileTree, file: string): Promise<Record<string, unknown>> {
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

async function readToml(tree: FileTree, file: string): Promise<Record<string, unknown>> {
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
  return read === undefined || read instanceof FileTrouble ? undefined : Buffer.from(read.bytes).toString('utf8');
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
