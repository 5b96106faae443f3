/** A remote model that turns texts into vectors. Only vectors of the same model may be compared. */
export interface Embedder {
  /** The model's name, as configured. */
  readonly name: string;
  /** Recommended number of parallel calls. */
  readonly parallel: number;
  /** Recommended number of texts per call. */
  readonly batch: number;
  /** URL that texts are sent to. Shown to the user. */
  readonly url: string;
  embed(texts: readonly string[], purpose: Purpose, signal?: AbortSignal): Promise<Float32Array[]>;
}

export type Purpose = 'query' | 'document';
