/**
 * How much one comparison of a change with its specs may cost. Anyone can publish a change that is compared with megabytes, and
 * whoever looks at it would make all others wait. A change of a hundred long requirements is still compared to the last word.
 */
const STEPS = 20_000_000;

/** A longer text is shown whole, as it was and as it becomes: one such comparison alone could use up everything. */
export const COMPARED_CHARACTERS_MAX = 64 * 1024;
/** The same for lines. */
export const COMPARED_LINES_MAX = 5_000;

/** A requirement can be named again and again. Beyond so many characters its current text is not shown with the others. */
const REPEATED_CHARACTERS = 1024 * 1024;

/** What is left. A step takes some nanoseconds. */
export class Effort {
  #left = STEPS;
  #repeats = REPEATED_CHARACTERS;
  readonly #shown = new Map<object, number>();

  /** Whether something may be done that takes so many steps. If not, whoever asks does without it. */
  affords(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }

  /** For what turned out to take so many. */
  spend(steps: number): void {
    this.#left -= steps;
  }

  /** Whether the current text of something may be shown: the first time always, and again if it is not too long. */
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
