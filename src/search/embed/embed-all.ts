import { Failure } from '../../core/failure.ts';
import { quantize, type Quantized } from '../vectors/quantized.ts';
import type { Embedder } from './embedder.ts';

export interface EmbedAllOptions {
  signal: AbortSignal | undefined;
  /** The dimensions the vectors must have. If undefined, the first vector decides. */
  dimensions: number | undefined;
  done: (hash: string, vector: Quantized) => void;
}

/** Embeds every text, several batches at once, in the order given. Stops at the first error; `done` has got what was ready. */
export async function embedAll(
  embedder: Embedder,
  units: ReadonlyMap<string, string>,
  options: EmbedAllOptions,
): Promise<void> {
  const entries = [...units];
  let dimensions = options.dimensions;
  let next = 0;
  let failed = false;
  const work = async (): Promise<void> => {
    while (next < entries.length && !failed) {
      throwIfStopped(options.signal);
      const batch = entries.slice(next, next + embedder.batch);
      next += batch.length;
      try {
        const texts = batch.map(([, text]) => text);
        const vectors = await embedder.embed(texts, 'document', options.signal);
        dimensions = checkVectors(embedder, vectors, texts.length, dimensions);
        batch.forEach(([hash], index) => options.done(hash, quantize(vectors[index] ?? [])));
      } catch (error) {
        failed = true;
        throwIfStopped(options.signal);
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.max(1, embedder.parallel) }, () => work());
  const results = await Promise.allSettled(workers);
  const broken = results.find((result) => result.status === 'rejected');
  if (broken?.status === 'rejected') throw broken.reason;
}

/** A single wrong number would make every cosine with it wrong, so a bad reply is refused as a whole. */
export function checkVectors(
  embedder: Embedder,
  vectors: readonly Float32Array[],
  expected: number,
  dimensions: number | undefined,
): number {
  const refuse = (problem: string): never => {
    throw new Failure('MODEL_UNAVAILABLE', `The model ${embedder.model.name} returned ${problem}.`, {
      hint:
        embedder.url === undefined
          ? 'Install Lectern again.'
          : `Check the model that ${embedder.url} serves, then run \`lectern index\`.`,
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
    throw new Failure('INTERRUPTED', 'Stopped before the index was complete.', {
      hint: 'Run the command again to continue: finished work is kept.',
    });
}
