import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { WriteTrouble } from '../../src/core/disk/writes.ts';
import type { Follower } from '../../src/hub/follower.ts';
import { Publishing } from '../../src/hub/publishing.ts';
import { search } from '../../src/operations/search.ts';
import { makeSegment } from '../../src/search/segments/make-segment.ts';
import { decodeWords } from '../../src/search/segments/words-file.ts';
import type { Published, StoredSource } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { prune } from '../../src/store/prune.ts';
import { ask } from '../support/ask.ts';
import { type Followed, followedOn, skill } from '../support/followed.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { sharedCatalog, type SourceFiles, sourceFiles } from '../support/shared.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const SPEC =
  '# Books\n\n## Purpose\n\nOrders of books.\n\n## Requirements\n\n### Requirement: Order\nThe shop SHALL take orders.\n\n#### Scenario: One\n- **WHEN** somebody orders\n- **THEN** it is sent\n';
const source = (version: number): SourceFiles => ({
  'skills/pdf/SKILL.md': skill('pdf', `Fills forms, version ${version}.`),
  'skills/git/SKILL.md': skill('git', 'Rebases and merges branches.'),
  'openspec/specs/books/spec.md': SPEC,
});

interface Opened extends AsyncDisposable {
  followed: Followed;
  publisher: Follower;
  publishing: Publishing;
  stored(): Promise<StoredSource>;
  publish(files: SourceFiles): Promise<Published>;
  /** What is stored, with the hash of what the content is in fact. */
  rows(): Promise<{ format: string; position: number; sha256: string; real: string }[]>;
}

const ADA = { tokenId: undefined, actor: 'ada', teams: ['a'], scopes: ['publish' as const], expiresAt: Infinity };

async function open(): Promise<Opened> {
  const followed = await followedOn(postgres);
  const { store, database } = followed;
  const publisher = followed.follower(undefined, undefined, memoryDisk());
  await publisher.start();
  const publishing = new Publishing(store, publisher);
  const stored = async (): Promise<StoredSource> => (await store.findSource('a', 'one')) as StoredSource;
  return {
    followed,
    publisher,
    publishing,
    stored,
    async publish(given) {
      const { files, contents } = sourceFiles(given);
      for (const content of contents.values()) await store.upload(content, ['a']);
      const at = await stored();
      const published = await publishing.publish(at, at.version, files, { actor: 'ada' }, ADA);
      await publisher.poll();
      return published;
    },
    rows: () =>
      database.query(
        `select format, position, encode(segment.sha256, 'hex') as sha256, encode(sha256(content), 'hex') as real
         from segment left join blob using (sha256) order by 1, 2`,
      ),
    [Symbol.asyncDispose]: () => followed[Symbol.asyncDispose](),
  };
}

const find = (follower: Follower, query: string, mode: 'auto' | 'keyword' = 'auto') =>
  ask(search, { query, mode }, follower.current?.viewFor('a') as never);

const QUERIES = ['fill a form', 'merge', 'order books', 'version', 'mrege', 'nothing of this kind'];

async function answers(follower: Follower): Promise<unknown[]> {
  const told: unknown[] = [];
  for (const query of QUERIES) told.push(await find(follower, query), await find(follower, query, 'keyword'));
  return told;
}

/** Replaces the words of the skills in the database by others, so that it shows who uses them. */
async function markStored({ followed: { store, database } }: Opened): Promise<void> {
  const rows = await database.query<{ sha256: Buffer; content: Buffer }>(
    'select sha256, content from segment join blob using (sha256)',
  );
  const skills = rows.find(({ content }) => decodeWords(content) && content.includes('branches'));
  if (!skills) throw new Error('nothing is stored');
  const texts = ['git', 'pdf'].map((name) => ({ names: [name], description: '', body: `marked ${name}` }));
  const { words } = await makeSegment(decodeWords(skills.content)?.id ?? '', texts, undefined);
  const marked = Buffer.from(await store.upload(words), 'hex');
  await database.query('update segment set sha256 = $1, size = $2 where sha256 = $3', [
    marked,
    words.length,
    skills.sha256,
  ]);
}

