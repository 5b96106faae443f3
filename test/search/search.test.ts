import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFixture } from '../../bench/search/fixture.ts';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { Failure } from '../../src/core/failure.ts';
import { SearchCache } from '../../src/search/cache/cache.ts';
import type { SearchDocument } from '../../src/search/document.ts';
import { openBundledModel } from '../../src/search/model/bundled.ts';
import { Search, type SearchOptions, type Vectors } from '../../src/search/search.ts';
import { countingEmbedder, doc } from '../support/documents.ts';

const model = openBundledModel(nodeFiles);
const BUNDLED: Vectors = { kind: 'static', model: () => model };

function open(vectors: Vectors = BUNDLED, disk = memoryDisk(), more: Partial<SearchOptions> = {}): Search {
  return new Search({ vectors, cache: new SearchCache(disk, '/cache'), ...more });
}

const DOCUMENTS: SearchDocument[] = [
  doc('shrink-images', { description: 'Reduce the size of a Docker container image.', body: 'Use stages. '.repeat(8) }),
  doc('pivot-tables', {
    description: 'Summarize spreadsheet rows with pivot tables.',
    body: 'Pick columns. '.repeat(8),
  }),
  doc('git-bisect', { description: 'Find the commit that introduced a bug.', body: 'Mark good and bad. '.repeat(8) }),
  doc('deploy-kubernetes', {
    description: 'Roll out a service to Kubernetes.',
    body: 'Apply the manifest. '.repeat(8),
  }),
];
const ids = ({ hits }: { hits: readonly { id: string }[] }): string[] => hits.map(({ id }) => id);
const ask = (search: Search, query: string, more: object = {}) =>
  search.search(DOCUMENTS, { query, mode: 'auto', limit: 10, ...more });

describe('words and meaning together', () => {
  test('a question in other words finds its document first', async () => {
    const answer = await ask(open(), 'which revision broke the feature');
    expect(ids(answer)[0]).toBe('git-bisect');
    expect(answer).toMatchObject({ mode: 'auto', model: 'lectern-words-2' });
    expect(ids(await ask(open(), 'my container takes too much disk space'))[0]).toBe('shrink-images');
  });

  test('words count more than nearness, and scores are between 0 and 1 with four places', async () => {
    const { hits } = await ask(open(), 'pivot tables');
    expect(hits[0]).toMatchObject({ id: 'pivot-tables' });
    for (const { score } of hits) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      expect(score).toBe(Number(score.toFixed(4)));
    }
  });

  test('a body full of a word does not beat a description that says it', async () => {
    const repeated = (sentence: string, times: number): string => `${sentence} `.repeat(times);
    const files = [
      doc('office-decks', {
        description:
          'Use this for every .pptx file, as input or as output: creating slide decks, pitch decks or presentations, reading the ' +
          'text of their slides, editing or merging them, working with layouts and speaker notes. Also if the user only says ' +
          '"deck", "slides" or "presentation".',
        body:
          repeated('Run the script, look at the picture, correct the margins of the slide and repeat.', 20) +
          repeated('Pick a font and a color that fit the subject, and keep the same margins.', 50),
      }),
      doc('color-schemes', {
        description:
          'Styles finished artifacts such as slides, documents, reports and web pages with one of ten themes.',
        body:
          repeated('To make a slide deck look professional, apply the scheme to each slide of the deck.', 3) +
          repeated('Show the themes, ask which one to use, and read its file of colors and fonts.', 25),
      }),
      ...readFixture(path.resolve(import.meta.dirname, '../fixtures/search')).documents,
    ];
    for (const query of ['make a slide deck', 'make slides for a meeting', 'a slide deck for the board']) {
      const found = ids(await open().search(files, { query, mode: 'auto', limit: 10 }));
      expect([query, found.indexOf('office-decks') < found.indexOf('color-schemes')]).toEqual([query, true]);
      expect(found).toContain('office-decks');
    }
  });

  test('the total counts results above a floor, and a minimum score replaces it', async () => {
    const { documents } = readFixture(path.resolve(import.meta.dirname, '../fixtures/search'));
    const search = open();
    const total = async (query: string, more: object = {}) =>
      (await search.search(documents, { query, mode: 'auto', limit: 200, snippets: false, ...more })).hits.length;
    const query = 'find the commit that introduced a bug';
    const { hits, ...answer } = await search.search(documents, { query, mode: 'auto', limit: 3 });
    expect(hits).toHaveLength(3);
    expect(answer.total).toBe(await total(query));
    expect(answer.total).toBe(await total(query, { minScore: 0.1 }));
    expect(answer.total).toBeLessThan(await total(query, { minScore: 0 }));
    // The floor is lower if even the best result is weak, so that an off-topic question has the nearest ones.
    const foreign = 'what is the tallest mountain';
    expect(await total(foreign, { minScore: 0.1 })).toBeLessThan(await total(foreign));
  });

  test('a rephrasing counts as much as the question: the mean of the scores decides', async () => {
    const scoreOf = async (...queries: string[]): Promise<number> => {
      const [query = '', ...others] = queries;
      const { hits } = await ask(open(), query, { queries: others });
      return hits.find(({ id }) => id === 'git-bisect')?.score ?? 0;
    };
    const [one, two] = [await scoreOf('find the commit'), await scoreOf('introduced a bug')];
    expect(await scoreOf('find the commit', 'introduced a bug')).toBeCloseTo((one + two) / 2, 3);
  });

  test('an abbreviation and a typo find the intended skill, and the correction is reported', async () => {
    expect(ids(await ask(open(), 'k8s'))[0]).toBe('deploy-kubernetes');
    const answer = await ask(open(), 'roll out to kuberntes');
    expect(ids(answer)[0]).toBe('deploy-kubernetes');
    expect(answer.reason).toContain('“kubernetes”');
  });

  test('a query without a known word finds nothing', async () => {
    expect(await ask(open(), 'zzzqqqxx wwwvvvyy')).toMatchObject({ total: 0, hits: [] });
  });

  test('a foreign question is answered with low confidence, a fitting one is not', async () => {
    expect((await ask(open(), 'who won the football world cup')).confidence).toBe('low');
    expect((await ask(open(), 'reduce the size of a Docker image')).confidence).toBeUndefined();
  });

  test('kinds and a least score leave hits out, and equal scores are ordered by id', async () => {
    const mixed = [
      doc('b', { description: 'equal' }),
      doc('a', { description: 'equal' }),
      doc('c', { kind: 'change', description: 'equal' }),
    ];
    const find = (more: object) => open().search(mixed, { query: 'equal', mode: 'auto', limit: 10, ...more });
    expect(ids(await find({ kinds: ['skill'] }))).toEqual(['a', 'b']);
    expect(ids(await find({ minScore: 0.99 }))).toEqual([]);
    expect(await find({ limit: 1 })).toMatchObject({ total: 3, hits: [{ id: 'a' }] });
  });

  test('without vectors only words count', async () => {
    const search = open({ kind: 'none' });
    expect(await ask(search, 'commit')).toMatchObject({ mode: 'auto', model: null, total: 1 });
    expect(await ask(search, 'revision')).toMatchObject({ total: 0 });
  });
});

