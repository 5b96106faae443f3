/** A segment of the cache, with the row of each text. */
import type { SegmentFiles } from '../document.ts';
import { KEY_BYTES } from '../entry.ts';
import { openSegment, type Segment } from '../segment.ts';
import { decodeVectors } from '../segments/vectors-file.ts';
import { decodeWords } from '../segments/words-file.ts';

export interface CachedSegment {
  readonly files: SegmentFiles;
  readonly segment: Segment;
  /** Row of each text, by its key. */
  readonly rows: ReadonlyMap<string, number>;
}

/** Returns undefined for files of another format. */
export function openCached(files: SegmentFiles): CachedSegment | undefined {
  const words = decodeWords(files.words);
  const vectors = files.vectors && decodeVectors(files.vectors);
  if (!words || (files.vectors && vectors?.id !== words.id)) return undefined;
  const rows = new Map<string, number>();
  for (let row = 0; row < words.lengths.length; row++)
    rows.set(words.keys.slice(KEY_BYTES * row, KEY_BYTES * (row + 1)), row);
  return { files, segment: openSegment(words, vectors), rows };
}

export function bytesOf({ files: { words, vectors } }: CachedSegment): number {
  return words.length + (vectors?.length ?? 0);
}
