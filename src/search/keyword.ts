/**
 * Keyword search: needs no index, but uses one if there is. Every word of the query must occur, as typed but in any case, in the
 * names, the description or the body. Parts of words count, but whole words come first.
 */
import { breather } from '../core/breathe.ts';
import { compareText } from '../core/text.ts';
import type { LowerCaseText, SearchDocument } from './document.ts';
import { type Excerpt, excerptAround, type Mark } from './excerpt.ts';
import type { Candidates } from './keywords/candidates.ts';
import { isWord, isWordAt } from './keywords/is-word.ts';

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

/** Which of the documents can match, if that is known without reading them. */
export type FindCandidates = (tokens: readonly string[]) => Promise<Candidates | undefined>;

/** The hits of the first query, followed by what only the later ones find. Lets other work run in between. */
export async function searchKeywords(
  documents: readonly SearchDocument[],
  queries: readonly string[],
  limit: number,
  offset = 0,
  find?: FindCandidates,
): Promise<KeywordAnswer> {
  const breathe = breather();
  const found = new Set<SearchDocument>();
  const hits: KeywordHit[] = [];
  for (const query of queries) {
    const tokens = keywordTokens(query);
    if (tokens.length === 0) continue;
    // Long words are rare: most documents are ruled out by the first one.
    const longestFirst = [...tokens].sort((a, b) => b.length - a.length);
    const candidates = await find?.(longestFirst);
    const wanted = Math.max(0, offset + limit - hits.length);
    const matches: Match[] = [];
    for (const [index, document] of documents.entries()) {
      if (candidates?.may[index] === 0 || found.has(document)) continue;
      const pause = breathe();
      if (pause) await pause;
      const match = candidates
        ? matchCandidate(document, longestFirst, candidates, index)
        : matchDocument(document, longestFirst);
      if (!match) continue;
      found.add(document);
      matches.push(match);
      // Sorting all of them at the end would hold up others.
      if (matches.length > 2 * wanted + SORTED_AT_ONCE) matches.sort(bestFirst).splice(wanted);
    }
    for (const { document } of matches.sort(bestFirst).slice(0, wanted))
      hits.push({ document, score: tokens.length, words: tokens, excerpt: excerptOf(document, tokens) });
  }
  return { total: found.size, found, hits: hits.slice(offset) };
}

const SORTED_AT_ONCE = 2_000;

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

/** A candidate is found by its `names`, which is all that the runs are made of besides description and body. */
function matchCandidate(
  document: SearchDocument,
  tokens: readonly string[],
  { whole, unsure }: Candidates,
  index: number,
): Match | undefined {
  const read = unsure.length === 0 ? undefined : matchDocument(document, unsure);
  if (unsure.length > 0 && !read) return undefined;
  const names = document.names.join('\n').toLowerCase();
  const description = document.description.toLowerCase();
  return {
    document,
    whole: (whole[index] as number) + (read?.whole ?? 0),
    inNames: tokens.filter((token) => names.includes(token)).length,
    inDescription: tokens.filter((token) => description.includes(token)).length,
  };
}

function lowerCaseOf(document: SearchDocument): LowerCaseText {
  return {
    names: namesOf(document).toLowerCase(),
    description: document.description.toLowerCase(),
    body: () => document.body().toLowerCase(),
  };
}

/** Whether the text contains the word, and if so, whether it does as a whole word. What has no letter is no part of a word. */
function findWord(text: string, word: string): 'whole' | 'part' | undefined {
  let at = text.indexOf(word);
  if (at === -1) return undefined;
  if (!isWord(word)) return 'whole';
  for (; at !== -1; at = text.indexOf(word, at + 1))
    if (!isWordAt(text, at - 1) && !isWordAt(text, at + word.length)) return 'whole';
  return 'part';
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

/** The text of the body around the first match, or its beginning; of a document without a body, that of the description. */
export function excerptAlways(document: SearchDocument, queries: readonly string[]): string {
  const body = document.body();
  const text = body.trim() === '' ? document.description : body;
  const marks = marksOf(text, queries.flatMap(keywordTokens));
  return excerptAround(text, marks[0] ?? [0, 0], marks).text;
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
