/**
 * Text from strangers, made fit for its destination. Files are never altered; only what is shown is.
 */
import { isUtf8 } from 'node:buffer';

/** Two names are the same name when their folds are equal. Independent of the locale; letters of different scripts never fold together. */
export function foldName(name: string): string {
  if (!/[^a-z0-9-]/u.test(name)) return name;
  if (/^[\u0000-\u007f]*$/u.test(name)) return name.toLowerCase();
  const lower = name.normalize('NFC').toLowerCase();
  // A final sigma is lower-cased by its neighbors, so the same word in capitals would fold differently.
  return (lower.includes('\u03c2') ? lower.replaceAll('\u03c2', '\u03c3') : lower).normalize('NFC');
}

/** Characters with no look of their own that can carry hidden text: Unicode tags. Flag sequences are the only honest use. */
const TAG_CHARACTERS = /[\u{e0000}-\u{e007f}]/gu;
const BREAKS_AND_CONTROLS = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One line for lists that a model or a script reads: no line breaks, controls, hidden tag text or reordering. */
export function oneLine(text: string): string {
  if (/^(?:[\u0021-\u007e]+(?: [\u0021-\u007e]+)*)?$/u.test(text)) return text;
  return text
    .toWellFormed()
    .replace(TAG_CHARACTERS, '')
    .replace(BIDI_CONTROLS, '')
    .replace(BREAKS_AND_CONTROLS, ' ')
    .trim();
}

const UNSAFE_ON_TERMINALS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;

/** The same without line feeds and tabs between values, which are the layout of the document. */
const UNSAFE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;

/** Text of several lines for a terminal: whatever could move the cursor, recolor, reorder or hide is shown as an escape. */
export function forTerminal(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(UNSAFE_ON_TERMINALS, showEscaped);
}

/** The same on one line. */
export function lineForTerminal(text: string): string {
  return forTerminal(text).replace(/[\t\n]/gu, (character) => (character === '\t' ? ' ' : '\\n'));
}

/** JSON that is also safe to show on a terminal: JSON itself escapes only the ASCII control characters. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  // Nothing to escape in ASCII but one character: quick to tell, and most documents have nothing else.
  if (Buffer.byteLength(text) === text.length && !text.includes('\u007f')) return text;
  return text.replace(UNSAFE_IN_JSON, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

function showEscaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

const ECHO_MAX_CHARACTERS = 200;

/** What somebody typed, quoted back to them: one line, escaped, cut to a sane length. */
export function echo(text: string): string {
  return clip(
    lineForTerminal(text.length > 4 * ECHO_MAX_CHARACTERS ? text.slice(0, 4 * ECHO_MAX_CHARACTERS) : text),
    ECHO_MAX_CHARACTERS,
  );
}

const ZERO_WIDTH_JOINER = 0x200d;

/** Cuts on a character boundary and says so with an ellipsis. */
export function clip(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let end = Math.max(0, maxCharacters - 1);
  // Never split a surrogate pair, nor leave a joiner dangling.
  if (end > 0 && isLowSurrogate(text.charCodeAt(end)) && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
  while (end > 0 && text.charCodeAt(end - 1) === ZERO_WIDTH_JOINER) end -= 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Orders by UTF-16 units, the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The text that the bytes are, if they are UTF-8 and hold no NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) || !isUtf8(bytes) ? undefined : Buffer.from(bytes).toString('utf8');
}

/** How many line feeds a text holds. */
export function lineFeeds(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}

/** `1 skill`, `2 skills`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** `12,345`. The tables of the locale-aware way take longer to load than most commands take to run. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/gu, ',');
}
