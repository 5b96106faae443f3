import type { Failure } from '../../core/failure.ts';

/** Turns texts into vectors. Only vectors of the same model may be compared. */
export interface Embedder {
  readonly model: ModelIdentity;
  /** A cosine below it means nothing for this model. If undefined, it is measured from the indexed texts. */
  readonly floor: number | undefined;
  /** How many calls at a time make sense. */
  readonly parallel: number;
  /** How many texts one call should have. */
  readonly batch: number;
  /** Where the texts are sent, if they leave this process. Shown to the user. */
  readonly url: string | undefined;
  /** Why it cannot be used here, if that is known without starting it. */
  unavailable?(): Failure | undefined;
  embed(texts: readonly string[], purpose: Purpose, signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export type Purpose = 'query' | 'document';

export interface ModelIdentity {
  name: string;
  /** A hash of the weights, if we have them. */
  version: string;
}

export function sameModel(a: ModelIdentity, b: ModelIdentity): boolean {
  return a.name === b.name && a.version === b.version;
}
