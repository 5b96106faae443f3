import type { NewFile } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { grouped } from '../core/text.ts';

/** Memory overhead of an empty file. */
const FILE_OVERHEAD_BYTES = 256;

/** Limits how many bytes one command may read. A small repository can have the same large file in thousands of skills. */
export class ReadBudget {
  readonly #max: number;
  #left: number;

  constructor(max: number = LIMITS.collectedBytes.value) {
    this.#max = max;
    this.#left = max;
  }

  /** Fails with TOO_LARGE if the budget is exceeded. */
  spend(files: readonly NewFile[]): void {
    this.#left -= files.reduce((sum, { bytes }) => sum + bytes.length + FILE_OVERHEAD_BYTES, 0);
    if (this.#left >= 0) return;
    throw new Failure('TOO_LARGE', `The skills have more than ${grouped(this.#max)} bytes together.`, {
      hint: 'Name fewer skills at a time.',
      facts: { maxBytes: this.#max },
    });
  }
}
