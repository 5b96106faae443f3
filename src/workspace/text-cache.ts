import { sameStamp, type Stamp } from '../core/files.js';

/** Texts of files, kept as long as the file's stamp is the same and there is room. The oldest go first. */
export class TextCache {
  readonly #entries = new Map<string, { stamp: Stamp; text: string }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(path: string, stamp: Stamp): string | undefined {
    const entry = this.#entries.get(path);
    return entry && sameStamp(entry.stamp, stamp) ? entry.text : undefined;
  }

  set(path: string, stamp: Stamp, text: string): void {
    this.#delete(path);
    if (sizeOf(text) > this.#maxBytes) return;
    this.#entries.set(path, { stamp, text });
    this.#bytes += sizeOf(text);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#delete(oldest);
    }
  }

  #delete(path: string): void {
    const entry = this.#entries.get(path);
    if (!entry) return;
    this.#entries.delete(path);
    this.#bytes -= sizeOf(entry.text);
  }
}

/** Strings of plain ASCII take a byte a character, others two; the larger is the safe guess. */
function sizeOf(text: string): number {
  return text.length * 2;
}
