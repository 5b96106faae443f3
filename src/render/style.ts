import path from 'node:path';
import { isInside } from '../core/inside.ts';
import { lineForTerminal } from '../core/text.ts';

/** Colors or none, and the width. Renderers take a style and return a string. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** A path as people write it: from the working folder, or with `~` for the home. Safe for a terminal. */
  place(file: string, line?: number): string;
  /** A sentence of ours that may contain paths and words from files. The paths are shortened in the same way. */
  say(sentence: string): string;
  /** In columns; undefined if the output has no width, as in a pipe. */
  width: number | undefined;
}

export interface StyleOptions {
  color: boolean;
  width?: number | undefined;
  /** The working folder and the home, to shorten paths. */
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

/** The root of a file system contains everything, so it shortens nothing. */
function shortPath(file: string, cwd: string | undefined, home: string | undefined): string {
  if (!path.isAbsolute(file)) return file;
  const isBelow = (dir: string | undefined): dir is string =>
    dir !== undefined && path.dirname(dir) !== dir && isInside(dir, file);
  if (isBelow(cwd)) return path.relative(cwd, file) || '.';
  return isBelow(home) ? path.join('~', path.relative(home, file)) : file;
}

/** Shortens the paths below a folder in a sentence. */
export function shortPaths(sentence: string, dir: string | undefined, short: string): string {
  if (dir === undefined || path.dirname(dir) === dir || !sentence.includes(dir + path.sep)) return sentence;
  // The folder's path may also be the end of a longer one.
  return sentence
    .split(dir + path.sep)
    .reduce((before, after) => before + (/[\w/\\.-]$/u.test(before) ? dir + path.sep : short) + after);
}

/** A title with its id, if that says more. */
export function titled(title: string, id: string, style: Style): string {
  return style.bold(style.cyan(safe(title))) + (title === id ? '' : ` ${style.dim(safe(id))}`);
}

/** Starts a line that must not be wrapped. Text from files cannot contain it, because it is not safe for a terminal. */
export const VERBATIM = '\0';

/** Keeps lines as they are, however long: a diff with other line breaks would be another diff. */
export function verbatim(text: string): string {
  return VERBATIM + text.replaceAll('\n', `\n${VERBATIM}`);
}

/** Untrusted text on one line, without control characters. */
export const safe = lineForTerminal;
