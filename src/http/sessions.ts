/** Sessions: bounded in number, closed when idle, and each usable only by the caller that opened it. */
export interface Session {
  id: string;
  /** The caller that opened it. */
  caller: string;
  close(): Promise<void>;
}

export interface SessionLimits {
  max: number;
  idleMs: number;
}

interface Entry<S extends Session> {
  session: S;
  lastUsed: number;
  /** Requests and streams that are open now. A session in use is never closed to make room. */
  open: number;
}

export class Sessions<S extends Session> {
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<S>>();
  readonly #limits: SessionLimits;
  readonly #sweep: NodeJS.Timeout;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
    this.#sweep = setInterval(() => this.#closeIdle(), Math.max(50, Math.min(30_000, limits.idleMs / 2))).unref();
  }

  get size(): number {
    return this.#entries.size;
  }

  all(): S[] {
    return [...this.#entries.values()].map(({ session }) => session);
  }

  /** Makes room for one more by closing the session that has been idle longest. False if all are in use. */
  makeRoom(): boolean {
    if (this.#entries.size < this.#limits.max) return true;
    for (const [id, { open, session }] of this.#entries) {
      if (open > 0) continue;
      this.#entries.delete(id);
      void session.close();
      return true;
    }
    return false;
  }

  add(session: S): void {
    this.#entries.set(session.id, { session, lastUsed: performance.now(), open: 0 });
  }

  /** The caller's session with that id. Sessions of other callers are never found. */
  find(id: string, caller: string): S | undefined {
    const entry = this.#entries.get(id);
    if (!entry || entry.session.caller !== caller) return undefined;
    this.#touch(id, entry);
    return entry.session;
  }

  /** Marks the session as in use until the returned function is called. */
  use(id: string): () => void {
    const entry = this.#entries.get(id);
    if (!entry) return () => undefined;
    entry.open += 1;
    let done = false;
    return () => {
      if (done) return;
      done = true;
      entry.open -= 1;
      if (this.#entries.get(id) === entry) this.#touch(id, entry);
    };
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweep);
    const sessions = this.all();
    this.#entries.clear();
    await Promise.allSettled(sessions.map((session) => session.close()));
  }

  #touch(id: string, entry: Entry<S>): void {
    entry.lastUsed = performance.now();
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }

  #closeIdle(): void {
    const oldest = performance.now() - this.#limits.idleMs;
    for (const [id, { lastUsed, open, session }] of this.#entries) {
      if (open > 0 || lastUsed > oldest) continue;
      this.#entries.delete(id);
      void session.close();
    }
  }
}
