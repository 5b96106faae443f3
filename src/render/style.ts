import { lineForTerminal } from '../core/text.ts';

/** Colors or none, and the width. Renderers take a style and return a string. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** In columns; undefined if the output has no width, as in a pipe. */
  width: number | undefined;
}

const ESCAPE = '\u001b[';

export function makeStyle({ color, width }: { color: boolean; width?: number | undefined }): Style {
  const paint = (open: number, close: number) => (text: string) =>
    color && text !== '' ? `${ESCAPE}${open}m${text}${ESCAPE}${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    width,
  };
}

/** Untrusted text on one line, without control characters. */
export const safe = lineForTerminal;
