/** Makes untrusted text safe for its destination. Only the displayed text is changed, never a file. */
import { isUtf8 } from 'node:buffer';

/**
 * Folds a name for comparison: two names are the same if their folded forms are equal. The result does not depend on the locale,
 * and letters of different scripts stay different.
 */
export function foldName(name: string): string {
  if (!/[^a-z0-9-]/u.test(name)) return name;
  if (/^[\u0000-\u007f]*$/u.test(name)) return name.toLowerCase();
  const lower = name.normalize('NFC').toLowerCase();
  // The lower case of a capital sigma depends on its neighbors, so the two lower-case forms must count as one.
  return (lower.includes('\u03c2') ? lower.replaceAll('\u03c2', '\u03c3') : lower).normalize('NFC');
}

/** Unicode tags: invisible characters that can hide text. Their only legitimate use is in flags. */
const TAG_CHARACTERS = /[\u{e0000}-\u{e007f}]/gu;
const BREAKS_AND_CONTROLS = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Formats text as one line for models and scripts: no line breaks, control characters, hidden tags or reordering. */
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

/**
 * Like `UNSAFE_ON_TERMINALS`, but without ASCII control characters. JSON escapes them in strings, and line feeds and tabs between
 * values are the layout of the document.
 */
const UNSAFE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;

/**
 * Formats text for a terminal. Characters that could move the cursor, change colors, or reorder or hide text are shown as
 * escapes.
 */
export function forTerminal(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(UNSAFE_ON_TERMINALS, showEscaped);
}

/** Formats text for a terminal, on one line. */
export function lineForTerminal(text: string): string {
  return forTerminal(text).replace(/[\t\n]/gu, (character) => (character === '\t' ? ' ' : '\\n'));
}

/** Formats JSON that is also safe on a terminal: JSON itself escapes only the ASCII control characters. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  // Most documents are ASCII, where only one character needs an escape. This is quick to check.
  if (Buffer.byteLength(text) === text.length && !text.includes('\u007f')) return text;
  return text.replace(UNSAFE_IN_JSON, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Formats text for a web page. Hidden characters are shown as marked code points. Line breaks and tabs are kept. */
export function showHidden(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(UNSAFE_ON_TERMINALS, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
    });
}

function showEscaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

const ECHO_MAX_CHARACTERS = 200;

/** Quotes user input for a message: one line, escaped, cut to a reasonable length. */
export function echo(text: string): string {
  return clip(
    lineForTerminal(text.length > 4 * ECHO_MAX_CHARACTERS ? text.slice(0, 4 * ECHO_MAX_CHARACTERS) : text),
    ECHO_MAX_CHARACTERS,
  );
}

const ZERO_WIDTH_JOINER = 0x200d;

/** Cuts between characters and ends with an ellipsis. */
export function clip(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let end = codePointStart(text, Math.max(0, maxCharacters - 1));
  // Removes joiners at the end.
  while (end > 0 && text.charCodeAt(end - 1) === ZERO_WIDTH_JOINER) end -= 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Moves an offset inside a surrogate pair to the beginning of the pair. */
export function codePointStart(text: string, offset: number): number {
  return offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff ? offset - 1 : offset;
}

/** Compares by UTF-16 units, so the order is the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Decodes the bytes as text, if they are UTF-8 without NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) || !isUtf8(bytes) ? undefined : Buffer.from(bytes).toString('utf8');
}

/** Counts line feeds. */
export function lineFeeds(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}

/** Formats a count: `1 skill`, `2 skills`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** Formats a number as `12,345`. `toLocaleString` would load tables for longer than most commands run. */
export function grouped(number: number): string {
  let text = String(number);
  if (!Number.isSafeInteger(number)) return text;
  for (let at = text.length - 3; at > (number < 0 ? 1 : 0); at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

/** Removes the slashes at the end of an address. */
export function trimSlashes(address: string): string {
  let end = address.length;
  while (address.charAt(end - 1) === '/') end -= 1;
  return address.slice(0, end);
}

/** `a, b and c`. */
export function inWords(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}
