/** Manages sessions. Their number is bounded, idle ones are closed, and only the caller that opened a session can use it. */
import { mostCrowded, type Place } from './crowd.ts';

export interface Session extends Place {
  id: string;
  /** Returns the number of unanswered calls that have no open request. */
  pending?(): number;
  close(): Promise<void>;
}

export interface SessionLimits {
  max: number;
  idleMs: number;
}

interface Entry<S extends Session> {
  session: S;
  lastUsed: number;
  /** Whether the client has ever used the session. */
  isUsed: boolean;
  /** The number of open requests. A session with an open request is never closed to make room. */
  requests: number;
  /** The number of open streams. A session with an open stream does not count as idle. */
  streams: number;
}

export class Sessions<S extends Session> {
  /** Sessions in the order of their last use. */
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

  /**
   * Makes room for one more by closing a session of the caller with the most sessions: the one that has been idle longest or, if
   * all have open streams, one that was never used. Returns false if every session has a pending call.
   */
  makeRoom(): boolean {
    if (this.#entries.size < this.#limits.max) return true;
    const free = [...this.#entries.values()].filter(
      ({ requests, session }) => requests === 0 && (session.pending?.() ?? 0) === 0,
    );
    const crowd = new Set(mostCrowded(free.map(({ session }) => session)));
    const ofCrowd = free.filter(({ session }) => crowd.has(session));
    const victim =
      ofCrowd.find(({ streams }) => streams === 0) ?? ofCrowd.find(({ isUsed }) => !isUsed) ?? ofCrowd.at(0);
    if (!victim) return false;
    this.#entries.delete(victim.session.id);
    void victim.session.close();
    return true;
  }

  add(session: S): void {
    const entry = { session, lastUsed: performance.now(), isUsed: false, requests: 0, streams: 0 };
    this.#entries.set(session.id, entry);
  }

  /** Returns the caller's session with that ID. Sessions of other callers are never found. */
  find(id: string, caller: string): S | undefined {
    const entry = this.#entries.get(id);
    if (!entry || entry.session.caller !== caller) return undefined;
    entry.isUsed = true;
    this.#touch(id, entry);
    return entry.session;
  }

  /** Marks the session as in use by a request or a stream until the returned function is called. */
  use(id: string, what: 'requests' | 'streams' = 'requests'): () => void {
    const entry = this.#entries.get(id);
    if (!entry) return () => undefined;
    entry[what] += 1;
    let done = false;
    return () => {
      if (done) return;
      done = true;
      entry[what] -= 1;
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
    for (const [id, { lastUsed, requests, streams, session }] of this.#entries) {
      if (requests + streams > 0 || lastUsed > oldest) continue;
      this.#entries.delete(id);
      void session.close();
    }
  }
}
