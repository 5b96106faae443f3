/** Parses a query: its words, alternative forms of each word, and the text for its vector. */
import { editDistance } from '../core/near.ts';
import type { RankedQuery } from './rank.ts';
import { otherForms } from './words/abbreviations.ts';
import { foreignFunctionWords, plainForm } from '../core/other-languages.ts';
import { stem } from './words/stem.ts';
import { eachPlainWord, eachWord, hashTerm } from './words/terms.ts';

export interface Spelling {
  typed: string;
  meant: string;
}

export interface ReadQuery {
  words: RankedQuery['words'];
  /** The same words as typed. */
  typed: readonly string[];
  /** The query with abbreviations written out and spelling corrected, for the vector of an endpoint. */
  text: string;
  /** The same without the function words of other languages, for the bundled model. */
  contentText: string;
  corrections: Spelling[];
}

export interface Vocabulary {
  /** Whether any document contains the word with this stem hash. */
  occurs(hash: number): boolean;
  /** Whether the model knows the word. */
  knows(word: string): boolean;
  /** Remaining number of corrections. Each one compares a word with the whole vocabulary. */
  correctionsLeft: number;
  /** Candidates for correcting an unknown word. */
  words(): Iterable<string>;
}

export function readQuery(query: string, vocabulary: Vocabulary): ReadQuery {
  const words = new Map<string, { typed: string; forms: number[][] }>();
  const written: string[] = [];
  const corrections: Spelling[] = [];
  const typedWords: string[] = [];
  eachWord(query, (word) => typedWords.push(word));
  const ignored = foreignFunctionWords(typedWords);
  const isEnglish = ignored.size === 0;
  const kept = isEnglish ? typedWords : typedWords.filter((word) => !ignored.has(plainForm(word)));
  const add = (typed: string): void => {
    const term = stem(typed);
    if (words.has(term)) return;
    const forms = [typed, ...otherForms(typed)];
    const occurs = (form: string): boolean => hashesOf(form).every((hash) => vocabulary.occurs(hash));
    // In this order, because searching all documents is the most expensive check.
    // Words of another language would be "corrected" to unrelated English ones.
    if (isEnglish && vocabulary.correctionsLeft > 0 && !vocabulary.knows(typed) && !forms.some(occurs)) {
      vocabulary.correctionsLeft -= 1;
      const meant = correct(typed, vocabulary);
      if (meant !== undefined) {
        corrections.push({ typed, meant });
        forms.push(meant);
      }
    }
    words.set(term, { typed, forms: forms.map(hashesOf) });
    if (!vocabulary.knows(typed)) written.push(...forms.slice(1));
  };
  for (const word of kept) {
    const whole = word.toLowerCase();
    // `k8s` is one word, not a letter, a number and another letter.
    if (otherForms(whole).length > 0) add(whole);
    else eachPlainWord(word, add);
  }
  const found = [...words.values()];
  return {
    words: found.map(({ forms }) => forms),
    typed: found.map(({ typed }) => typed),
    text: [query, ...written].join(' '),
    contentText: [...(isEnglish ? [query] : kept), ...written].join(' '),
    corrections,
  };
}

function hashesOf(form: string): number[] {
  return form.split(' ').map((word) => hashTerm(stem(word)));
}

/** Minimum length for correction: shorter words have too many neighbors. */
const CORRECTED_CHARACTERS = 4;

/** Finds the nearest word that occurs in a document: one edit away, or two for a long word. The first letter is rarely wrong. */
function correct(typed: string, { words, occurs }: Vocabulary): string | undefined {
  if (typed.length < CORRECTED_CHARACTERS || !/^\p{L}+$/u.test(typed)) return undefined;
  const allowed = typed.length < 8 ? 1 : 2;
  let best: string | undefined;
  let least = allowed + 1;
  for (const word of words()) {
    if (word[0] !== typed[0] || Math.abs(word.length - typed.length) > allowed) continue;
    const distance = editDistance(typed, word, least - 1);
    if (distance < least && occurs(hashTerm(stem(word)))) {
      best = word;
      least = distance;
    }
  }
  return best;
}
