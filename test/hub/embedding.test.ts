import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { EmbedWorker } from '../../src/hub/embed-worker.ts';
import { Follower } from '../../src/hub/follower.ts';
import { search } from '../../src/operations/search.ts';
import { endpointEmbedder } from '../../src/search/embed/endpoint.ts';
import { guardedEmbedder } from '../../src/search/embed/guarded.ts';
import { CatalogStore, type StoredSource } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { EmbedStore } from '../../src/store/embed-store.ts';
import { prune } from '../../src/store/prune.ts';
import { ask } from '../support/ask.ts';
import { companyOn } from '../support/company.ts';
import { type EmbeddingsEndpoint, embeddingsEndpoint } from '../support/embeddings-endpoint.ts';
import { type Followed, followedOn, skill } from '../support/followed.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { callTool, startReplica } from '../support/replica.ts';
import { sourceFiles } from '../support/shared.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const MODEL = 'letters';
const IDENTITY = 'letters-of-the-test';

const skills = (count: number, changed = ''): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `skills/skill-${index}/SKILL.md`,
      skill(`skill-${index}`, `Fills form number ${index}. ${index === 0 ? changed : ''}`),
    ]),
  );

interface Opened extends AsyncDisposable {
  followed: Followed;
  endpoint: EmbeddingsEndpoint;
  publish(files: Record<string, string>): Promise<number>;
  /** A replica of its own, with its own connections; as a worker too. */
  replica(isWorker?: boolean, disk?: Disk): Promise<{ follower: Follower; stop(): Promise<void> }>;
  actions(): Promise<string[]>;
}

async function open(): Promise<Opened> {
  const followed = await followedOn(postgres);
  const endpoint = await embeddingsEndpoint();
  const stops: (() => Promise<void>)[] = [];
  const log = {
    info: () => undefined,
    warn: (text: string) => void followed.said.push(text),
    bug: (error: unknown) => void followed.said.push(`bug: ${String(error)}`),
  };
  return {
    followed,
    endpoint,
    async publish(given) {
      const { files, contents } = sourceFiles(given);
      const { store } = followed;
      for (const content of contents.values()) await store.upload(content);
      const source = (await store.findSource('a', 'one')) as StoredSource;
      return (await store.publish(source, source.version, files, { actor: 'ada' })).number;
    },
    async replica(isWorker = false, disk = memoryDisk()) {
      const database = new Database({ url: followed.url });
      const store = new CatalogStore(database);
      const embedder = endpointEmbedder({ url: endpoint.url, model: MODEL, attempts: 1, timeoutMs: 2_000, batch: 8 });
      const follower = new Follower({
        database,
        store,
        disk,
        cacheDir: '/cache',
        id: `replica-${stops.length}`,
        pollMs: 50,
        endpoint: { forQueries: guardedEmbedder(embedder, log.warn, 1), identity: IDENTITY },
        log,
      });
      await follower.start();
      const queue = new EmbedStore(database, IDENTITY);
      const worker = new EmbedWorker({ follower, store, queue, embedder, identity: IDENTITY, log, restMs: 20 });
      if (isWorker) worker.start();
      let stopped: Promise<void> | undefined;
      const stop = (): Promise<void> =>
        (stopped ??= (async () => {
          await worker.stop();
          await follower.stop();
          await database.close();
        })());
      stops.push(stop);
      return { follower, stop };
    },
    actions: async () =>
      (await followed.database.query('select action from snapshot order by number')).map((row) =>
        String(row['action']),
      ),
    async [Symbol.asyncDispose]() {
      for (const stop of stops) await stop();
      await endpoint[Symbol.asyncDispose]();
      await followed[Symbol.asyncDispose]();
    },
  };
}

const find = (follower: Follower, query = 'fill a form') =>
  ask(search, { query, limit: 100 }, follower.current?.viewFor('a') as never);

const hasVectors = ({ current }: Follower): boolean => (current?.sources[0]?.embedded.length ?? 0) > 0;

const asDocuments = ({ asked }: EmbeddingsEndpoint): [string, number][] =>
  [...asked].filter(([text]) => text.includes('skill-'));

