/** Decodes runs of base64, hexadecimal, URL, escape and rot13 encoding that contain readable text. */
import type { Edit } from './mapped.ts';

/** Shorter decoded texts are names and numbers. */
const MIN_CHARACTERS = 6;
/** Maximum length of a decoded run. A longer run is data. */
const MAX_CHARACTERS = 64 * 1024;

const BASE64 = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{12,87384}={0,2}(?![A-Za-z0-9+/=_-])/gu;
const HEX = /(?<![\w+/=-])(?:[0-9a-fA-F]{2}){8,32768}(?![\w+/=-])/gu;
const ESCAPES = /(?:\\x[0-9a-fA-F]{2}|\\u00[0-9a-fA-F]{2}|\\u\{[0-9a-fA-F]{2}\}|\\[01][0-7]{2}){3,8192}/gu;
const PERCENT = /(?:%[2-7][0-9a-fA-F][\w./:-]{0,40}){4,4096}/gu;
const ENTITIES = /(?:&#(?:x[2-7][0-9a-fA-F]|\d{2,3});){4,4096}/gu;
const NUMBERS =
  /(?<![\d.])(?:(?:0x[2-7][0-9a-fA-F]|3[2-9]|[4-9]\d|1[01]\d|12[0-6])\s{0,2},\s{0,2}){5,4096}(?:0x[2-7][0-9a-fA-F]|\d{2,3})(?![\d.])/gu;
const CHARACTERS =
  /(?:(?:chr|\[char\]|string\.fromcharcode)\s?\(?\s?(?:0x[0-9a-f]{2}|\d{2,3})\s?\)?\s{0,2}[+.&]{0,1}\s{0,2}){4,4096}/giu;

/** Yields the readable runs of a text, in ascending order. */
export function decodedRuns(text: string): Edit[] {
  const edits: Edit[] = [];
  const add = (pattern: RegExp, decode: (run: string) => string | undefined): void => {
    for (const match of text.matchAll(pattern)) {
      const plain = decode(match[0]);
      if (plain !== undefined)
        edits.push({ start: match.index, end: match.index + match[0].length, text: plain, hidden: true });
    }
  };
  if (/[A-Za-z0-9+/]{12}/u.test(text)) {
    add(BASE64, fromBase64);
    add(HEX, (run) => readable(Buffer.from(run, 'hex').toString('latin1')));
  }
  if (/\\[xu0-7]/u.test(text)) add(ESCAPES, (run) => readable(fromEscapes(run)));
  if (text.includes('%')) add(PERCENT, fromPercent);
  if (text.includes('&#')) add(ENTITIES, (run) => readable(fromNumbers(run)));
  if (/chr|charcode|bytes|uint8array|fromcodepoint|\[char\]/iu.test(text)) {
    add(CHARACTERS, (run) => readable(fromNumbers(run)));
    add(NUMBERS, (run) => readable(fromNumbers(run)));
  }
  return [...edits, ...rotated(text)].sort((a, b) => a.start - b.start || b.end - a.end);
}

function fromBase64(run: string): string | undefined {
  // Paths and identifiers have the letters of base64, but decode to noise.
  if (run.length % 4 === 1 || /^[a-z/]+$|^[A-Z]+$|^\d+$/u.test(run)) return undefined;
  const plain = Buffer.from(run.slice(0, MAX_CHARACTERS * 2), 'base64').toString('latin1');
  const isWide = plain.length > 8 && plain.charCodeAt(1) === 0 && plain.charCodeAt(3) === 0;
  return readable(isWide ? plain.replaceAll('\0', '') : plain);
}

/** URLs inside URLs encode a few characters. A hidden text has most of its characters encoded. */
function fromPercent(run: string): string | undefined {
  const encoded = run.split('%').length - 1;
  if (encoded * 6 < run.length) return undefined;
  return readable(run.replace(/%([2-7][0-9a-f])/giu, (_, hex: string) => code(hex, 16)));
}

function fromEscapes(run: string): string {
  return run.replace(/\\x([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\u\{([0-9a-f]{2})\}|\\([01][0-7]{2})/giu, (_, ...found) => {
    const [x, u, braced, octal] = found as (string | undefined)[];
    return octal === undefined ? code(x ?? u ?? braced ?? '20', 16) : code(octal, 8);
  });
}

function fromNumbers(run: string): string {
  return [...run.matchAll(/0x([0-9a-f]{2})|#x([0-9a-f]{2})|(\d{2,3})/giu)]
    .map(([, hex, entity, decimal]) => (decimal === undefined ? code(hex ?? entity ?? '20', 16) : code(decimal, 10)))
    .join('');
}

function code(digits: string, base: number): string {
  return String.fromCharCode(Number.parseInt(digits, base));
}

/** A text that a person could have written: printable, with a word, and not only hexadecimal digits. */
function readable(text: string): string | undefined {
  if (text.length < MIN_CHARACTERS || text.length > MAX_CHARACTERS) return undefined;
  if (/[^\t\n\r\u0020-\u007e]/u.test(text) || !/[A-Za-z]{3}/u.test(text)) return undefined;
  return /[\s./:_-]|^[a-z]+$|^[A-Za-z0-9+/]{16,}={0,2}$/u.test(text) ? text.replace(/[\r\n]+/gu, ' ; ') : undefined;
}

/** Texts are rotated only next to a mention of the rotation, because any text can be. */
function rotated(text: string): Edit[] {
  const edits: Edit[] = [];
  let covered = 0;
  for (const mention of text.matchAll(/rot_?-?13|\btr\s{1,3}["']?(?:a-z|A-Z)|\btr\s{1,3}["']?\[?a-zA-Z/gu)) {
    const from = Math.max(covered, mention.index - 600);
    const near = text.slice(from, mention.index + 600);
    for (const literal of near.matchAll(/(["'])([A-Za-z][^"'\n]{5,400})\1/gu)) {
      const plain = literal[2] ?? '';
      if (/a-z|rot|^tr\b/iu.test(plain) || !/[\s./:_~-]/u.test(plain)) continue;
      const start = from + literal.index + 1;
      edits.push({ start, end: start + plain.length, text: rot13(plain), hidden: true });
    }
    covered = mention.index + 600;
  }
  return edits;
}

function rot13(text: string): string {
  return text.replace(/[a-z]/giu, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}
