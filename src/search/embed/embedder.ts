/** A model that runs elsewhere and turns texts into vectors. Only vectors of the same model may be compared. */
export interface Embedder {
  /** The model's name, as configured. */
  readonly name: string;
  /** How many calls at a time make sense. */
  readonly parallel: number;
  /** How many texts one call should have. */
  readonly batch: number;
  /** Where the texts are sent. Shown to the user. */
  readonly url: string;
  embed(texts: readonly string[], purpose: Purpose, signal?: AbortSignal): Promise<Float32Array[]>;
}

export type Purpose = 'query' | 'document';
