/**
 * Cost limit for comparing one change with its specs. Without it, a published change that requires comparing megabytes would block
 * all other requests. A change of a hundred long requirements is still compared completely.
 */
const STEPS = 20_000_000;

/** Longer texts are shown without marks, because one such comparison could use up the whole budget. */
export const COMPARED_CHARACTERS_MAX = 64 * 1024;
/** The same limit in lines. */
export const COMPARED_LINES_MAX = 5_000;

/** Total characters for showing the current text of requirements that are named more than once. */
const REPEATED_CHARACTERS = 1024 * 1024;

/** The remaining budget. A step takes a few nanoseconds. */
export class Effort {
  #left = STEPS;
  #repeats = REPEATED_CHARACTERS;
  readonly #shown = new Map<object, number>();

  /** Reserves the steps if the budget allows. If it returns false, the caller must skip the work. */
  affords(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }

  /** Deducts steps after the work is done. */
  spend(steps: number): void {
    this.#left -= steps;
  }

  /** Whether a current text may be shown: always the first time, then only within the budget. */
  shows(what: object, characters: () => number): boolean {
    const known = this.#shown.get(what);
    if (known === undefined) {
      this.#shown.set(what, characters());
      return true;
    }
    if (known > this.#repeats) return false;
    this.#repeats -= known;
    return true;
  }
}
