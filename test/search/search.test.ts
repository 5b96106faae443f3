import { beforeEach, describe, expect, test } from 'vitest';
import { memoryDisk, type MemoryDisk } from '../../src/core/disk/memory-disk.ts';
import { Failure } from '../../src/core/failure.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';
import { Search, type SearchMode } from '../../src/search/search.ts';
import { countingEmbedder, doc } from '../support/documents.ts';

const DIR = '/index';
const documents = [
  doc('auth/session-expiry', {
    kind: 'requirement',
    name: 'Session Expiry',
    description: 'The system SHALL end a session after thirty minutes of inactivity.',
    body: 'WHEN a session is idle THEN the token is revoked',
    extras: { spec_id: 'auth', requirement: 'Session Expiry' },
  }),
  doc('auth/lockout', {
    kind: 'requirement',
    name: 'Account Lockout',
    description: 'The system SHALL lock an account after failed attempts.',
    body: 'WHEN attempts fail THEN the account is locked',
    extras: { spec_id: 'auth', requirement: 'Account Lockout' },
  }),
  doc('pdf-forms', { description: 'Fill interactive PDF forms.', body: 'Flatten with pdftk. The session ends.' }),
];

let disk: MemoryDisk;
beforeEach(() => {
  disk = memoryDisk();
});

const open = (embedder: Embedder | undefined = countingEmbedder()): Search =>
  new Search({ disk, dir: DIR, embedder: () => embedder as Embedder });
const wordsOnly = (): Search => new Search({ disk, dir: DIR, embedder: undefined });
const build = (search: Search, all = documents): Promise<unknown> =>
  search.build({ documents: all, pid: 1, now: () => 1_000_000 });

describe('searching specs', () => {
  test.each<SearchMode>(['semantic', 'hybrid'])(
    '%s: results are ranked, carry their fields, and scores fall from one towards zero',
    async (mode) => {
      const search = open();
      await build(search);
      const answer = await search.search(documents, {
        query: 'idle session token',
        mode,
        limit: 10,
        kinds: ['requirement'],
      });
      expect(answer).toMatchObject({ mode, model: 'test-model' });
      expect(answer.hits[0]).toMatchObject({
        kind: 'requirement',
        id: 'auth/session-expiry',
        extras: { spec_id: 'auth', requirement: 'Session Expiry' },
        snippet: expect.stringContaining('session'),
      });
      const scores = answer.hits.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
      expect(answer.hits.every(({ kind }) => kind === 'requirement')).toBe(true);
    },
  );

  test.each<SearchMode>(['semantic', 'hybrid'])(
    '%s without an index is an error that says to build it',
    async (mode) => {
      await expect(open().search(documents, { query: 'x', mode, limit: 5 })).rejects.toMatchObject({
        code: 'NO_INDEX',
        message: 'There is no search index yet; it must be built first.',
        hint: expect.stringContaining('lectern index'),
      });
    },
  );

  test('nothing above the threshold is an empty answer, not an error', async () => {
    const search = open();
    await build(search);
    await expect(
      search.search(documents, { query: 'quantum chromodynamics', mode: 'hybrid', limit: 5 }),
    ).resolves.toMatchObject({
      total: 0,
      hits: [],
    });
  });
});

