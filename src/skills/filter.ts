/**
 * Applies include and exclude filters: first the state, then the includes in their order (each skill once), then the
 * excludes.
 */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { memo } from '../core/memo.ts';
import { echo, foldName } from '../core/text.ts';
import { wildcard } from '../core/wildcard.ts';
import { SkillCatalog } from './catalog.ts';
import { keysOf } from './name-lookup.ts';
import { filterNoMatch, filterTooLong } from './codes.ts';
import type { Skill } from './skill.ts';

export type State = 'enabled' | 'disabled' | 'all';

export interface FilterOptions {
  include: readonly string[];
  exclude: readonly string[];
  state: State;
  /** Base folder of tokens that are paths. */
  projectDir: string;
}

export interface Filtered {
  skills: Skill[];
  diagnostics: Diagnostic[];
}

/** Splits tokens at commas: `a,b` is the same as two flags. Empty tokens are dropped. */
export function splitTokens(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((token) => token.trim())
    .filter((token) => token !== '');
}

/** Limits the number of tokens. Project settings can contain any number, and each may be compared with every skill. */
function countedTokens(values: readonly string[]): { tokens: string[]; left: number } {
  const tokens = splitTokens(values);
  const { value: most } = LIMITS.filterPatterns;
  return { tokens: tokens.slice(0, most), left: Math.max(0, tokens.length - most) };
}

export function filterSkills(skills: readonly Skill[], options: FilterOptions): Filtered {
  const diagnostics: Diagnostic[] = [];
  const inState = skills.filter(
    ({ disabled }) => options.state === 'all' || disabled === (options.state === 'disabled'),
  );
  const counted = (values: readonly string[], flag: string): string[] => {
    const { tokens, left } = countedTokens(values);
    const message = `only the first ${tokens.length} patterns are used; ${left} more ignored`;
    if (left > 0) diagnostics.push(filterTooLong.at({ path: flag, message }));
    return tokens;
  };
  const include = counted(options.include, '--include');
  const exclude = counted(options.exclude, '--exclude');
  if (include.length === 0 && exclude.length === 0) return { skills: inState, diagnostics };
  const catalog = new SkillCatalog(inState);
  // A link from the folder of another agent counts for --include, but never for --exclude.
  const keys = { '--include': keysByLinks(true), '--exclude': keysByLinks(false) };
  const select = (token: string, flag: keyof typeof keys): Skill[] => {
    const test = matcher(token, catalog, options.projectDir, keys[flag]);
    const matched = inState.filter(test);
    if (matched.length === 0 && token !== 'auto' && token !== 'all') {
      const other = options.state === 'enabled' ? 'disabled' : 'enabled';
      const what = skills.some(test) ? `${options.state} skill, only ${other} ones` : 'skill';
      diagnostics.push(filterNoMatch.at({ path: flag, message: `"${echo(token)}" matches no ${what}` }));
    }
    return matched;
  };
  const included = new Set(include.length === 0 ? inState : include.flatMap((token) => select(token, '--include')));
  for (const token of exclude) {
    for (const skill of select(token, '--exclude')) included.delete(skill);
  }
  return { skills: [...included], diagnostics };
}

/** Fails with INVALID_FILTER if a token cannot be parsed. */
export function checkFilters(values: readonly string[]): void {
  const none = new SkillCatalog([]);
  for (const token of countedTokens(values).tokens) matcher(token, none, path.sep, keysByLinks(false));
}

type Test = (skill: Skill) => boolean;
type Keys = (skill: Skill) => ReadonlySet<string>;

function matcher(token: string, catalog: SkillCatalog, projectDir: string, keys: Keys): Test {
  if (token === 'all') return () => true;
  if (token === 'auto') return (skill) => catalog.isWinner(skill);

  const plugins = /^(?:(?<provider>[^:@]+):)?@plugins(?::(?<plugin>.+))?$/u.exec(token)?.groups;
  if (plugins) return pluginGroup(token, plugins['provider'], plugins['plugin']);

  const named = pathOfToken(token);
  if (named !== undefined) {
    const place = path.resolve(projectDir, named);
    return (skill) =>
      skill.file === place ||
      skill.dir === place ||
      skill.dir.startsWith(place.endsWith(path.sep) ? place : place + path.sep);
  }
  if (/^:|:$|::/u.test(token)) {
    throw new Failure('INVALID_FILTER', `The filter "${echo(token)}" has an empty part.`, {
      hint: 'Write provider:name, @plugin:name or a name; * and ? are wildcards.',
    });
  }
  const wanted = foldName(token);
  if (!/[*?]/u.test(wanted)) return (skill) => keys(skill).has(wanted);
  const pattern = wildcard(wanted);
  return (skill) => {
    for (const key of keys(skill)) if (pattern(key)) return true;
    return false;
  };
}

/** Lectern reads only the plugins of Claude Code. */
function pluginGroup(token: string, provider: string | undefined, plugin: string | undefined): Test {
  if (provider !== undefined && foldName(provider) !== 'claude') {
    throw new Failure('INVALID_FILTER', `"${echo(token)}": ${echo(provider)} has no plugins.`, {
      hint: `Use claude:@plugins or @plugins for plugin skills, or ${echo(provider)} for all its skills.`,
    });
  }
  if (plugin === undefined) return (skill) => skill.plugin !== undefined;
  const pattern = wildcard(foldName(plugin));
  return (skill) => skill.plugin !== undefined && pattern(foldName(skill.plugin));
}

const FILE_TOKEN = 'file:';

/** Returns the path of a `file:` token. Undefined for any other token. */
function pathOfToken(token: string): string | undefined {
  const place = token.startsWith(FILE_TOKEN) ? token.slice(FILE_TOKEN.length) : '';
  return looksLikePath(place) ? place : undefined;
}

/** Returns the paths of `file:` tokens, which also add the folder to the search. */
export function includedPaths(include: readonly string[], projectDir: string): string[] {
  return countedTokens(include).tokens.flatMap((token) => {
    const place = pathOfToken(token);
    return place === undefined ? [] : [path.resolve(projectDir, place)];
  });
}

/** Applies `change` to every path in the tokens of one flag. */
export function mapFilterPaths(value: string, change: (place: string) => string): string {
  return value
    .split(',')
    .map((token) => {
      const place = pathOfToken(token.trim());
      return place === undefined ? token : FILE_TOKEN + change(place);
    })
    .join(',');
}

function looksLikePath(text: string): boolean {
  return text.startsWith('.') || text.includes('/') || text.includes(path.sep);
}

/** Returns the names that a token can match. Computed once per skill, independent of the number of tokens. */
function keysByLinks(throughLinks: boolean): Keys {
  return memo((skill: Skill) => {
    const alsoAt = throughLinks ? skill.alsoAt : [];
    const providers = [
      skill.provider,
      ...alsoAt.map(({ provider }) => provider),
      ...(skill.scope === undefined ? [] : [skill.scope]),
    ];
    return new Set([
      ...keysOf(skill, skill.name, alsoAt),
      ...keysOf(skill, skill.folder, alsoAt),
      ...providers.map(foldName),
    ]);
  });
}
