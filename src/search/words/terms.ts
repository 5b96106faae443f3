import { FIRST_HASH, nextHash, slotOf } from './secret-hash.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Splits text into the terms of the lexical index. Words are folded and stemmed. An identifier (`getUserName`, `REQ-PG-001`,
 * `--dry-run`, `values.schema.json`) becomes its parts plus the whole without joints, so that each spelling finds the others.
 * Scripts written without spaces become pairs of neighboring characters. Unlike words from a dictionary, pairs do not depend on
 * the version of ICU, and an index may be used by another Node than the one that built it.
 */
const IN_WORD = /^[\p{L}\p{M}\p{N}]/u;
const JOINT = /[-_./'’:@]/u;
const JOINTS = /[-_./:@]+/u;
const POSSESSIVE = /['’](?:s|re|ve|ll|d|m|t)$/u;
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

/** A longer "word" is a hash, a data URL or a mistake. Its parts still count. */
const TERM_MAX_CHARACTERS = 40;

interface Split {
  /** Lower case, without stop words, spelled as in the table of the model. */
  words: readonly string[];
  /** The stems of these words. */
  terms: readonly string[];
  /** Hashes of the stems, computed once per word because texts repeat words. */
  hashes: readonly number[];
}

/** Calls back with each word (letters and digits, with joints inside) and its position. */
export function eachWord(text: string, use: (word: string, start: number, end: number) => void): void {
  for (let at = 0; at < text.length;) {
    const end = wordEnd(text, at);
    if (end > at) use(text.slice(at, end), at, end);
    at = Math.max(end, at + 1);
  }
}

/**
 * Calls back with each of these terms and the position of its word. Most words are lower case and begin like their stems, so words
 * with another beginning are skipped, which saves two thirds of the time.
 */
export function eachTermOf(
  wanted: ReadonlySet<string>,
  text: string,
  use: (term: string, start: number, end: number) => void,
): void {
  const isWanted = new Uint8Array(0x80);
  for (const term of wanted) isWanted[term.charCodeAt(0) & 0x7f] = 1;
  for (let at = 0; at < text.length;) {
    const end = wordEnd(text, at);
    const mayBe = end > at && (isWanted[text.charCodeAt(at) & 0x7f] === 1 || !isPlain(text, at, end));
    if (mayBe) for (const term of splitOf(text, at, end).terms) if (wanted.has(term)) use(term, at, end);
    at = Math.max(end, at + 1);
  }
}

/** Whether the range contains only lower-case ASCII letters. */
function isPlain(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x61 || unit > 0x7a) return false;
  }
  return true;
}

/** Calls back with the hash of each term. */
export function eachTermHash(text: string, use: (hash: number) => void): void {
  eachSplit(text, ({ hashes }) => {
    for (const hash of hashes) use(hash);
  });
}

/** Calls back with each unstemmed word of the model's table: the parts of an identifier, then the whole. */
export function eachPlainWord(text: string, use: (word: string) => void): void {
  eachSplit(text, ({ words }) => {
    for (const word of words) use(word);
  });
}

/** The terms of a query: each once, in order. */
export function queryTerms(query: string): string[] {
  const terms = new Set<string>();
  eachSplit(query, (split) => {
    for (const term of split.terms) terms.add(term);
  });
  return [...terms];
}