describe('keyword mode', () => {
  test('every word must occur, the score is their number, and no model is opened', async () => {
    const search = open({
      kind: 'static',
      model: () => {
        throw new Error('opened');
      },
    });
    expect(await ask(search, 'commit bug', { mode: 'keyword' })).toMatchObject({
      mode: 'keyword',
      model: null,
      total: 1,
      hits: [{ id: 'git-bisect', score: 2 }],
    });
    expect(await ask(search, 'commit spreadsheet', { mode: 'keyword' })).toMatchObject({ total: 0 });
  });

  test('answers a search that takes too long to prepare, with a note; the next one is complete', async () => {
    const search = open(BUNDLED, memoryDisk(), { patienceMs: 0 });
    const many = Array.from({ length: 2_000 }, (_, i) =>
      doc(`d${i}`, { description: `number ${i} of many`, body: 'words '.repeat(300) }),
    );
    const first = await search.search(many, { query: 'number 7', mode: 'auto', limit: 3 });
    expect(first).toMatchObject({ mode: 'keyword', reason: expect.stringContaining('still being prepared') });
    await search.prepare(many);
    await search.search(many, { query: 'number 7', mode: 'auto', limit: 3 });
  });

  test('a caller that can be notified gets no hits by keyword, but a notice when the index is ready', async () => {
    let search = open();
    const ready = new Promise<void>((resolve) => {
      search = open(BUNDLED, memoryDisk(), { patienceMs: 0, onReady: resolve });
    });
    const many = Array.from({ length: 2_000 }, (_, i) =>
      doc(`d${i}`, { description: `number ${i} of many`, body: 'words '.repeat(300) }),
    );
    const request = { query: 'number 7', mode: 'auto', limit: 3, readyWithinMs: 0 } as const;
    expect(await search.search(many, request)).toMatchObject({ mode: 'auto', isPreparing: true, total: 0, hits: [] });
    await ready;
    const answer = await search.search(many, request);
    expect(answer).toMatchObject({ mode: 'auto', hits: [{ id: 'd7' }, {}, {}] });
    expect(answer).not.toHaveProperty('isPreparing');
  });

  test('reports how far the index is, but not for a few documents', async () => {
    const steps: number[][] = [];
    const onProgress = (done: number, total: number) => void steps.push([done, total]);
    const request = { query: 'number', mode: 'auto', limit: 3, onProgress } as const;
    const search = open();
    await search.search(DOCUMENTS, request);
    expect(steps).toEqual([]);
    const many = Array.from({ length: 40 }, (_, i) => doc(`d${i}`, { description: `number ${i}` }));
    await search.search(many, request);
    expect(steps).toEqual([
      [16, 40],
      [32, 40],
    ]);
  });
});

