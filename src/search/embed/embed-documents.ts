import { Failure } from '../../core/failure.ts';
import type { SearchCache } from '../cache/cache.ts';
import type { SearchDocument } from '../document.ts';
import { makeEntry, textKey, vectorsOf } from '../entry.ts';
import { bodyOf } from '../document-segments.ts';
import { textsOf } from '../texts.ts';
import type { Embedder } from './embedder.ts';

export interface EmbedDocumentsOptions {
  /** Also re-embeds documents that already have vectors. */
  full?: boolean;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** Progress is saved after this many documents, so that an interrupted run can resume. */
const SAVE_EVERY = 200;

/** Gets the vectors of all documents from an endpoint, with parallel calls. Returns the number of documents embedded. */
export async function embedDocuments(
  documents: readonly SearchDocument[],
  embedder: Embedder,
  cache: SearchCache,
  { full = false, signal, onProgress }: EmbedDocumentsOptions,
): Promise<number> {
  cache.open();
  const missing = documents.filter((document) => full || !cache.has(textKey(document, bodyOf(document))));
  let next = 0;
  let done = 0;
  let failed = false;
  let dimensions: number | undefined;
  const work = async (): Promise<void> => {
    for (let document = missing[next++]; document && !failed; document = missing[next++]) {
      throwIfStopped(signal);
      try {
        const body = bodyOf(document);
        const { head, chunks } = textsOf(document, body);
        const vectors = await embedder.embed([head, ...chunks], 'document', signal);
        dimensions = checkVectors(embedder, vectors, chunks.length + 1, dimensions);
        const entry = { ...makeEntry(document, body, undefined), ...vectorsOf(vectors[0], vectors.slice(1)) };
        cache.addEntry(textKey(document, body), entry);
        done += 1;
        if (done % SAVE_EVERY === 0) cache.save();
        onProgress?.(done, missing.length);
      } catch (error) {
        failed = true;
        throwIfStopped(signal);
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.max(1, embedder.parallel) }, work));
  cache.save();
  const broken = results.find((result) => result.status === 'rejected');
  if (broken?.status === 'rejected') throw broken.reason;
  return missing.length;
}

/** A single invalid number would corrupt every cosine, so an invalid reply is rejected as a whole. */
export function checkVectors(
  embedder: Embedder,
  vectors: readonly Float32Array[],
  expected: number,
  dimensions: number | undefined,
): number {
  const refuse = (problem: string): never => {
    throw new Failure('MODEL_UNAVAILABLE', `The model ${embedder.name} returned ${problem}.`, {
      hint: `Check the model that ${embedder.url} serves, then run \`lectern index\`.`,
    });
  };
  if (vectors.length !== expected) refuse(`${vectors.length} vectors for ${expected} texts`);
  const size = dimensions ?? vectors[0]?.length ?? 0;
  for (const vector of vectors) {
    if (vector.length !== size || size === 0) refuse(`a vector with ${vector.length} dimensions instead of ${size}`);
    if (!vector.every((value) => Number.isFinite(value))) refuse('a vector with values that are not numbers');
  }
  return size;
}

function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new Failure('INTERRUPTED', 'Stopped before every document had its vectors.', {
      hint: 'Run the command again to continue: finished work is kept.',
    });
}
