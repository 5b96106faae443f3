import { Failure } from '../../core/failure.ts';
import type { Embedder } from './embedder.ts';

/** After a failure, nobody asks for so long: callers who wait for a dead endpoint one after the other would wait for ever. */
const REST_MS = 10_000;

/** An embedder for callers who have something else to fall back on. */
export function guardedEmbedder(embedder: Embedder, warn: (text: string) => void, restMs = REST_MS): Embedder {
  let failed: { failure: Failure; until: number } | undefined;
  return {
    ...embedder,
    async embed(texts, purpose, signal) {
      if (failed && performance.now() < failed.until) throw failed.failure;
      try {
        const vectors = await embedder.embed(texts, purpose, signal);
        failed = undefined;
        return vectors;
      } catch (error) {
        if (error instanceof Failure) {
          failed = { failure: error, until: performance.now() + restMs };
          warn(error.message);
        }
        throw error;
      }
    },
  };
}
