/** Stored vectors of a segment: mean, head and chunks of each document, in a few flat arrays. */
import { type Entry, KEY_BYTES } from '../entry.ts';
import type { Quantized } from '../vector.ts';
import { encodeFlat, FlatFile } from './flat-file.ts';

const MAGIC = 0x31_53_56_4c;

export interface VectorsFile {
  /** Identifies the documents. */
  id: string;
  dimensions: number;
  /** Start of the vectors of each document, followed by the end. */
  firsts: Uint32Array;
  /** 1 for each document that has a vector of its names and description. */
  hasHead: Uint8Array;
  norms: Float32Array;
  values: Int8Array;
}

export type Vectors = Pick<Entry, 'head' | 'mean' | 'chunks'>;

export function encodeVectors(id: string, documents: readonly Vectors[]): Uint8Array {
  const dimensions = documents.find(({ mean }) => mean)?.mean?.values.length ?? 0;
  const all: Quantized[] = [];
  const firsts = new Uint32Array(documents.length + 1);
  const hasHead = new Uint8Array(documents.length);
  for (const [index, { head, mean, chunks }] of documents.entries()) {
    if (mean) {
      all.push(mean, ...(head ? [head] : []), ...chunks);
      hasHead[index] = head ? 1 : 0;
    }
    firsts[index + 1] = all.length;
  }
  const values = new Int8Array(all.length * dimensions);
  for (const [index, vector] of all.entries()) values.set(vector.values, index * dimensions);
  const norms = Float32Array.from(all, ({ norm }) => norm);
  return encodeFlat(
    MAGIC,
    [documents.length, all.length, dimensions],
    [Buffer.from(id, 'latin1'), firsts, hasHead, norms, values],
  );
}

/** Returns undefined for bytes of another format. */
export function decodeVectors(bytes: Uint8Array): VectorsFile | undefined {
  const file = FlatFile.open(bytes, MAGIC);
  if (file?.counts.length !== 3) return undefined;
  const [size = 0, count = 0, dimensions = 0] = file.counts;
  try {
    const vectors: VectorsFile = {
      id: Buffer.from(file.uint8(KEY_BYTES)).toString('latin1'),
      dimensions,
      firsts: file.uint32(size + 1),
      hasHead: file.uint8(size),
      norms: file.float32(count),
      values: file.int8(count * dimensions),
    };
    return file.isAtEnd ? vectors : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Decodes the vectors of each document. */
export function vectorsOfDocuments({ firsts, hasHead, norms, values, dimensions }: VectorsFile): Vectors[] {
  const vectorAt = (place: number): Quantized => ({
    values: values.subarray(place * dimensions, (place + 1) * dimensions),
    norm: norms[place] ?? 0,
  });
  return Array.from(hasHead, (flag, document) => {
    const [first, end] = [firsts[document] ?? 0, firsts[document + 1] ?? 0];
    if (first === end) return { head: undefined, mean: undefined, chunks: [] };
    const chunks = Array.from({ length: end - first - 1 - flag }, (_, index) => vectorAt(first + 1 + flag + index));
    return { mean: vectorAt(first), head: flag === 1 ? vectorAt(first + 1) : undefined, chunks };
  });
}
