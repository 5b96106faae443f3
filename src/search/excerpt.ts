import { oneLine } from '../core/text.ts';

export type Mark = readonly [start: number, end: number];

export interface Excerpt {
  text: string;
  marks: readonly Mark[];
}

/** About two lines in a list. */
export const EXCERPT_CHARACTERS = 160;

/** How far a cut may move to avoid the middle of a word. */
const WORD_SLACK = 16;

/** Number of units examined around a cut, which bounds the cost of a huge "character". */
const GRAPHEME_WINDOW = 64;

let segmenter: Intl.Segmenter | undefined;

/** The nearest boundary between two visible characters, at `index` or on the given side of it. Cuts only make a window smaller. */
function characterBoundary(text: string, index: number, side: 'before' | 'after'): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  // There is a boundary between any two ASCII characters, except inside CR LF, which no excerpt keeps.
  if (text.charCodeAt(index) < 0x80 && text.charCodeAt(index - 1) < 0x80) return index;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const from = Math.max(0, index - GRAPHEME_WINDOW);
  const found = segmenter.segment(text.slice(from, index + GRAPHEME_WINDOW)).containing(index - from);
  if (!found || from + found.index === index) return index;
  return from + found.index + (side === 'after' ? found.segment.length : 0);
}

/**
 * Returns one line of text around a position, cut between characters and if possible between words, with ellipses at the cuts,
 * and the given marks that are inside it.
 */
export function excerptAround(
  text: string,
  at: Mark,
  marks: readonly Mark[],
  maxCharacters: number = EXCERPT_CHARACTERS,
): Excerpt {
  const spare = Math.max(0, maxCharacters - (at[1] - at[0]));
  const end = Math.min(text.length, Math.max(0, at[0] - Math.floor(spare / 2)) + maxCharacters);
  return excerptFrom(text, Math.max(0, end - maxCharacters), at, marks, maxCharacters);
}

/** Like `excerptAround`, but begins at `start`. Includes the text at `at` if it fits. */
export function excerptFrom(
  text: string,
  start: number,
  at: Mark,
  marks: readonly Mark[],
  maxCharacters: number = EXCERPT_CHARACTERS,
): Excerpt {
  const end = Math.min(text.length, start + maxCharacters);
  return assemble(text, wordStart(text, start, at[0]), wordEnd(text, end, Math.min(at[1], end)), marks);
}

function wordStart(text: string, index: number, latest: number): number {
  if (index === 0) return 0;
  const limit = Math.min(latest, index + WORD_SLACK);
  for (let i = index; i < limit; i++) if (isBlank(text, i - 1)) return i;
  return characterBoundary(text, index, 'after');
}

function wordEnd(text: string, index: number, earliest: number): number {
  if (index === text.length) return index;
  const limit = Math.max(earliest, index - WORD_SLACK);
  for (let i = index; i > limit; i--) if (isBlank(text, i)) return i;
  return characterBoundary(text, index, 'before');
}

function isBlank(text: string, index: number): boolean {
  return text.charCodeAt(index) <= 0x20;
}

function assemble(text: string, from: number, to: number, marks: readonly Mark[]): Excerpt {
  let out = from > 0 && text.slice(0, from).trim() !== '' ? '…' : '';
  const kept: Mark[] = [];
  let position = from;
  const add = (piece: string): void => {
    let line = oneLineKeepingEdges(piece);
    if (line.startsWith(' ') && (out === '' || out === '…' || out.endsWith(' '))) line = line.slice(1);
    out += line;
  };
  for (const [start, end] of marks) {
    if (start < position || end > to) continue;
    add(text.slice(position, start));
    const markStart = out.length;
    add(text.slice(start, end));
    if (out.length > markStart) kept.push([markStart, out.length]);
    position = end;
  }
  add(text.slice(position, to));
  out = out.trimEnd();
  return { text: to < text.length && text.slice(to).trim() !== '' ? `${out}…` : out, marks: kept };
}

/** `oneLine` trims, but the space between two pieces of a sentence must remain. */
function oneLineKeepingEdges(piece: string): string {
  const line = oneLine(piece).trim();
  if (line === '') return piece === '' ? '' : ' ';
  const before = /^\s/u.test(piece) ? ' ' : '';
  const after = /\s$/u.test(piece) ? ' ' : '';
  return before + line + after;
}
