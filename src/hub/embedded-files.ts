/** The vectors of an endpoint for a source, as they are stored: a file for each segment, made of the vectors of its texts. */
import type { SegmentFiles, Slice } from '../search/document.ts';
import { KEY_BYTES } from '../search/entry.ts';
import { decodeVectors, encodeVectors, type Vectors, vectorsOfDocuments } from '../search/segments/vectors-file.ts';
import { decodeWords } from '../search/segments/words-file.ts';

/** The documents of a source, with the keys of their texts, segment by segment. */
export type Keyed = { slice: Slice; keys: readonly string[] }[];

/** In place of the id of a segment, for the vectors of one text. */
const ALONE = '\0'.repeat(KEY_BYTES);
const NONE: Vectors = { head: undefined, mean: undefined, chunks: [] };

export function keyed(slices: readonly Slice[], files: readonly SegmentFiles[]): Keyed {
  return slices.map((slice, index) => {
    const all = decodeWords(files[index]?.words ?? new Uint8Array())?.keys ?? '';
    return { slice, keys: slice.documents.map((_, at) => all.slice(at * KEY_BYTES, (at + 1) * KEY_BYTES)) };
  });
}

/** Each key once. */
export function keysIn(segments: Keyed): string[] {
  return [...new Set(segments.flatMap(({ keys }) => keys))];
}

/** The vectors of one text. Undefined for one that cannot have any. */
export function encodeAlone(vectors: Vectors | undefined): Uint8Array {
  return encodeVectors(ALONE, [vectors ?? NONE]);
}

/** Equal vectors give equal bytes. */
export function embeddedFiles(segments: Keyed, encoded: ReadonlyMap<string, Uint8Array>): Uint8Array[] {
  const known = new Map<string, Vectors>();
  for (const key of keysIn(segments)) {
    const file = decodeVectors(encoded.get(key) ?? new Uint8Array());
    known.set(key, (file && vectorsOfDocuments(file)[0]) ?? NONE);
  }
  // Those of another size are of a model that the endpoint served under the same name.
  const dimensions = [...known.values()].find(({ mean }) => mean)?.mean?.values.length;
  const fitting = (key: string): Vectors => {
    const vectors = known.get(key) ?? NONE;
    return vectors.mean?.values.length === dimensions ? vectors : NONE;
  };
  return segments.map(({ slice, keys }) => encodeVectors(slice.id, keys.map(fitting)));
}
