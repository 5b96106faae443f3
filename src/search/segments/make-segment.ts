/** Builds the files of a segment from the texts of its documents, reusing entries of an earlier segment. */
import { breather } from '../../core/breathe.ts';
import type { SegmentFiles } from '../document.ts';
import { type EmbedText, type Entry, KEY_BYTES, keyOfText, makeFullEntry, textKey } from '../entry.ts';
import type { Text } from '../texts.ts';
import { decodeVectors, encodeVectors, vectorsOfDocuments } from './vectors-file.ts';
import { decodeWords, encodeWords, wordsOfDocuments } from './words-file.ts';

/** Must change whenever words, runs, keys or their encoding change. A test enforces it. */
export const WORDS_FORMAT = 'words-2';

/** Format of the vectors. Vectors of different models are never mixed. */
export function vectorsFormat(model: string): string {
  return `vectors-2-${model}`;
}

/** Entries by text key. */
export type KnownEntries = ReadonlyMap<string, Entry>;

/** Yields to other work in between. */
export async function makeSegment(
  id: string,
  texts: Iterable<Text>,
  embed: EmbedText | undefined,
  known: KnownEntries = new Map(),
): Promise<SegmentFiles> {
  const breathe = breather();
  const keys: string[] = [];
  const entries: Entry[] = [];
  for (const text of texts) {
    const pause = breathe();
    if (pause) await pause;
    const key = textKey(text, text.body);
    keys.push(key);
    entries.push(known.get(key) ?? makeFullEntry(text, embed));
  }
  const words = encodeWords({ id, keys }, entries);
  return embed ? { words, vectors: encodeVectors(id, entries) } : { words };
}

/** Encodes entries as a segment that is identified by its texts. It has vectors if any entry has. */
export function encodeEntries(keys: readonly string[], entries: readonly Entry[]): SegmentFiles {
  const id = keyOfText(keys.join(''));
  const words = encodeWords({ id, keys }, entries);
  return entries.some(({ mean }) => mean) ? { words, vectors: encodeVectors(id, entries) } : { words };
}

/** Entries stored in segments. If vectors are required, segments without them are skipped. */
export function knownEntries(segments: readonly SegmentFiles[], needsVectors = false): KnownEntries {
  const known = new Map<string, Entry>();
  for (const segment of segments) {
    const words = decodeWords(segment.words);
    const vectors = segment.vectors && decodeVectors(segment.vectors);
    if (!words || (vectors ? vectors.id !== words.id : needsVectors)) continue;
    const vectorsOf = vectors && vectorsOfDocuments(vectors);
    for (const [index, entry] of wordsOfDocuments(words).entries()) {
      const none = { head: undefined, mean: undefined, chunks: [] };
      const key = words.keys.slice(KEY_BYTES * index, KEY_BYTES * (index + 1));
      known.set(key, { ...entry, ...(vectorsOf?.[index] ?? none) });
    }
  }
  return known;
}
