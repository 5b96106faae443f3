/**
 * Keyword search: needs no index. Every word of the query must occur, as typed but in any case, in the names, the description or
 * the body. Parts of words count, but whole words come first.
 */
import { breather } from '../core/breathe.ts';
import { compareText } from '../core/text.ts';
import type { LowerCaseText, SearchDocument } from './document.ts';
import { type Excerpt, excerptAround, type Mark } from './excerpt.ts';

export interface KeywordHit {
  document: SearchDocument;
  /** The number of matched words. All words must match, so this is the number of words in the query. */
  score: number;
  words: readonly string[];
  excerpt: Excerpt;
}

export interface KeywordAnswer {
  /** The number of documents that match, including those beyond the limit. */
  total: number;
  found: ReadonlySet<SearchDocument>;
  hits: KeywordHit[];
}

interface Match {
  document: SearchDocument;
  /** How many words of the query are whole words of the document, occur in its names, occur in its description. */
  whole: number;
  inNames: number;
  inDescription: number;
}

/** The words of a query: lower case, each once, in the order they were typed. */
export function keywordTokens(query: string): string[] {
  return [...new Set(query.toLowerCase().split(/\s+/u))].filter((token) => token !== '');
}

/** The hits of the first query, followed by what only the later ones find. Lets other work run in between. */
export async function searchKeywords(
  documents: readonly SearchDocument[],
  queries: readonly string[],
  limit: number,
  offset = 0,
): Promise<KeywordAnswer> {
  const breathe = breather();
  const found = new Set<SearchDocument>();
  const hits: KeywordHit[] = [];
  for (const query of queries) {
    const tokens = keywordTokens(query);
    if (tokens.length === 0) continue;
    // Long words are rare: most documents are ruled out by the first one.
    const longestFirst = [...tokens].sort((a, b) => b.length - a.length);
    const matches: Match[] = [];
    for (const document of documents) {
      const pause = breathe();
      if (pause) await pause;
      const match = found.has(document) ? undefined : matchDocument(document, longestFirst);
      if (match) matches.push(match);
    }
    for (const { document } of matches) found.add(document);
    for (const { document } of matches.sort(bestFirst).slice(0, Math.max(0, offset + limit - hits.length)))
      hits.push({ document, score: tokens.length, words: tokens, excerpt: excerptOf(document, tokens) });
  }
  return { total: found.size, found, hits: hits.slice(offset) };
}

function bestFirst(a: Match, b: Match): number {
  return (
    b.whole - a.whole ||
    b.inNames - a.inNames ||
    b.inDescription - a.inDescription ||
    compareText(a.document.id, b.document.id)
  );
}

function matchDocument(document: SearchDocument, tokens: readonly string[]): Match | undefined {
  const { names, description, body: readBody } = document.lowerCase ?? lowerCaseOf(document);
  let body: string | undefined;
  const match: Match = { document, whole: 0, inNames: 0, inDescription: 0 };
  for (const token of tokens) {
    const named = findWord(names, token);
    const described = findWord(description, token);
    // If a whole word is in the names or the description, the body need not be read.
    const isFound = named === 'whole' || described === 'whole';
    const inBody = isFound ? undefined : findWord((body ??= readBody()), token);
    if (!named && !described && !inBody) return undefined;
    if (isFound || inBody === 'whole') match.whole += 1;
    if (named) match.inNames += 1;
    if (described) match.inDescription += 1;
  }
  return match;
}

function lowerCaseOf(document: SearchDocument): LowerCaseText {
  return {
    names: namesOf(document).toLowerCase(),
    description: document.description.toLowerCase(),
    body: () => document.body().toLowerCase(),
  };
}

/** How often a part of a word may occur before the search for the whole word ends: `e` occurs everywhere. */
const PARTS_MAX = 32;

/** Whether the text contains the word, and if so, whether it does as a whole word. */
function findWord(text: string, word: string): 'whole' | 'part' | undefined {
  let at = text.indexOf(word);
  if (at === -1) return undefined;
  for (let parts = 0; at !== -1 && parts < PARTS_MAX; parts++) {
    if (!isWordCharacter(text, at - 1) && !isWordCharacter(text, at + word.length)) return 'whole';
    at = text.indexOf(word, at + 1);
  }
  return 'part';
}

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;

/** The text must be in lower case. */
function isWordCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return WORD_CHARACTER.test(text.charAt(index));
}

function namesOf(document: SearchDocument): string {
  return [...new Set([document.name, ...document.names])].join('\n');
}

/** The text around the first match: in the description or the body if a word occurs there, otherwise their beginning. */
function excerptOf(document: SearchDocument, tokens: readonly string[]): Excerpt {
  const prose = document.description === '' ? document.body() : `${document.description}\n${document.body()}`;
  const inProse = marksOf(prose, tokens);
  const first = inProse[0];
  if (first) return excerptAround(prose, first, inProse);
  const names = namesOf(document).replaceAll('\n', ' ');
  return excerptAround(prose === '' ? names : prose, [0, 0], []);
}

/**
 * For readers who have names and description anyway: the text around the first word that only the body has; empty if there is no
 * such word.
 */
export function excerptOfBody(document: SearchDocument, queries: readonly string[]): string {
  const known = `${namesOf(document)}\n${document.description}`.toLowerCase();
  const tokens = queries.flatMap(keywordTokens).filter((token) => !known.includes(token));
  if (tokens.length === 0) return '';
  const body = document.body();
  const marks = marksOf(body, tokens);
  return marks[0] ? excerptAround(body, marks[0], marks).text : '';
}

/** Where the words occur in the text, in order and without overlap. */
function marksOf(text: string, tokens: readonly string[]): Mark[] {
  const lower = text.toLowerCase();
  // A few letters (İ) become longer in lower case. Then the positions in the two texts differ.
  if (lower.length !== text.length) return marksByPattern(text, tokens);
  const places: Mark[] = [];
  for (const token of tokens) {
    for (let at = lower.indexOf(token); at !== -1; at = lower.indexOf(token, at + token.length))
      places.push([at, at + token.length]);
  }
  return withoutOverlap(places);
}

function marksByPattern(text: string, tokens: readonly string[]): Mark[] {
  const places: Mark[] = [];
  for (const token of tokens) {
    const pattern = new RegExp(token.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&'), 'giu');
    for (const match of text.matchAll(pattern)) places.push([match.index, match.index + match[0].length]);
  }
  return withoutOverlap(places);
}

function withoutOverlap(places: Mark[]): Mark[] {
  places.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const kept: Mark[] = [];
  let end = 0;
  for (const place of places) {
    if (place[0] < end || place[1] === place[0]) continue;
    kept.push(place);
    end = place[1];
  }
  return kept;
}
