import { compareText } from '../core/text.ts';
import { keyOf, type SearchDocument } from './document.ts';
import { type Excerpt, excerptAround, type Mark } from './excerpt.ts';

/**
 * Exact search without an index: every word of the query must occur, as it stands, in the names, the description or the
 * body. Bodies are read only for documents whose names and description leave a word open, and for the hits that are shown.
 */
export interface KeywordHit {
  document: SearchDocument;
  /** How many words of the query were found: all of them, since all must occur. */
  score: number;
  excerpt: Excerpt;
}

export interface KeywordAnswer {
  /** How many documents matched, also those beyond the limit. */
  total: number;
  hits: KeywordHit[];
}

interface Candidate {
  document: SearchDocument;
  inName: number;
  inDescription: number;
}

/** The words of a keyword query: lower case, each once, in the order they were typed. */
export function keywordTokens(query: string): string[] {
  return [...new Set(query.toLowerCase().split(/\s+/u))].filter((token) => token !== '');
}

/** Ranked by how many words the names hold, then the description; equal ones by id. */
export function searchKeywords(documents: Iterable<SearchDocument>, query: string, limit: number): KeywordAnswer {
  const tokens = keywordTokens(query);
  if (tokens.length === 0) return { total: 0, hits: [] };
  const found: Candidate[] = [];
  for (const document of documents) {
    const candidate = matchDocument(document, tokens);
    if (candidate) found.push(candidate);
  }
  found.sort(
    (a, b) =>
      b.inName - a.inName ||
      b.inDescription - a.inDescription ||
      compareText(a.document.id, b.document.id) ||
      compareText(keyOf(a.document), keyOf(b.document)),
  );
  return {
    total: found.length,
    hits: found
      .slice(0, Math.max(0, limit))
      .map(({ document }) => ({ document, score: tokens.length, excerpt: excerptOf(document, tokens) })),
  };
}

function matchDocument(document: SearchDocument, tokens: readonly string[]): Candidate | undefined {
  const names = namesOf(document).toLowerCase();
  const description = document.description.toLowerCase();
  let inName = 0;
  let inDescription = 0;
  const open: string[] = [];
  for (const token of tokens) {
    const named = names.includes(token);
    const described = description.includes(token);
    if (named) inName += 1;
    if (described) inDescription += 1;
    if (!named && !described) open.push(token);
  }
  if (open.length > 0) {
    const body = document.body().toLowerCase();
    if (!open.every((token) => body.includes(token))) return undefined;
  }
  return { document, inName, inDescription };
}

function namesOf(document: SearchDocument): string {
  return [document.name, ...(document.otherNames ?? [])].join('\n');
}

/** The window around the first match: in the description or the body where a reader learns something, else in the name. */
function excerptOf(document: SearchDocument, tokens: readonly string[]): Excerpt {
  const prose = document.description === '' ? document.body() : `${document.description}\n${document.body()}`;
  const inProse = marksOf(prose, tokens);
  const first = inProse[0];
  if (first) return excerptAround(prose, first, inProse);
  const names = namesOf(document).replaceAll('\n', ' ');
  return excerptAround(prose === '' ? names : prose, [0, 0], []);
}

/** Where the words stand in the text, in order and without overlap. */
function marksOf(text: string, tokens: readonly string[]): Mark[] {
  const lower = text.toLowerCase();
  // A few letters (İ) grow when lower-cased; then places in one text are not places in the other.
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
