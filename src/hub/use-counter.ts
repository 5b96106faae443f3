/**
 * When tokens were last used, and how often each skill was loaded. Kept in memory and written now and then, so that no answer waits
 * for the database. If it is away, the counts wait too; what a killed replica had not written yet is lost.
 */
import type { LoadedSkill } from '../store/catalog-store.ts';

/** The part of the store that it needs. */
interface Writes {
  recordUse(tokens: ReadonlyMap<number, number>, loads: readonly LoadedSkill[]): Promise<void>;
}

const WRITE_EVERY_MS = 15_000;
/** So many skills are counted between two writes; of a longer outage the rest is forgotten. */
const KEYS_MAX = 20_000;

export class UseCounter {
  readonly #store: Writes;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  /** Milliseconds since 1970, by the id of the token. */
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

  /** `dir` is where the skill appears: the team, the source, and the folder in it. */
  loaded(dir: string): void {
    const [, team = '', name = '', ...folder] = dir.split('/');
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    this.#add({ team, name, folder: folder.join('/'), day, loads: 1 });
  }

  /** Never fails: what cannot be written is tried again the next time. */
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
