/** Vectors of queries, from the bundled model or an endpoint. */
import { Failure } from '../core/failure.ts';
import { checkVectors } from './embed/embed-documents.ts';
import type { Embedder } from './embed/embedder.ts';
import { BUNDLED_MODEL } from './model/bundled.ts';
import type { StaticModel } from './model/static-model.ts';
import type { ReadQuery } from './query.ts';
import type { RankedQuery } from './rank.ts';
import type { Segment } from './segment.ts';
import { quantize } from './vector.ts';

export interface QueryVectors {
  vectors: RankedQuery['vector'][];
  model: string | null;
  reason?: string;
}

/** The bundled model, or the reason why it cannot be used. */
export interface BundledModel {
  model?: StaticModel;
  problem?: string;
}

export function bundledVectors(read: readonly ReadQuery[], { model, problem }: BundledModel): QueryVectors {
  if (!model)
    return {
      vectors: [],
      model: null,
      ...(problem === undefined ? {} : { reason: `${problem} Ranked by words alone` }),
    };
  const embedded = read.map(({ contentText }) => model.embed(contentText)).map((vector) => vector && quantize(vector));
  return { vectors: embedded, model: BUNDLED_MODEL };
}

/** If the endpoint fails, only words are ranked, with the reason. */
export async function endpointVectors(
  read: readonly ReadQuery[],
  segments: readonly Segment[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<QueryVectors> {
  const flags = segments.flatMap(({ hasVectors }) => [...hasVectors]);
  const without = flags.filter((flag) => flag === 0).length;
  if (without === flags.length && flags.length > 0)
    return {
      vectors: [],
      model: null,
      reason: 'No document has vectors yet, so only words count; run `lectern index`',
    };
  const texts = read.map(({ text }) => text);
  try {
    const embedded = await embedder.embed(texts, 'query', signal);
    checkVectors(embedder, embedded, read.length, segments.find(({ dimensions }) => dimensions > 0)?.dimensions);
    return {
      vectors: embedded.map(quantize),
      model: embedder.name,
      ...(without === 0
        ? {}
        : { reason: `${without} of ${flags.length} documents have no vectors yet; run \`lectern index\`` }),
    };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'INTERRUPTED') throw error;
    return { vectors: [], model: null, reason: `${error.message} Ranked by words alone` };
  }
}