describe('cached documents', () => {
  test('a document whose file did not change is not reread, in this process or the next', async () => {
    const disk = memoryDisk();
    let reads = 0;
    const counted = (stamp: string, description = 'Fill forms.'): SearchDocument[] => [
      {
        ...doc('pdf', { description, stamp }),
        body: () => {
          reads += 1;
          return 'body';
        },
      },
    ];
    const find = async (search: Search, documents: SearchDocument[]): Promise<number> => {
      reads = 0;
      await search.search(documents, { query: 'zzzz forms', mode: 'auto', limit: 0 });
      return reads;
    };
    const search = open(BUNDLED, disk);
    expect(await find(search, counted('1'))).toBe(1);
    expect(await find(search, counted('1'))).toBe(0);
    expect(await find(open(BUNDLED, disk), counted('1'))).toBe(0);
    expect(await find(open(BUNDLED, disk), counted('2'))).toBe(1);
    expect(await search.prepare(counted('3', 'Other.'))).toBe(1);
    expect(await search.status(counted('3', 'Other.'))).toMatchObject({ ready: 1 });
  });
});

describe('an endpoint', () => {
  test('provides vectors during preparation, and gets only changed texts later', async () => {
    const disk = memoryDisk();
    const embedder = countingEmbedder();
    const search = open({ kind: 'endpoint', embedder }, disk);
    expect(await ask(search, 'commit')).toMatchObject({
      model: null,
      reason: expect.stringContaining('lectern index'),
    });
    expect(await search.prepare(DOCUMENTS)).toBe(4);
    expect(await ask(search, 'commit')).toMatchObject({ model: 'test-model', hits: [{ id: 'git-bisect' }] });
    const sent = embedder.asked.length;
    const again = open({ kind: 'endpoint', embedder }, disk);
    expect(await again.prepare([...DOCUMENTS, doc('new', { description: 'New.' })])).toBe(1);
    expect(embedder.asked.length).toBe(sent + 1);
    expect(
      (await again.search([...DOCUMENTS, doc('later')], { query: 'commit', mode: 'auto', limit: 1 })).reason,
    ).toContain('1 of 5');
  });

  test('that fails leaves word search working; preparation fails, but finished work is kept', async () => {
    const disk = memoryDisk();
    const embedder = countingEmbedder();
    await open({ kind: 'endpoint', embedder }, disk).prepare(DOCUMENTS.slice(0, 2));
    const broken = { ...embedder, embed: () => Promise.reject(new Failure('MODEL_UNAVAILABLE', 'It is down.')) };
    const search = open({ kind: 'endpoint', embedder: broken }, disk);
    expect(await ask(search, 'pivot')).toMatchObject({ model: null, reason: expect.stringContaining('It is down.') });
    await expect(search.prepare(DOCUMENTS)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(await search.status(DOCUMENTS)).toMatchObject({ ready: 2 });
  });

  test.each<[string, (vectors: Float32Array[]) => Float32Array[]]>([
    ['too few vectors', (vectors) => vectors.slice(1)],
    ['vectors of two sizes', (vectors) => vectors.map((vector, i) => (i === 0 ? vector : vector.slice(1)))],
    ['a vector that is not numbers', (vectors) => vectors.map((vector) => vector.map(() => Number.NaN))],
  ])('that sends %s is refused', async (_, spoil) => {
    const embedder = countingEmbedder();
    const inner = embedder.embed.bind(embedder);
    embedder.embed = async (texts, purpose) => spoil(await inner(texts, purpose));
    await expect(open({ kind: 'endpoint', embedder }).prepare(DOCUMENTS)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
  });
});
