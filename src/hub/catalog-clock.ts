/**
 * Clock for token expiry. It follows the clock of the database, even while the database is unreachable, so all replicas agree
 * and setting back the clock of this machine has no effect. It never goes backward.
 */
export class CatalogClock {
  /** Starts with the clock of this machine. */
  #at = Date.now();
  #since = performance.now();
  #isSynced = false;

  /** Milliseconds since 1970. */
  now(): number {
    return this.#at + (performance.now() - this.#since);
  }

  /** Sets a lower bound: the last database time seen by an earlier process. */
  remember(at: number): void {
    if (!this.#isSynced && at > this.now()) [this.#at, this.#since] = [at, performance.now()];
  }

  /** Updates the clock with the current time of the database. */
  sync(at: number): void {
    if (this.#isSynced && at <= this.now()) return;
    [this.#at, this.#since, this.#isSynced] = [at, performance.now(), true];
  }
}
