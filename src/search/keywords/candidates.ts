/**
 * Finds the documents that can match a keyword query without reading them. A token within one run matches if a run contains it. A
 * token of several runs can match if its first run ends a run, its last run begins one and the others are whole; the text decides.
 */
import { breather } from '../../core/breathe.ts';
import type { Segment } from '../segment.ts';
import { isWord } from './is-word.ts';
import { runsIn } from './runs.ts';
import type { Place, WordTable } from './word-table.ts';

export interface Candidates {
  /** 1 for each document that may contain every token, judging by the runs. */
  may: Uint8Array;
  /** By document: number of tokens that are whole words in it, not counting `unsure` tokens. */
  whole: Uint8Array;
  /** Tokens that must be checked in the text. */
  unsure: readonly string[];
}

/** Returns undefined if the runs of the documents are unknown or a token contains half a character. All texts must be read then. */
export async function findCandidates(
  segments: readonly Segment[],
  table: WordTable,
  tokens: readonly string[],
): Promise<Candidates | undefined> {
  if (!tokens.every((token) => token.isWellFormed()) || segments.some(({ keywords }) => !keywords)) return undefined;
  const size = segments.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const may = new Uint8Array(size).fill(1);
  const whole = new Uint8Array(size);
  const unsure: string[] = [];
  const breathe = breather();
  const documentsWith = async (run: string, place: Place): Promise<Uint8Array> => {
    const numbers = table.find(run, place);
    const isWanted = new Uint8Array(table.size);
    for (const number of numbers) isWanted[number] = 1;
    const marked = new Uint8Array(size);
    let at = 0;
    for (const { keywords, lengths } of numbers.length === 0 ? [] : segments) {
      const pause = breathe();
      if (pause) await pause;
      keywords?.mark(numbers, isWanted, marked, at);
      at += lengths.length;
    }
    return marked;
  };
  for (const token of tokens) {
    const runs = runsIn(token);
    for (const [index, run] of runs.entries()) {
      const found = await documentsWith(run, { starts: index > 0, ends: index < runs.length - 1 });
      for (let document = 0; document < size; document++) may[document] = (may[document] ?? 0) & (found[document] ?? 0);
    }
    if (runs.length > 1) {
      unsure.push(token);
      continue;
    }
    const isWhole = isWord(token) ? await documentsWith(token, { starts: true, ends: true }) : may;
    for (let document = 0; document < size; document++)
      whole[document] = (whole[document] ?? 0) + (isWhole[document] ?? 0);
  }
  return { may, whole, unsure };
}
