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

/** The same words occur again and again. The cache is cleared when it has this many. */
const REMEMBERED_WORDS = 50_000;

interface Split {
  /** Lower case, without stop words, as the model's table has them. */
  words: readonly string[];
  /** The stems of these words. */
  terms: readonly string[];
  /** The hashes of the stems: computed once per word, because texts repeat their words. */
  hashes: readonly number[];
}

const remembered = new Map<string, Split>();

/** Calls back with each word (letters and digits, with joints inside) and its position. */
export function eachWord(text: string, use: (word: string, start: number, end: number) => void): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const width = wordWidth(text, at);
    if (width === 0) {
      at += 1;
      continue;
    }
    const start = at;
    at += width;
    while (at < length) {
      const next = wordWidth(text, at);
      if (next > 0) at += next;
      else if (isJoint(text.charCodeAt(at)) && at + 1 < length && wordWidth(text, at + 1) > 0) at += 1;
      else break;
    }
    use(text.slice(start, at), start, at);
  }
}

/** Calls back with each term and the position of its word. */
export function eachTerm(text: string, use: (term: string, start: number, end: number) => void): void {
  eachWord(text, (word, start, end) => {
    for (const term of splitOf(word).terms) use(term, start, end);
  });
}

/** Calls back with the hash of each term. */
export function eachTermHash(text: string, use: (hash: number) => void): void {
  eachWord(text, (word) => {
    for (const hash of splitOf(word).hashes) use(hash);
  });
}

/** Calls back with each word as the model's table has it, not stemmed: the parts of an identifier, then the whole. */
export function eachPlainWord(text: string, use: (word: string) => void): void {
  eachWord(text, (word) => {
    for (const plain of splitOf(word).words) use(plain);
  });
}

/** The terms of a query: each once, in order. */
export function queryTerms(query: string): string[] {
  const terms = new Set<string>();
  eachTerm(query, (term) => terms.add(term));
  return [...terms];
}

/** 32 bits of a word (FNV-1a, then mixed). That two words of one document and a query meet by chance is next to impossible. */
export function hashTerm(term: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function splitOf(word: string): Split {
  let split = remembered.get(word);
  if (split === undefined) {
    if (remembered.size >= REMEMBERED_WORDS) remembered.clear();
    const words = splitWord(word);
    const terms = [...new Set(words.map(stem))];
    split = { words, terms, hashes: terms.map(hashTerm) };
    remembered.set(word, split);
  }
  return split;
}

/** By UTF-16 unit: 1 for a letter, mark or digit, 2 for a joint, 3 for anything else, 0 if unknown. Most of a build is scanning. */
const UNITS = new Uint8Array(0x1_0000);

/** How many units the letter, mark or digit at this position takes; 0 if there is none. */
function wordWidth(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit <= 0xdbff) return IN_WORD.test(String.fromCodePoint(text.codePointAt(at) ?? 0)) ? 2 : 0;
  return kindOf(unit) === 1 ? 1 : 0;
}

function isJoint(unit: number): boolean {
  return kindOf(unit) === 2;
}

function kindOf(unit: number): number {
  const known = UNITS[unit] as number;
  if (known !== 0) return known;
  const character = String.fromCharCode(unit);
  return (UNITS[unit] = IN_WORD.test(character) ? 1 : JOINT.test(character) ? 2 : 3);
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
