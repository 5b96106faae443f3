import { createHash } from 'node:crypto';
import type { SearchDocument } from './document.ts';
import { proseAndCode } from './lexical/weighted-texts.ts';
import { HASH_BYTES } from './vectors/quantized.ts';

/** A text that gets one vector: a document's head (name and description), or a piece of its body. */
export interface Unit {
  text: string;
  hash: string;
}

/** A vector of more words says too little about each of them. */
const UNIT_WORDS = 60;

/** The first paragraphs show what a document is about. Each further vector costs as much and adds less. */
const MAX_CHUNKS = 3;

/** A shorter rest is not worth a vector. */
const MIN_CHUNK_WORDS = 12;

/** Heading marks, list markers, table lines and the like are not language. */
const MARKUP = /^[ \t]*(?:#{1,6}|[-*+>|]|\d+[.)]|\[[ xX]\])[ \t]+|[`*_|]+|<!--[\s\S]*?-->|https?:\/\/\S+/gmu;

/** The head first, then the chunks of the body. */
export function unitsOf(document: SearchDocument): Unit[] {
  return [headText(document), ...chunksOf(document.body())].map((text) => ({ text, hash: hashText(text) }));
}

/** Names are identifiers (`pdf-form-filling`, `getUserName`), but the model needs words. */
function headText(document: SearchDocument): string {
  const name = document.name.replaceAll(/[-_/:.]+/gu, ' ').replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const words = plainWords(`${name}. ${document.description}`);
  return words.slice(0, UNIT_WORDS).join(' ');
}

function chunksOf(body: string): string[] {
  const prose = proseAndCode(body)
    .filter((part) => !part.code)
    .map((part) => part.text)
    .join('\n');
  const words = plainWords(prose.slice(0, 16 * UNIT_WORDS * MAX_CHUNKS), UNIT_WORDS * MAX_CHUNKS);
  const chunks: string[] = [];
  for (let at = 0; at < words.length; at += UNIT_WORDS) {
    const chunk = words.slice(at, at + UNIT_WORDS);
    if (chunk.length >= MIN_CHUNK_WORDS) chunks.push(chunk.join(' '));
  }
  return chunks;
}

function plainWords(text: string, max = UNIT_WORDS): string[] {
  return text
    .replace(MARKUP, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, max);
}

/** Half of a SHA-256 in hexadecimal. Equal only if the texts are. */
export function hashText(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * HASH_BYTES);
}
