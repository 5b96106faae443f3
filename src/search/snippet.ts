import type { SearchDocument } from './document.ts';
import { type Excerpt, EXCERPT_CHARACTERS, excerptAround, excerptFrom, type Mark } from './excerpt.ts';
import { eachTermOf, queryTerms } from './words/terms.ts';

interface Place {
  term: string;
  start: number;
  end: number;
}

/** How far into the text to look for the best sentence. Splitting a longer text into words takes longer than the whole search. */
const SEARCHED_CHARACTERS = 8_000;

const SENTENCE_END = /[.!?。！？…]["'”’)]*\s|\n[^\S\n]*\n|\n[ \t]*(?:[-*+#>|]|\d+[.)])/gu;

/**
 * Returns the sentence with the most query words, with marks. If no word occurs (found by meaning only), returns the beginning of
 * the text, which describes the document.
 */
export function snippetOf(
  description: string,
  body: string,
  queries: readonly string[],
  maxCharacters: number = EXCERPT_CHARACTERS,
): Excerpt {
  const text = (description === '' ? body : `${description}\n\n${body}`).slice(0, SEARCHED_CHARACTERS);
  const wanted = new Set(queries.flatMap(queryTerms));
  return bestSentence(text, wanted, maxCharacters) ?? excerptAround(text, [0, 0], [], maxCharacters);
}

/**
 * For readers who already have names and description: the sentence with the most words that only the body contains. Empty if there
 * is none.
 */
export function snippetOfBody({ names, description, body }: SearchDocument, queries: readonly string[]): string {
  const known = new Set([...names, description].flatMap(queryTerms));
  const wanted = new Set(queries.flatMap(queryTerms).filter((term) => !known.has(term)));
  return bestSentence(body().slice(0, SEARCHED_CHARACTERS), wanted, EXCERPT_CHARACTERS)?.text ?? '';
}

function bestSentence(text: string, wanted: ReadonlySet<string>, maxCharacters: number): Excerpt | undefined {
  const places: Place[] = [];
  if (wanted.size > 0) eachTermOf(wanted, text, (term, start, end) => places.push({ term, start, end }));
  const marks = marksOf(places);
  const best = bestWindow(places, maxCharacters);
  if (!best) return undefined;
  const sentence = text.length <= maxCharacters ? 0 : sentenceStart(text, best[0]);
  // Start at the sentence if the words still fit.
  if (best[1] - sentence <= maxCharacters) return excerptFrom(text, sentence, best, marks, maxCharacters);
  return excerptAround(text, best, marks, maxCharacters);
}

/** An identifier has several terms at one position. */
function marksOf(places: readonly Place[]): Mark[] {
  const marks: Mark[] = [];
  for (const { start, end } of places) if (start >= (marks.at(-1)?.[1] ?? 0)) marks.push([start, end]);
  return marks;
}

/** First range that fits and contains the most distinct words. */
function bestWindow(places: readonly Place[], maxCharacters: number): Mark | undefined {
  let best: Mark | undefined;
  let most = 0;
  places.forEach((first, index) => {
    const seen = new Set<string>();
    let end = first.end;
    for (let i = index; i < places.length; i++) {
      const place = places[i];
      if (!place || place.end - first.start > maxCharacters) break;
      if (!seen.has(place.term)) {
        seen.add(place.term);
        end = place.end;
      }
    }
    if (seen.size > most) {
      most = seen.size;
      best = [first.start, end];
    }
  });
  return best;
}

function sentenceStart(text: string, index: number): number {
  let start = 0;
  const before = text.slice(Math.max(0, index - EXCERPT_CHARACTERS * 2), index);
  for (const match of before.matchAll(SENTENCE_END)) start = match.index + match[0].length;
  return start === 0 && before.length < index ? index - before.length : index - before.length + start;
}
