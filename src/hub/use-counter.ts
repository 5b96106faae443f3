/**
 * Counts skill loads and records when tokens were last used. Counts are held in memory and written periodically, so that no response
 * waits for the database. They are retried while the database is unreachable; a killed replica loses unwritten counts.
 */
import type { LoadedSkill } from '../store/catalog-store.ts';

/** The part of the store used here. */
interface Writes {
  recordUse(tokens: ReadonlyMap<number, number>, loads: readonly LoadedSkill[]): Promise<void>;
}

const WRITE_EVERY_MS = 15_000;
/** Maximum number of skills counted between two writes. Further loads during an outage are not counted. */
const KEYS_MAX = 20_000;

export class UseCounter {
  readonly #store: Writes;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  /** Milliseconds since 1970, by token ID. */
  #tokens = new Map<number, number>();
  #loads = new Map<string, LoadedSkill>();
  #writing: Promise<void> | undefined;

  constructor(store: Writes, now: () => number, everyMs = WRITE_EVERY_MS) {
    this.#store = store;
    this.#now = now;
    this.#timer = setInterval(() => void this.write(), everyMs).unref();
  }

  used(tokenId: number): void {
    this.#tokens.set(tokenId, this.#now());
  }

  /** `dir` consists of the team, the source and the folder in it. */
  loaded(dir: string): void {
    const [, team = '', name = '', ...folder] = dir.split('/');
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    this.#add({ team, name, folder: folder.join('/'), day, loads: 1 });
  }

  /** Never fails: unwritten counts are retried next time. */
  async write(): Promise<void> {
    await this.#writing;
    if (this.#tokens.size + this.#loads.size === 0) return;
    this.#writing = this.#tryToWrite().finally(() => (this.#writing = undefined));
    await this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }

  async #tryToWrite(): Promise<void> {
    const [tokens, loads] = [this.#tokens, this.#loads];
    [this.#tokens, this.#loads] = [new Map(), new Map()];
    try {
      await this.#store.recordUse(tokens, [...loads.values()]);
    } catch {
      for (const [id, at] of tokens) if (!this.#tokens.has(id)) this.#tokens.set(id, at);
      for (const each of loads.values()) this.#add(each);
    }
  }

  #add(load: LoadedSkill): void {
    const key = [load.day, load.team, load.name, load.folder].join('/');
    const before = this.#loads.get(key);
    if (before) before.loads += load.loads;
    else if (this.#loads.size < KEYS_MAX) this.#loads.set(key, load);
  }
}
