import type { Failure } from '../../core/failure.ts';

/** Turns texts into vectors. Two vectors may be compared only if their models are equal. */
export interface Embedder {
  readonly model: ModelIdentity;
  /** A cosine below it means nothing for this model; without one it is measured from the indexed texts. */
  readonly floor: number | undefined;
  /** How many calls at once are of use. */
  readonly parallel: number;
  /** How many texts one call should carry. */
  readonly batch: number;
  /** Where the texts go when they leave the machine's own processor; shown to the user. */
  readonly url: string | undefined;
  /** Why it cannot be used here at all, where that can be told without starting it. */
  unavailable?(): Failure | undefined;
  embed(texts: readonly string[], purpose: Purpose, signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export type Purpose = 'query' | 'document';

export interface ModelIdentity {
  name: string;
  /** A hash of the weights, where we hold them. */
  version: string;
}

export function sameModel(a: ModelIdentity, b: ModelIdentity): boolean {
  return a.name === b.name && a.version === b.version;
}
