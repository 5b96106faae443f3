/**
 * The time by which tokens expire. It is the database's, carried on while the database is away, so that all replicas agree and
 * nothing depends on the clock of this machine, which may be set back. It never goes back itself.
 */
export class CatalogClock {
  /** Of this machine, until the database says better. */
  #at = Date.now();
  #since = performance.now();
  #isHeard = false;

  /** Milliseconds since 1970. */
  now(): number {
    return this.#at + (performance.now() - this.#since);
  }

  /** What the database said before this process started: it is later by now, whatever the clock of this machine says. */
  remember(at: number): void {
    if (!this.#isHeard && at > this.now()) [this.#at, this.#since] = [at, performance.now()];
  }

  /** What the clock of the database says at this moment. */
  hear(at: number): void {
    if (this.#isHeard && at <= this.now()) return;
    [this.#at, this.#since, this.#isHeard] = [at, performance.now(), true];
  }
}
