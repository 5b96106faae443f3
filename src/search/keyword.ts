/**
 * Keyword search. Works without an index, but uses one if available. Every word of the query must occur, ignoring case, in the
 * names, the description or the body. Parts of words match, but whole words rank first.
 */
import { breather } from '../core/breathe.ts';
import { compareText } from '../core/text.ts';
import { ALL_KINDS, type DocumentKind, type LowerCaseText, type SearchDocument } from './document.ts';
import { type Excerpt, excerptAround } from './excerpt.ts';
import type { Candidates } from './keywords/candidates.ts';
import { isWord, isWordAt } from './keywords/is-word.ts';
import { marksOf } from './marks.ts';

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
  /** Number of query words that are whole words of the document, that occur in its names, and in its description. */
  whole: number;
  inNames: number;
  inDescription: number;
}

/** The words of a query: lower case, each once, in the order they were typed. */
export function keywordTokens(query: string): string[] {
  return [...new Set(query.toLowerCase().split(/\s+/u))].filter((token) => token !== '');
}

/** Finds the documents that can match, if possible without reading them. */
export type FindCandidates = (tokens: readonly string[]) => Promise<Candidates | undefined>;

export interface KeywordOptions {
  limit: number;
  /** Number of hits to skip. */
  offset?: number;
  /** Returns this many hits of each kind, by kind, instead of the best ones of all kinds. */
  perKind?: number | undefined;
  find?: FindCandidates | undefined;
}

/** Returns the hits of the first query, then additional hits of the others. Yields to other work in between. */
export async function searchKeywords(
  documents: readonly SearchDocument[],
  queries: readonly string[],
  { limit, offset = 0, perKind, find }: KeywordOptions,
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
    const wanted = perKind === undefined ? Math.max(0, offset + limit - hits.length) : documents.length;
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
      // Sorting all matches at the end would block other work.
      if (matches.length > 2 * wanted + SORTED_AT_ONCE) matches.sort(bestFirst).splice(wanted);
    }
    const counts = countsIn(hits);
    for (const { document } of matches.sort(bestFirst).slice(0, wanted)) {
      counts[document.kind] += 1;
      if (perKind === undefined || counts[document.kind] <= perKind)
        hits.push({ document, score: tokens.length, words: tokens, excerpt: excerptOf(document, tokens) });
    }
  }
  if (perKind !== undefined)
    return {
      total: found.size,
      found,
      hits: ALL_KINDS.flatMap((kind) => hits.filter(({ document }) => document.kind === kind)),
    };
  return { total: found.size, found, hits: hits.slice(offset) };
}

function countsIn(hits: readonly KeywordHit[]): Record<DocumentKind, number> {
  const counts = { skill: 0, requirement: 0, change: 0 };
  for (const { document } of hits) counts[document.kind] += 1;
  return counts;
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

/** A candidate matches by its `names`, because runs are built from names, description and body only. */
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
    whole: (whole[index] ?? 0) + (read?.whole ?? 0),
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

/** Finds the word in the text, as a whole word or as part of one. Characters that are not letters end a word. */
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

/** Excerpt around the first match in the description or the body, or their beginning if no word occurs there. */
function excerptOf(document: SearchDocument, tokens: readonly string[]): Excerpt {
  const prose = document.description === '' ? document.body() : `${document.description}\n${document.body()}`;
  const inProse = marksOf(prose, tokens);
  const first = inProse[0];
  if (first) return excerptAround(prose, first, inProse);
  const names = namesOf(document).replaceAll('\n', ' ');
  return excerptAround(prose === '' ? names : prose, [0, 0], []);
}

/**
 * For readers who already have names and description: the excerpt around the first word that only the body contains. Empty if
 * there is none.
 */
export function excerptOfBody(document: SearchDocument, queries: readonly string[]): string {
  const known = `${namesOf(document)}\n${document.description}`.toLowerCase();
  const tokens = queries.flatMap(keywordTokens).filter((token) => !known.includes(token));
  if (tokens.length === 0) return '';
  const body = document.body();
  const marks = marksOf(body, tokens);
  return marks[0] ? excerptAround(body, marks[0], marks).text : '';
}

/** The text of the body around the first match, or its beginning. Without a body, the description is used. */
export function excerptAlways(document: SearchDocument, queries: readonly string[]): string {
  const body = document.body();
  const text = body.trim() === '' ? document.description : body;
  const marks = marksOf(text, queries.flatMap(keywordTokens));
  return excerptAround(text, marks[0] ?? [0, 0], marks).text;
}