describe('an answer never degrades in silence', () => {
  test('hybrid without a model ranks by words and says so; semantic refuses', async () => {
    await build(open());
    const answer = await wordsOnly().search(documents, { query: 'session', mode: 'hybrid', limit: 5 });
    expect(answer).toMatchObject({
      mode: 'lexical',
      model: null,
      reason: expect.stringContaining('No embedding model is configured'),
    });
    expect(answer.hits[0]?.id).toBe('auth/session-expiry');
    await expect(wordsOnly().search(documents, { query: 'session', mode: 'semantic', limit: 5 })).rejects.toMatchObject(
      {
        code: 'MODEL_UNAVAILABLE',
      },
    );
  });

  test('an index of another model is not compared with', async () => {
    await build(open());
    const other = open(countingEmbedder('other'));
    const answer = await other.search(documents, { query: 'session', mode: 'hybrid', limit: 5 });
    expect(answer).toMatchObject({
      mode: 'lexical',
      reason: expect.stringContaining('built with test-model, but other is in use'),
    });
    await expect(other.search(documents, { query: 'session', mode: 'semantic', limit: 5 })).rejects.toMatchObject({
      code: 'NO_INDEX',
    });
    expect(other.status(documents)).toMatchObject({ state: 'stale', reason: expect.stringContaining('test-model') });
  });

  test.each<[string, Float32Array]>([
    ['wrong dimensions', new Float32Array(3).fill(1)],
    ['NaN', new Float32Array(64).fill(Number.NaN)],
  ])('%s in the vector of the query are a reason, never an answer', async (_, vector) => {
    const search = open();
    await build(search);
    const broken = open({ ...countingEmbedder(), embed: () => Promise.resolve([vector]) });
    const answer = await broken.search(documents, { query: 'session', mode: 'hybrid', limit: 5 });
    expect(answer).toMatchObject({ mode: 'lexical', reason: expect.stringMatching(/dimensions|not numbers/u) });
    await expect(broken.search(documents, { query: 'session', mode: 'semantic', limit: 5 })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
  });

  test('texts that have no vector yet are counted aloud', async () => {
    await build(open());
    const more = [...documents, doc('new', { description: 'session cookies' })];
    await build(wordsOnly(), more);
    const answer = await open().search(more, { query: 'session', mode: 'hybrid', limit: 5 });
    expect(answer.reason).toBe(
      '1 of 4 texts have no vector yet and are found by their words only. Run `lectern index` to refresh it',
    );
    expect(answer.hits.map(({ id }) => id)).toContain('new');
  });

  test('a model that is not installed is named before anything that building could not mend', async () => {
    const absent = new Failure('MODEL_UNAVAILABLE', 'The model is not installed.', { hint: 'Install it.' });
    const search = open({ ...countingEmbedder(), unavailable: () => absent, embed: () => Promise.reject(absent) });
    await expect(search.search(documents, { query: 'session', mode: 'semantic', limit: 5 })).rejects.toBe(absent);
    expect(search.status(documents)).toMatchObject({ state: 'missing' });
    await build(wordsOnly());
    await expect(search.search(documents, { query: 'session', mode: 'semantic', limit: 5 })).rejects.toBe(absent);
    expect(await search.search(documents, { query: 'session', mode: 'hybrid', limit: 5 })).toMatchObject({
      mode: 'lexical',
      reason: 'The model is not installed. Ranked by words alone',
    });
    expect(search.status(documents)).toMatchObject({
      state: 'ready',
      reason: 'Words only. The model is not installed. Install it.',
    });
    expect(search.status([...documents, doc('new')])).toMatchObject({
      state: 'stale',
      reason: 'Documents since it was built: 1 added. Words only. The model is not installed. Install it.',
    });
  });

  test('a damaged index is an error that says what is wrong', async () => {
    const search = open();
    await build(search);
    const file = [...disk.files().keys()].find((name) => name.endsWith('postings.bin')) ?? '';
    disk.replace(file, new Uint8Array(7));
    await expect(open().search(documents, { query: 'x', mode: 'hybrid', limit: 5 })).rejects.toMatchObject({
      code: 'NO_INDEX',
      message: 'The search index cannot be used: postings.bin has changed since it was written.',
    });
    expect(open().status(documents)).toMatchObject({ state: 'damaged' });
  });
});

describe('queries and answers', () => {
  test('rephrasings are fused: a document found by one of them is found', async () => {
    const search = open();
    await build(search);
    const one = await search.search(documents, { query: 'lock account', mode: 'hybrid', limit: 5 });
    const both = await search.search(documents, {
      query: 'lock account',
      queries: ['flatten interactive pdf'],
      mode: 'hybrid',
      limit: 5,
    });
    expect(one.hits.map(({ id }) => id)).not.toContain('pdf-forms');
    expect(both.hits.map(({ id }) => id)).toEqual(expect.arrayContaining(['auth/lockout', 'pdf-forms']));
  });

  test('equal scores come by id, however the index came about', async () => {
    const twins = ['c', 'a', 'b'].map((id) => doc(id, { name: 'twin', description: 'identical description' }));
    const search = open();
    await build(search, twins.slice(0, 2));
    await build(search, twins);
    const { hits } = await search.search(twins, { query: 'identical twin', mode: 'semantic', limit: 5 });
    expect(hits.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('documents that are gone are no hits, though the index still has them', async () => {
    const search = open();
    await build(search);
    const { hits } = await search.search(documents.slice(1), { query: 'idle session token', mode: 'hybrid', limit: 5 });
    expect(hits.map(({ id }) => id)).not.toContain('auth/session-expiry');
  });

  test('documents the index lacks, or has in an older form, are counted aloud', async () => {
    const search = open();
    await build(search);
    const now = [
      ...documents.map((document) => (document.id === 'pdf-forms' ? { ...document, stamp: 'later' } : document)),
      doc('new'),
    ];
    const { reason } = await search.search(now, { query: 'session', mode: 'hybrid', limit: 5 });
    expect(reason).toBe(
      '1 document is not in the index; 1 document may have changed since it was built. Run `lectern index` to refresh it',
    );
  });

  test('copies of one id are told apart by their keys', async () => {
    const copies = ['a/SKILL.md', 'b/SKILL.md'].map((key) =>
      doc('pdf', { key, path: key, description: `fill forms ${key}` }),
    );
    const search = open();
    await build(search, copies);
    const { hits } = await search.search(copies, { query: 'fill forms', mode: 'hybrid', limit: 5 });
    expect(hits.map(({ path }) => path).sort()).toEqual(['a/SKILL.md', 'b/SKILL.md']);
  });

  test('a minimum score leaves out what is below it; the limit does not change the total', async () => {
    const search = open();
    await build(search);
    const all = await search.search(documents, { query: 'session account', mode: 'hybrid', limit: 1 });
    expect(all.total).toBeGreaterThan(all.hits.length);
    const high = await search.search(documents, { query: 'session account', mode: 'hybrid', limit: 5, minScore: 0.99 });
    expect(high.hits.every(({ score }) => score >= 0.99)).toBe(true);
    expect(high.total).toBeLessThan(all.total);
  });

  test('a generation published by somebody else is seen by the next search', async () => {
    const search = open();
    await build(search);
    await search.search(documents, { query: 'session', mode: 'hybrid', limit: 5 });
    const more = [...documents, doc('zebra', { description: 'striped zebra' })];
    await build(open(), more);
    expect((await search.search(more, { query: 'zebra', mode: 'hybrid', limit: 5 })).hits[0]?.id).toBe('zebra');
  });
});

describe('the state of the index', () => {
  test('tells what changed since it was built', async () => {
    const search = open();
    expect(search.status(documents)).toMatchObject({ state: 'missing' });
    await build(search);
    expect(search.status(documents)).toMatchObject({
      state: 'ready',
      documents: 3,
      units: 3,
      embedded: 3,
      model: 'test-model',
    });
    const now = [...documents.slice(1), doc('new')].map((document) =>
      document.id === 'pdf-forms' ? { ...document, description: 'Other.' } : document,
    );
    expect(search.status(now)).toMatchObject({
      state: 'stale',
      reason: 'Documents since it was built: 1 added, 1 changed, 1 removed',
      differences: { added: 1, changed: 1, removed: 1, unfinished: 0 },
    });
    search.clear();
    expect(search.status(documents)).toMatchObject({ state: 'missing' });
  });
});
