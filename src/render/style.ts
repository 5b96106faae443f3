import path from 'node:path';
import { isInside } from '../core/inside.ts';
import { lineForTerminal } from '../core/text.ts';

/** Colors and width of the output. Renderers take a style and return a string. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** Shortens a path: relative to the working folder, or with `~` for the home. Safe for a terminal. */
  place(file: string, line?: number): string;
  /** Shortens paths in one of our own sentences, which may quote file content. Safe for a terminal. */
  say(sentence: string): string;
  /** Width in columns; undefined if the output has none, as in a pipe. */
  width: number | undefined;
}

export interface StyleOptions {
  color: boolean;
  width?: number | undefined;
  /** Working folder and home, used to shorten paths. */
  cwd?: string | undefined;
  home?: string | undefined;
}

const ESCAPE = '\u001b[';

export function makeStyle({ color, width, cwd, home }: StyleOptions): Style {
  const paint = (open: number, close: number) => (text: string) =>
    color && text !== '' ? `${ESCAPE}${open}m${text}${ESCAPE}${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    place: (file, line) => safe(shortPath(file, cwd, home)) + (line === undefined ? '' : `:${line}`),
    say: (sentence) => safe(shortPaths(shortPaths(sentence, cwd, ''), home, `~${path.sep}`)),
    width,
  };
}

/** No path is shortened relative to the root of a file system, because it contains everything. */
function shortPath(file: string, cwd: string | undefined, home: string | undefined): string {
  if (!path.isAbsolute(file)) return file;
  const isBelow = (dir: string | undefined): dir is string =>
    dir !== undefined && path.dirname(dir) !== dir && isInside(dir, file);
  if (isBelow(cwd)) return path.relative(cwd, file) || '.';
  return isBelow(home) ? path.join('~', path.relative(home, file)) : file;
}

/**
 * Shortens paths below a folder in a sentence. A command in it still works in a shell: `~` precedes the quotes of a word, because
 * shells do not expand it inside them.
 */
export function shortPaths(sentence: string, dir: string | undefined, short: string): string {
  if (dir === undefined || path.dirname(dir) === dir || !sentence.includes(dir + path.sep)) return sentence;
  return sentence.split(dir + path.sep).reduce((before, after) => {
    // The folder's path may also be the end of a longer path.
    const isPart = /[\w/\\.-]$/u.test(before);
    // A shell takes a word that begins with - or ~ for something else.
    const isKept = short === '' ? /^[-~]/u.test(after) : before.endsWith('"');
    if (isPart || isKept) return before + dir + path.sep + after;
    return short !== '' && before.endsWith("'") ? `${before.slice(0, -1)}${short}'${after}` : before + short + after;
  });
}

/** Returns the title, followed by the ID if it differs. */
export function titled(title: string, id: string, style: Style): string {
  return style.bold(style.cyan(safe(title))) + (title === id ? '' : ` ${style.dim(safe(id))}`);
}

/**
 * Marks a line that must not be wrapped. Inside a line, marks the start of a shell command. Text from files cannot contain it,
 * because it is not safe for a terminal.
 */
export const VERBATIM = '\0';

/** Renders a fix. A command is marked, so that it can be copied even if it is wrapped. Sentences begin with a capital. */
export function sayFix(fix: string, style: Style): string {
  return (/^[a-z]/u.test(fix) ? VERBATIM : '') + style.say(fix);
}

/** Keeps lines unwrapped: a diff with different line breaks would be a different diff. */
export function verbatim(text: string): string {
  return VERBATIM + text.replaceAll('\n', `\n${VERBATIM}`);
}

/** Returns untrusted text on one line, without control characters. */
export const safe = lineForTerminal;
