import type { NewFile } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { grouped } from '../core/text.ts';

/** The memory that an empty file takes. */
const FILE_OVERHEAD_BYTES = 256;

/** How many bytes one command may still read: a small repository can have the same large file in thousands of skills. */
export class ReadBudget {
  readonly #max: number;
  #left: number;

  constructor(max: number = LIMITS.collectedBytes.value) {
    this.#max = max;
    this.#left = max;
  }

  /** Fails with TOO_LARGE if there is not enough left. */
  spend(files: readonly NewFile[]): void {
    this.#left -= files.reduce((sum, { bytes }) => sum + bytes.length + FILE_OVERHEAD_BYTES, 0);
    if (this.#left >= 0) return;
    throw new Failure('TOO_LARGE', `The skills have more than ${grouped(this.#max)} bytes together.`, {
      hint: 'Name fewer skills at a time.',
      facts: { maxBytes: this.#max },
    });
  }
}