const isMarked = async (follower: Follower): Promise<boolean> => (await find(follower, 'marked')).results.length > 0;

describe.skipIf(!hasPostgres)('the search data of a source', () => {
  test('is stored when it is published, and used by every replica, also by one that starts without the database', async () => {
    await using opened = await open();
    const { followed } = opened;
    await opened.publish(source(1));
    // Skills and requirements, each with words and vectors.
    expect((await opened.rows()).map(({ format, position }) => [format.split('-')[0], position])).toEqual([
      ['vectors', 0],
      ['vectors', 1],
      ['words', 0],
      ['words', 1],
    ]);
    await markStored(opened);
    const other = followed.follower();
    await other.start();
    expect(await isMarked(other)).toBe(true);
    await other.stop();
    const nowhere = new Database({ url: 'postgres://127.0.0.1:1/none' });
    const alone = followed.follower(nowhere);
    await alone.start();
    expect(await isMarked(alone)).toBe(true);
    await alone.stop();
    await nowhere.close();
    // The publisher has its own.
    await opened.publisher.poll();
    expect(await isMarked(opened.publisher)).toBe(false);
    expect(followed.said.join('\n')).not.toContain('made again');
  });

  test('gives the same answers, whether it was stored, made after a publication by others, or made for each search', async () => {
    await using opened = await open();
    const { followed } = opened;
    await opened.publish(source(1));
    await opened.publish(source(2));
    const expected = await answers(opened.publisher);
    const other = followed.follower();
    await other.start();
    expect(await answers(other)).toEqual(expected);
    await followed.database.query('delete from segment');
    const alone = followed.follower(undefined, undefined, memoryDisk());
    await alone.start();
    expect(await answers(alone)).toEqual(expected);
    const catalog = await sharedCatalog({ 'a/one': { files: source(2) } });
    const view = catalog.viewFor('a');
    const told: unknown[] = [];
    for (const query of QUERIES)
      told.push(await ask(search, { query }, view), await ask(search, { query, mode: 'keyword' }, view));
    expect(told).toEqual(expected);
  });

  test('is made by a replica where it is missing or of another format, and stored for the others', async () => {
    await using opened = await open();
    const { followed } = opened;
    await opened.publish(source(1));
    const before = await opened.rows();
    await followed.database.query(`update segment set format = 'old-' || format`);
    const other = followed.follower();
    await other.start();
    await expect.poll(async () => (await opened.rows()).length).toBe(8);
    const made = (await opened.rows()).filter(({ format }) => !format.startsWith('old-'));
    expect(made).toEqual(before);
    expect(followed.said).toEqual([]);
  });

  test('is never used if it is damaged: a replica reports it, rebuilds it, and repairs the database', async () => {
    await using opened = await open();
    const { followed } = opened;
    await opened.publish(source(1));
    const before = await opened.rows();
    await followed.database.query(
      `update blob set content = set_byte(content, length(content) - 9, 77) where sha256 in (select sha256 from segment)`,
    );
    expect(await opened.rows()).not.toEqual(before);
    const other = followed.follower();
    await other.start();
    await expect.poll(() => opened.rows()).toEqual(before);
    expect(await answers(other)).toEqual(await answers(opened.publisher));
    expect(followed.said.join('\n')).toContain('is unusable and is being rebuilt');
    // The same in the cache folder of one that starts without the database.
    await other.stop();
    const damaged = before[0]?.sha256 ?? '';
    const place = `/cache/blobs/${damaged.slice(0, 2)}/${damaged}`;
    followed.disk.replace(place, Buffer.from(followed.disk.read(place, 1e6).bytes.map((byte) => byte ^ 1)));
    const nowhere = new Database({ url: 'postgres://127.0.0.1:1/none' });
    const alone = followed.follower(nowhere);
    await alone.start();
    expect(await answers(alone)).toEqual(await answers(opened.publisher));
    await alone.stop();
    await nowhere.close();
  });

  test('is refetched if only the cached copy is damaged', async () => {
    await using opened = await open();
    const { followed } = opened;
    await opened.publish(source(1));
    const other = followed.follower();
    await other.start();
    const answered = await answers(other);
    await other.stop();
    for (const { sha256 } of await opened.rows()) {
      const place = `/cache/blobs/${sha256.slice(0, 2)}/${sha256}`;
      followed.disk.replace(place, Buffer.from(followed.disk.read(place, 1e6).bytes.map((byte) => byte ^ 1)));
    }
    const again = followed.follower();
    await again.start();
    expect(await answers(again)).toEqual(answered);
    // One line for all of them, and nothing was made.
    expect(followed.said.filter((text) => text.includes('damaged'))).toHaveLength(1);
    expect(followed.said.join()).not.toContain('made again');
  });

  test('is of the files that are current: others go with a publication or a rollback, and their contents when pruned', async () => {
    await using opened = await open();
    const { followed } = opened;
    const first = await opened.publish(source(1));
    const rowsOfFirst = await opened.rows();
    await opened.publish({ ...source(2), 'skills/new/SKILL.md': skill('new', 'Something new.') });
    const rowsOfSecond = await opened.rows();
    expect(rowsOfSecond).toHaveLength(4);
    expect(rowsOfSecond).not.toEqual(rowsOfFirst);
    const at = await opened.stored();
    const back = await opened.publishing.rollback(at, first.number, { actor: 'ada' });
    expect(back.outcome).toBe('published');
    expect(await opened.rows()).toEqual(rowsOfFirst);
    await followed.database.query(`update blob set created_at = created_at - interval '30 days'`);
    await prune(followed.database, { keepMs: 0, dryRun: false, actor: 'operator' });
    expect(await opened.rows()).toEqual(rowsOfFirst);
    const gone = rowsOfSecond.filter(({ sha256 }) => !rowsOfFirst.some((row) => row.sha256 === sha256));
    expect(gone.length).toBeGreaterThan(0);
    const left = await followed.store.sizes(
      gone.map(({ sha256 }) => sha256),
      ['a'],
    );
    expect(left.size).toBe(0);
  });

  test('is not taken from the cache folder of a replica before it is replaced there', async () => {
    await using opened = await open();
    const { followed } = opened;
    const follower = followed.follower();
    await follower.start();
    const isKept = (sha256: string): boolean =>
      followed.disk.look(`/cache/blobs/${sha256.slice(0, 2)}/${sha256}`) !== undefined;
    const versions: string[][] = [];
    for (let version = 1; version <= 3; version++) {
      await opened.publish(source(version));
      await follower.poll();
      versions.push((await opened.rows()).map(({ sha256 }) => sha256));
    }
    const [first = [], second = [], third = []] = versions;
    expect(third.every(isKept)).toBe(true);
    expect(second.every(isKept)).toBe(true);
    expect(first.filter((sha256) => !second.includes(sha256)).some(isKept)).toBe(false);
  });

  test('stays in memory if the cache folder cannot be written', async () => {
    await using opened = await open();
    await opened.publish(source(1));
    const refuse = (place: string): never => {
      throw new WriteTrouble('read-only-file', place);
    };
    const disk = { ...memoryDisk(), append: refuse, replace: refuse, move: refuse, remove: refuse, create: refuse };
    const full = opened.followed.follower(undefined, undefined, disk);
    await full.start();
    expect(await answers(full)).toEqual(await answers(opened.publisher));
  });

  test('is not stored if a content was missing when it was made', async () => {
    await using opened = await open();
    const { followed } = opened;
    await opened.publish(source(1));
    await followed.database.query('delete from segment');
    const disk = memoryDisk();
    const sha256 = createHash('sha256').update(skill('git', 'Rebases and merges branches.')).digest('hex');
    // Lost after the source was opened, when its text is read for the second time.
    let reads = 0;
    const read: typeof disk.read = (place, max) => {
      if (place.endsWith(sha256) && ++reads > 1) disk.remove(place);
      return disk.read(place, max);
    };
    const other = followed.follower(undefined, undefined, { ...disk, read });
    await other.start();
    await expect.poll(() => followed.said.join('\n')).toContain('one of its files is missing');
    await other.stop();
    expect(await opened.rows()).toEqual([]);
  });
});
