/**
 * Determines which folders git ignores. The rules come from an untrusted repository, so they use the linear-time matcher. The
 * usual libraries convert them to regular expressions.
 */
import path from 'node:path';
import { tryRead } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { ANY, ONE, type Part, sequence } from '../core/wildcard.ts';

/** Limits that no real .gitignore exceeds: its size, and its rules with a wildcard or a slash. Larger files are not applied. */
const GITIGNORE_MAX_BYTES = 256 * 1024;
const GITIGNORE_MAX_PATTERNS = 2_000;

/** Tests whether git ignores a folder below a root. The root itself is never ignored, because it was selected for skills. */
export interface GitIgnored {
  (dir: string): boolean;
}

/** Returns undefined if no .gitignore applies, which is the common and fast case. */
export function gitIgnoredBelow(tree: FileTree, gitRoot: string, root: string): GitIgnored | undefined {
  const layers: { base: string; ignores: (folders: readonly string[]) => boolean }[] = [];
  for (let dir = root; ; dir = path.dirname(dir)) {
    const read = tryRead(tree, path.join(dir, '.gitignore'), GITIGNORE_MAX_BYTES);
    const ignores = read instanceof FileTrouble ? undefined : parseGitignore(Buffer.from(read.bytes).toString('utf8'));
    if (ignores) layers.push({ base: dir, ignores });
    if (dir === gitRoot || path.dirname(dir) === dir) break;
  }
  const isIgnored = ({ base, ignores }: (typeof layers)[number], dir: string): boolean => {
    const relative = path.relative(base, dir);
    return relative !== '' && !relative.startsWith('..') && ignores(relative.split(path.sep));
  };
  // A file that ignores the whole root is not used for the folders inside it.
  const relevant = layers.filter((layer) => !isIgnored(layer, root));
  return relevant.length === 0 ? undefined : (dir) => relevant.some((layer) => isIgnored(layer, dir));
}

interface Rule {
  at: number;
  isIgnored: boolean;
}

/**
 * Returns a test for a folder, given as its path segments. The last matching rule counts, and nothing inside an ignored folder
 * can be re-included. Matching ignores case. Undefined if the file has too many rules.
 */
export function parseGitignore(text: string): ((folders: readonly string[]) => boolean) | undefined {
  // Most rules are plain names, which allow a map lookup.
  const names = new Map<string, Rule>();
  const patterns: (Rule & { matches: (folders: readonly string[]) => boolean })[] = [];
  for (const [at, line] of text
    .replace(/^\ufeff/u, '')
    .split(/\r?\n/u)
    .entries()) {
    const isIgnored = !line.startsWith('!');
    const pattern = trimmed(isIgnored ? line : line.slice(1)).toLowerCase();
    if (pattern === '' || (isIgnored && line.startsWith('#'))) continue;
    if (/^[^*?[\]\\/]+\/?$/u.test(pattern)) names.set(pattern.replace('/', ''), { at, isIgnored });
    else if (patterns.length === GITIGNORE_MAX_PATTERNS) return undefined;
    else patterns.push({ at, isIgnored, matches: folderPattern(pattern) });
  }
  if (names.size === 0 && patterns.length === 0) return undefined;
  const known = new Map<string, boolean>();
  const ignores = (folders: readonly string[]): boolean => {
    if (folders.length === 0) return false;
    const key = folders.join('/');
    const answer =
      known.get(key) ??
      (ignores(folders.slice(0, -1)) ||
        lastRule(names.get(folders.at(-1) ?? ''), patterns, folders)?.isIgnored === true);
    known.set(key, answer);
    return answer;
  };
  return (folders) => ignores(folders.map((name) => name.toLowerCase()));
}

function lastRule(
  named: Rule | undefined,
  patterns: readonly (Rule & { matches: (folders: readonly string[]) => boolean })[],
  folders: readonly string[],
): Rule | undefined {
  const matched = patterns.findLast(({ at, matches }) => at > (named?.at ?? -1) && matches(folders));
  return matched ?? named;
}

/** Removes trailing spaces unless they are escaped with a backslash. */
function trimmed(line: string): string {
  const end = line.trimEnd();
  return end.endsWith('\\') && end.length < line.length ? `${end} ` : end;
}

/** A pattern with a slash matches the whole path, any other the last name. A trailing slash means a folder. */
function folderPattern(pattern: string): (folders: readonly string[]) => boolean {
  const bare = pattern.endsWith('/') ? pattern.slice(0, -1) : pattern;
  if (!bare.includes('/')) {
    const matches = namePattern(bare);
    return (folders) => matches(folders.at(-1) ?? '');
  }
  const names = (bare.startsWith('/') ? bare.slice(1) : bare).split('/');
  const parts = names.flatMap((name, index): Part<string>[] => {
    if (name !== '**') return [/[*?[\\]/u.test(name) ? namePattern(name) : name];
    // A trailing `**` matches everything inside, but not the folder itself.
    return index === names.length - 1 ? [ANY, ONE] : [ANY];
  });
  return sequence(parts);
}

function namePattern(name: string): (given: string) => boolean {
  const characters = [...name];
  const parts: Part<string>[] = [];
  const lastEnd = characters.lastIndexOf(']');
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    const end = character === '[' && at + 2 <= lastEnd ? characters.indexOf(']', at + 2) : -1;
    if (character === '*') parts.push(ANY);
    else if (character === '?') parts.push(ONE);
    else if (character === '\\') parts.push(characters[++at] ?? '');
    else if (end === -1) parts.push(character);
    else {
      parts.push(characterSet(characters.slice(at + 1, end)));
      at = end;
    }
  }
  const matches = sequence(parts);
  return (given) => matches([...given]);
}

/** Parses `[a-z_]`, or the negated form `[!a-z]`. */
function characterSet(characters: readonly string[]): (character: string) => boolean {
  const isNegated = characters[0] === '!' || characters[0] === '^';
  const ranges: [string, string][] = [];
  for (let at = isNegated ? 1 : 0; at < characters.length; at++) {
    const from = characters[at] ?? '';
    const isRange = characters[at + 1] === '-' && at + 2 < characters.length;
    ranges.push([from, isRange ? (characters[at + 2] ?? from) : from]);
    if (isRange) at += 2;
  }
  return (character) => ranges.some(([from, to]) => character >= from && character <= to) !== isNegated;
}