describe.skipIf(!hasPostgres)('vectors of an endpoint', () => {
  test('are made by two workers at once, each text once, and count on every replica from one snapshot on', async () => {
    await using opened = await open();
    await opened.publish(skills(60));
    const reader = await opened.replica();
    const before = await find(reader.follower);
    expect(before.reason).toBe(`1 of 1 sources have no vectors of ${MODEL} yet, so the bundled model ranks them`);
    expect(before.model).not.toBe(MODEL);
    const workers = [await opened.replica(true), await opened.replica(true)];
    const all = [reader, ...workers].map(({ follower }) => follower);
    await expect.poll(() => all.every(hasVectors)).toBe(true);
    expect((await opened.actions()).filter((action) => action === 'embed')).toHaveLength(1);
    const documents = asDocuments(opened.endpoint);
    expect(documents).toHaveLength(60);
    expect(documents.filter(([, times]) => times !== 1)).toEqual([]);
    const numbers = new Set(all.map(({ current }) => current?.number));
    expect(numbers.size).toBe(1);
    const answers = await Promise.all(all.map((follower) => find(follower)));
    expect(answers[0]).toMatchObject({ model: MODEL });
    expect(answers[0]?.reason).toBeUndefined();
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.results.map(({ meaning }) => meaning)).not.toEqual(before.results.map(({ meaning }) => meaning));
  });

  test('go with a publication, and come back when what changed is embedded', async () => {
    await using opened = await open();
    await opened.publish(skills(5));
    const worker = await opened.replica(true);
    await expect.poll(() => hasVectors(worker.follower)).toBe(true);
    opened.endpoint.mood = 'down';
    const number = await opened.publish(skills(5, 'And signs it.'));
    await expect.poll(() => worker.follower.current?.number).toBe(number);
    expect(hasVectors(worker.follower)).toBe(false);
    expect((await find(worker.follower)).reason).toContain('have no vectors');
    opened.endpoint.mood = 'fine';
    await expect.poll(() => hasVectors(worker.follower)).toBe(true);
    // Names and description of the first one are in both.
    expect(asDocuments(opened.endpoint).filter(([, times]) => times > 1)).toHaveLength(1);
    expect(opened.followed.said.join('\n')).not.toContain('bug');
  });

  test('do without the endpoint: a query that it cannot embed is ranked with the bundled model, and says so', async () => {
    await using opened = await open();
    await opened.publish(skills(5));
    const worker = await opened.replica(true);
    await expect.poll(() => hasVectors(worker.follower)).toBe(true);
    const expected = await find(worker.follower);
    expect(expected.model).toBe(MODEL);
    opened.endpoint.mood = 'down';
    const answer = await find(worker.follower);
    expect(answer.model).not.toBe(MODEL);
    expect(answer.reason).toBe('The embeddings endpoint cannot be used at the moment, so the bundled model ranks all');
    expect(answer.results.length).toBeGreaterThan(0);
    opened.endpoint.mood = 'fine';
    await expect.poll(() => find(worker.follower)).toEqual(expected);
  });

  test('are not waited for because of one text that the endpoint refuses', async () => {
    await using opened = await open();
    opened.endpoint.refuses = 'poison';
    await opened.publish({ ...skills(12), 'skills/bad/SKILL.md': skill('bad', `A poison ${'word '.repeat(20)}`) });
    const worker = await opened.replica(true);
    await expect.poll(() => hasVectors(worker.follower)).toBe(true);
    const { results, model } = await find(worker.follower);
    expect(model).toBe(MODEL);
    expect(results.find(({ name }) => name === 'skill-3')?.meaning).toBeGreaterThan(0);
    const { results: bad } = await find(worker.follower, 'word');
    expect(bad.find(({ name }) => name === 'bad')?.meaning).toBe(0);
  });

  test('count after a start without the database, and stay when the catalog is pruned', async () => {
    await using opened = await open();
    await opened.publish(skills(5));
    const disk = memoryDisk();
    const worker = await opened.replica(true, disk);
    await expect.poll(() => hasVectors(worker.follower)).toBe(true);
    const expected = await find(worker.follower);
    await worker.stop();
    const { database } = opened.followed;
    await database.query(`update blob set created_at = created_at - interval '30 days'`);
    await prune(database, { keepMs: 0, dryRun: false, actor: 'operator' });
    const fresh = await opened.replica();
    expect(await find(fresh.follower)).toEqual(expected);
    const nowhere = new Database({ url: 'postgres://127.0.0.1:1/none' });
    const embedder = endpointEmbedder({ url: opened.endpoint.url, model: MODEL });
    const alone = new Follower({
      database: nowhere,
      store: new CatalogStore(nowhere),
      disk,
      cacheDir: '/cache',
      id: 'alone',
      pollMs: 1_000_000,
      endpoint: { forQueries: embedder, identity: IDENTITY },
      log: { info: () => undefined, warn: () => undefined, bug: () => undefined },
    });
    await alone.start();
    expect(await find(alone)).toEqual(expected);
    await alone.stop();
    await nowhere.close();
  });

  test('are made again where they are damaged in the database', async () => {
    await using opened = await open();
    await opened.publish(skills(5));
    const worker = await opened.replica(true);
    await expect.poll(() => hasVectors(worker.follower)).toBe(true);
    const expected = await find(worker.follower);
    await worker.stop();
    const { database, said } = opened.followed;
    const areWhole = async (): Promise<unknown> => {
      const [row] = await database.query(
        'select sha256(content) = sha256 as whole from embedded join blob using (sha256)',
      );
      return row?.['whole'];
    };
    await database.query(
      `update blob set content = set_byte(content, length(content) - 9, 77) where sha256 in (select sha256 from embedded)`,
    );
    expect(await areWhole()).toBe(false);
    const fresh = await opened.replica();
    expect(await find(fresh.follower)).toEqual(expected);
    expect(await areWhole()).toBe(true);
    expect(said.join('\n')).toContain('made again');
  });

  test('are of the whole text, also if its content was lost from the cache folder just then', async () => {
    await using opened = await open();
    const text = skill('git', `An unmistakable text ${'about branches and merges '.repeat(5)}`);
    await opened.publish({ 'skills/git/SKILL.md': text });
    // What search needs is stored by another one, so that the worker reads the text only for its vectors.
    await opened.replica();
    const { database } = opened.followed;
    await expect.poll(async () => (await database.query('select 1 from segment')).length).toBe(2);
    const disk = memoryDisk();
    const sha256 = createHash('sha256').update(text).digest('hex');
    let reads = 0;
    const read: typeof disk.read = (place, max) => {
      if (place.endsWith(sha256) && ++reads === 2) disk.remove(place);
      return disk.read(place, max);
    };
    const worker = await opened.replica(true, { ...disk, read });
    await expect.poll(() => hasVectors(worker.follower)).toBe(true);
    expect(reads).toBeGreaterThan(2);
    expect([...opened.endpoint.asked.keys()].some((asked) => asked.includes('unmistakable'))).toBe(true);
  });

  test('need an endpoint', async () => {
    using shop = await companyOn(postgres);
    expect(await shop.run(['serve', '--embed', '--port', '0'])).toMatchObject({ code: 2, error: { code: 'USAGE' } });
  });

  test('are taken over when a worker is killed in the middle', async () => {
    await using endpoint = await embeddingsEndpoint();
    using shop = await companyOn(postgres);
    shop.folder.write({
      'config/lectern/config.json': JSON.stringify({
        search: { embeddings: 'endpoint', endpoint: { url: endpoint.url, model: MODEL, batch: 8 } },
      }),
    });
    const env = { XDG_CONFIG_HOME: shop.folder.at('config') };
    endpoint.mood = 'silent';
    const first = await startReplica(shop.database, shop.folder.at('cache-1'), ['--embed'], { env });
    await shop.publish(first.url, 'payments', skills(30));
    const database = new Database({ url: shop.database });
    const held = async (): Promise<number> =>
      (
        await database.query(
          `select 1 from pg_stat_activity where state = 'idle in transaction' and query like '%skip locked%'`,
        )
      ).length;
    await expect.poll(held).toBeGreaterThan(0);
    await first.kill('SIGKILL');
    endpoint.mood = 'fine';
    await using second = await startReplica(shop.database, shop.folder.at('cache-2'), ['--embed'], { env });
    const modelOf = async (): Promise<unknown> => {
      const { body } = await callTool(second.url, shop.tokens.payments.read, 'skills_search', { query: 'form' });
      return body.result.structuredContent;
    };
    await expect
      .poll(async () => (await database.query('select 1 from embedded where removed_in is null')).length)
      .toBe(1);
    await expect.poll(async () => JSON.stringify(await modelOf())).not.toContain('have no vectors');
    const documents = asDocuments(endpoint);
    expect(documents).toHaveLength(30);
    expect(documents.filter(([, times]) => times !== 1)).toEqual([]);
    await database.close();
  });
});
