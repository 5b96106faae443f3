/** Makes untrusted text safe for its destination. Only what is shown is changed, never a file. */
import { isUtf8 } from 'node:buffer';

/** Two names are the same if their folded forms are equal. Independent of the locale; letters of different scripts stay different. */
export function foldName(name: string): string {
  if (!/[^a-z0-9-]/u.test(name)) return name;
  if (/^[\u0000-\u007f]*$/u.test(name)) return name.toLowerCase();
  const lower = name.normalize('NFC').toLowerCase();
  // How a capital sigma is lower-cased depends on its neighbors, so the two lower-case forms must count as one.
  return (lower.includes('\u03c2') ? lower.replaceAll('\u03c2', '\u03c3') : lower).normalize('NFC');
}

/** Unicode tags: invisible characters that can hide text. Their only legitimate use is in flags. */
const TAG_CHARACTERS = /[\u{e0000}-\u{e007f}]/gu;
const BREAKS_AND_CONTROLS = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text as one line for models and scripts: no line breaks, control characters, hidden tags or reordering. */
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

/** Text for a terminal: what could move the cursor, change colors, reorder or hide text is shown as an escape. */
export function forTerminal(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(UNSAFE_ON_TERMINALS, showEscaped);
}

/** The same on one line. */
export function lineForTerminal(text: string): string {
  return forTerminal(text).replace(/[\t\n]/gu, (character) => (character === '\t' ? ' ' : '\\n'));
}

/** JSON that is safe on a terminal too: JSON itself escapes only the ASCII control characters. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  // Most documents are ASCII, where only one character needs an escape. That is quick to check.
  if (Buffer.byteLength(text) === text.length && !text.includes('\u007f')) return text;
  return text.replace(UNSAFE_IN_JSON, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Text for a page: the same characters, as marked code points. Line breaks and tabs stay. */
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

/** Input from the user, to quote in a message: one line, escaped, cut to a reasonable length. */
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
  // Leave no joiner at the end.
  while (end > 0 && text.charCodeAt(end - 1) === ZERO_WIDTH_JOINER) end -= 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** An offset inside a surrogate pair moves to its beginning. */
export function codePointStart(text: string, offset: number): number {
  return offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff ? offset - 1 : offset;
}

/** Compares by UTF-16 units, so the order is the same in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The bytes as text, if they are UTF-8 without NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) || !isUtf8(bytes) ? undefined : Buffer.from(bytes).toString('utf8');
}

/** The number of line feeds. */
export function lineFeeds(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}

/** `1 skill`, `2 skills`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** `12,345`. `toLocaleString` would load tables for longer than most commands run. */
export function grouped(number: number): string {
  let text = String(number);
  if (!Number.isSafeInteger(number)) return text;
  for (let at = text.length - 3; at > (number < 0 ? 1 : 0); at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

/** An address without slashes at its end. */
export function trimSlashes(address: string): string {
  let end = address.length;
  while (address.charAt(end - 1) === '/') end -= 1;
  return address.slice(0, end);
}