/** 32-bit hash of a word (FNV-1a, then mixed). Collisions between words of one document and a query are very unlikely. */
export function hashTerm(term: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * Most of the time to build an index is spent on looking up repeated words. So words are cached by a hash that is computed while
 * scanning, and a known word is never copied out of its text.
 */
const SLOTS = 0x2_00_00;
const REMEMBERED_WORDS = 50_000;
const slots = new Int32Array(SLOTS);
let remembered: { word: string; split: Split }[] = [];

function eachSplit(text: string, use: (split: Split, start: number, end: number) => void): void {
  for (let at = 0; at < text.length;) {
    const end = wordEnd(text, at);
    if (end > at) use(splitOf(text, at, end), at, end);
    at = Math.max(end, at + 1);
  }
}

function splitOf(text: string, start: number, end: number): Split {
  let hash = FIRST_HASH;
  for (let i = start; i < end; i++) hash = nextHash(hash, text.charCodeAt(i));
  let slot = slotOf(hash, SLOTS);
  for (; slots[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    const known = remembered[(slots[slot] ?? 0) - 1] as (typeof remembered)[number];
    if (isAt(text, start, end, known.word)) return known.split;
  }
  const word = text.slice(start, end);
  const words = splitWord(word);
  const terms = [...new Set(words.map(stem))];
  const split = { words, terms, hashes: terms.map(hashTerm) };
  if (remembered.length >= REMEMBERED_WORDS) {
    remembered = [];
    slots.fill(0);
  } else slots[slot] = remembered.push({ word, split });
  return split;
}

function isAt(text: string, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false;
  for (let i = 0; i < word.length; i++) if (text.charCodeAt(start + i) !== word.charCodeAt(i)) return false;
  return true;
}

/** End of the word that begins at `start`; `start` itself if none does. */
function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === IS_IN_WORD) at += 1;
    else if (kind === IS_SURROGATE && wordWidth(text, at) > 0) at += 2;
    else if (kind === IS_JOINT && at > start && at + 1 < text.length && wordWidth(text, at + 1) > 0) at += 1;
    else break;
  }
  return at;
}

/** Class of a UTF-16 unit. 0: not classified yet. */
const IS_IN_WORD = 1;
const IS_JOINT = 2;
const IS_SURROGATE = 3;
const IS_OTHER = 4;
const KINDS = new Uint8Array(0x1_00_00);

function kindOf(unit: number): number {
  const known = KINDS[unit] ?? 0;
  if (known !== 0) return known;
  const character = String.fromCharCode(unit);
  return (KINDS[unit] =
    unit >= 0xd8_00 && unit <= 0xdb_ff
      ? IS_SURROGATE
      : IN_WORD.test(character)
        ? IS_IN_WORD
        : JOINT.test(character)
          ? IS_JOINT
          : IS_OTHER);
}

/** Number of units of the letter, mark or digit at this position; 0 if there is none. */
function wordWidth(text: string, at: number): number {
  const kind = kindOf(text.charCodeAt(at));
  if (kind === IS_SURROGATE) return IN_WORD.test(String.fromCodePoint(text.codePointAt(at) ?? 0)) ? 2 : 0;
  return kind === IS_IN_WORD ? 1 : 0;
}

function splitWord(word: string): readonly string[] {
  if (/^[a-z]+$/u.test(word)) return plainWord(word);
  const words = new Set<string>();
  const bare = word.normalize('NFKC').replace(POSSESSIVE, '').replaceAll(/['’]/gu, '');
  const spaced = bare.replace(UNSPACED, (run) => {
    for (const pair of pairsOf(run)) words.add(pair);
    return '/';
  });
  const pieces = spaced.split(JOINTS).filter((piece) => piece !== '');
  for (const piece of pieces) {
    const parts = piece.match(HUMPS) ?? [];
    for (const part of parts) for (const plain of plainWord(part)) words.add(plain);
    if (parts.length > 1) for (const plain of plainWord(piece)) words.add(plain);
  }
  if (pieces.length > 1 && spaced === bare) for (const plain of plainWord(pieces.join(''))) words.add(plain);
  return [...words];
}

function plainWord(word: string): readonly string[] {
  const folded = fold(word);
  return folded === '' || folded.length > TERM_MAX_CHARACTERS || STOP_WORDS.has(folded) ? [] : [folded];
}

/** Lower case without accents: `Résumé` and `resume` are one word. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  return /^[\u0000-\u007f]*$/u.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/gu, '')
        .normalize('NFC');
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
