/**
 * Vectors of endpoints, by the model and the key of the text. A text without vectors waits to be embedded: workers take some of them
 * at a time, and what a worker holds is free again when its connection ends. A row is never made twice, so no text is embedded twice.
 */
import type { SegmentsOf, StoredSegment } from './segment-store.ts';
import { advance, lockHead, type StoredSource } from './catalog-store.ts';
import type { Database } from './database.ts';

export interface WaitingText {
  /** 16 bytes, as a string of as many characters. */
  key: string;
  /** What gets a vector each: names and description, then pieces of the body. */
  texts: readonly string[];
  /** How often it failed while others did not. */
  attempts: number;
}

const KEYS_AT_ONCE = 2_000;

/** Who makes the snapshot. */
const ACTOR = 'lectern serve --embed';

export class EmbedStore {
  readonly #database: Database;
  readonly #model: string;

  constructor(database: Database, model: string) {
    this.#database = database;
    this.#model = model;
  }

  /** Which of these texts have neither vectors nor a place in the queue. */
  async unknown(keys: readonly string[]): Promise<string[]> {
    const known = new Set<string>();
    for (const some of batches(keys)) {
      const rows = await this.#database.query(
        'select text_key from embedding where model = $1 and text_key = any($2::bytea[])',
        [this.#model, some],
      );
      for (const row of rows) known.add(keyOf(row['text_key']));
    }
    return keys.filter((key) => !known.has(key));
  }

  /** Puts texts into the queue that are not known. */
  async add(waiting: readonly Omit<WaitingText, 'attempts'>[]): Promise<void> {
    await this.#database.query(
      `insert into embedding (model, text_key, texts)
       select $1, text_key, texts from unnest($2::bytea[], $3::bytea[]) as t (text_key, texts)
       order by text_key on conflict do nothing`,
      // As bytes: texts may have zeros, which the type text cannot hold.
      [
        this.#model,
        waiting.map(({ key }) => bytesOf(key)),
        waiting.map(({ texts }) => Buffer.from(JSON.stringify(texts))),
      ],
    );
  }

  /**
   * Takes up to so many texts that no other worker holds, and stores the vectors that `embed` returns, in the same order. One that
   * failed before is taken alone. If `embed` fails, all of them wait as before.
   */
  take(limit: number, embed: (taken: readonly WaitingText[]) => Promise<readonly Uint8Array[]>): Promise<number> {
    return this.#database.transaction(async (query) => {
      const select = (which: string, count: number): Promise<Record<string, unknown>[]> =>
        query(
          `select text_key, texts, attempts from embedding
           where model = $1 and vectors is null and not_before <= now() and ${which}
           order by not_before, text_key limit $2 for update skip locked`,
          [this.#model, count],
        );
      const fresh = await select('attempts = 0', limit);
      const rows = fresh.length > 0 ? fresh : await select('attempts > 0', 1);
      if (rows.length === 0) return 0;
      const taken = rows.map((row): WaitingText => ({
        key: keyOf(row['text_key']),
        texts: JSON.parse((row['texts'] as Buffer).toString('utf8')) as string[],
        attempts: Number(row['attempts']),
      }));
      const vectors = await embed(taken);
      await query(
        `update embedding set vectors = made, texts = null, used_at = now()
         from unnest($2::bytea[], $3::bytea[]) as m (key, made) where model = $1 and text_key = key`,
        [this.#model, taken.map(({ key }) => bytesOf(key)), vectors.map((each) => Buffer.from(each))],
      );
      return rows.length;
    });
  }

  /** They are tried again later, one by one. */
  async failed(keys: readonly string[], againMs: number): Promise<void> {
    await this.#database.query(
      `update embedding set attempts = attempts + 1, not_before = now() + $3 * interval '1 millisecond'
       where model = $1 and text_key = any($2::bytea[]) and vectors is null`,
      [this.#model, keys.map(bytesOf), againMs],
    );
  }

  /** The vectors of those texts that have them. */
  async vectors(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for (const some of batches(keys)) {
      const rows = await this.#database.query(
        'select text_key, vectors from embedding where model = $1 and text_key = any($2::bytea[]) and vectors is not null',
        [this.#model, some],
      );
      for (const row of rows) found.set(keyOf(row['text_key']), row['vectors'] as Buffer);
    }
    return found;
  }

  /** What is used stays when the catalog is pruned. */
  async used(keys: readonly string[]): Promise<void> {
    for (const some of batches(keys))
      await this.#database.query(
        `update embedding set used_at = now()
         where model = $1 and text_key = any($2::bytea[]) and used_at < now() - interval '1 day'`,
        [this.#model, some],
      );
  }

  /**
   * Makes the snapshot from which on these vectors count for a source. Their contents must be uploaded. False if the source is at
   * another version by now, or has them already.
   */
  attach(
    { sourceId, files }: SegmentsOf,
    version: StoredSource['version'],
    segments: readonly StoredSegment[],
  ): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const head = await lockHead(query);
      const [source] = await query('select 1 from source where id = $1 and version = $2', [sourceId, version]);
      const [there] = await query(
        'select 1 from embedded where source_id = $1 and model = $2 and files = $3 and removed_in is null',
        [sourceId, this.#model, Buffer.from(files, 'hex')],
      );
      if (!source || there) return false;
      const number = await advance(query, head, { actor: ACTOR, action: 'embed', sourceId });
      await query('update embedded set removed_in = $3 where source_id = $1 and model = $2 and removed_in is null', [
        sourceId,
        this.#model,
        number,
      ]);
      await query(
        `insert into embedded (source_id, model, files, format, position, sha256, size, added_in)
         select $1, $2, $3, format, position, sha256, size, $8
         from unnest($4::text[], $5::integer[], $6::bytea[], $7::integer[]) as s (format, position, sha256, size)`,
        [
          sourceId,
          this.#model,
          Buffer.from(files, 'hex'),
          segments.map(({ format }) => format),
          segments.map(({ position }) => position),
          segments.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
          segments.map(({ size }) => size),
          number,
        ],
      );
      return true;
    });
  }
}

/** For one statement each. */
function* batches(keys: readonly string[]): Generator<Buffer[]> {
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) yield keys.slice(at, at + KEYS_AT_ONCE).map(bytesOf);
}

function bytesOf(key: string): Buffer {
  return Buffer.from(key, 'latin1');
}

function keyOf(bytes: unknown): string {
  return (bytes as Buffer).toString('latin1');
}
