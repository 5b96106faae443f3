import { beforeEach, describe, expect, test } from 'vitest';
import { memoryDisk, type MemoryDisk } from '../../src/core/disk/memory-disk.ts';
import { type BuildOptions, buildIndex } from '../../src/search/build/build.ts';
import type { SearchDocument } from '../../src/search/document.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';
import { openIndex } from '../../src/search/store/open.ts';
import { clearIndex } from '../../src/search/store/workshop.ts';
import { withRoom } from '../support/watched-writes.ts';
import { countingEmbedder, doc } from '../support/documents.ts';

const DIR = '/index';

let disk: MemoryDisk;
beforeEach(() => {
  disk = memoryDisk();
});

const some = (count: number): SearchDocument[] =>
  Array.from({ length: count }, (_, i) =>
    doc(`d${i}`, { description: `subject number${i}`, body: `text${i} `.repeat(20) }),
  );

const build = (
  documents: readonly SearchDocument[],
  embedder: Embedder | undefined,
  more: Partial<BuildOptions> = {},
): ReturnType<typeof buildIndex> =>
  buildIndex({ disk, dir: DIR, documents, embedder, pid: 1, now: () => 1_000_000, ...more });

const generationOf = (opened: ReturnType<typeof openIndex>): string =>
  opened.state === 'ready' ? opened.content.manifest.generation : opened.state;

describe('building', () => {
  test('the first build takes everything, the second nothing, and writes nothing', async () => {
    const embedder = countingEmbedder();
    const first = await build(some(3), embedder);
    expect(first).toMatchObject({ documents: 3, added: 3, embedded: 6, written: true });
    const second = await build(some(3), embedder);
    expect(second).toMatchObject({ documents: 3, added: 0, changed: 0, removed: 0, embedded: 0, written: false });
  });

  test('one changed document costs its own texts only', async () => {
    const embedder = countingEmbedder();
    await build(some(20), embedder);
    embedder.asked.length = 0;
    const changed = some(20).map((document) =>
      document.id === 'd7' ? { ...document, description: 'another subject' } : document,
    );
    expect(await build(changed, embedder)).toMatchObject({ changed: 1, added: 0, removed: 0, embedded: 1 });
    expect(embedder.asked).toEqual(['d7. another subject']);
  });

  test('a document with an equal stamp is not read again', async () => {
    let reads = 0;
    const document = { ...doc('a', { stamp: '1' }), body: () => ((reads += 1), 'text') };
    await build([document], countingEmbedder());
    const before = reads;
    await build([document], countingEmbedder());
    expect(reads).toBe(before);
    await build([document], undefined);
    expect(reads).toBe(before);
    await build([{ ...document, stamp: '2' }], countingEmbedder());
    expect(reads).toBeGreaterThan(before);
  });

  test('an index of words is not read again for vectors that nobody makes', async () => {
    let reads = 0;
    const document = { ...doc('a', { stamp: '1' }), body: () => ((reads += 1), 'text') };
    await build([document], undefined);
    const before = reads;
    expect(await build([document, doc('b')], undefined)).toMatchObject({ added: 1 });
    expect(reads).toBe(before);
  });

  test('removed documents leave the index with their vectors', async () => {
    const embedder = countingEmbedder();
    await build(some(5), embedder);
    await build(some(2), embedder);
    const opened = openIndex(disk, DIR, { vectors: true });
    expect(opened).toMatchObject({
      state: 'ready',
      content: { documents: [{ id: 'd0' }, { id: 'd1' }], vectors: { count: 4 } },
    });
  });

  test('equal texts are embedded once', async () => {
    const embedder = countingEmbedder();
    const twins = ['a', 'b', 'c'].map((id) => doc(id, { name: 'same', description: 'the same description' }));
    expect(await build(twins, embedder)).toMatchObject({ embedded: 1 });
  });

  test('a refreshed index answers like one built anew', async () => {
    const embedder = countingEmbedder();
    await build(some(8), embedder);
    const next = [...some(8).filter(({ id }) => id !== 'd3'), doc('new', { description: 'fresh' })].map((document) =>
      document.id === 'd5' ? { ...document, body: () => 'rewritten' } : document,
    );
    await build(next, embedder);
    const refreshed = openIndex(disk, DIR, { vectors: true });
    await build(next, embedder, { full: true });
    const anew = openIndex(disk, DIR, { vectors: true });
    const idsOf = (opened: typeof anew): string[] =>
      opened.state === 'ready' ? opened.content.documents.map(({ id, hash }) => `${id} ${hash}`).sort() : [];
    expect(idsOf(refreshed)).toEqual(idsOf(anew));
    expect(idsOf(anew)).toHaveLength(8);
  });

  test('another model makes all vectors anew and none survives', async () => {
    await build(some(4), countingEmbedder('one'));
    const other = countingEmbedder('two');
    expect(await build(some(4), other)).toMatchObject({ embedded: 8 });
    expect(openIndex(disk, DIR, { vectors: true })).toMatchObject({
      content: { manifest: { model: { name: 'two' } } },
    });
  });

  test('without a model the words are indexed, and vectors of unchanged texts are kept', async () => {
    expect(await build(some(3), undefined)).toMatchObject({ embedded: 0, written: true });
    expect(openIndex(disk, DIR, { vectors: true })).toMatchObject({ state: 'ready', content: { vectors: undefined } });
    await build(some(3), countingEmbedder());
    await build([...some(3), doc('new')], undefined);
    expect(openIndex(disk, DIR, { vectors: true })).toMatchObject({
      content: { vectors: { count: 6 }, manifest: { counts: { units: 7, embedded: 6 } } },
    });
  });

  test('a long build publishes the words first, then the heads, then the rest', async () => {
    const states: string[] = [];
    const embedder = countingEmbedder();
    await build(some(250), embedder, {
      onProgress: ({ phase, done }) => {
        if (phase !== 'writing' || done === 0) return;
        const opened = openIndex(disk, DIR, { vectors: true });
        if (opened.state === 'ready')
          states.push(`${opened.content.manifest.counts.embedded} of ${opened.content.manifest.counts.units}`);
      },
    });
    expect(states).toEqual(['0 of 500', '250 of 500', '500 of 500']);
  });
});

describe('trouble while building', () => {
  const failing = (after: number): ReturnType<typeof countingEmbedder> => {
    const embedder = countingEmbedder();
    const inner = embedder.embed.bind(embedder);
    let calls = 0;
    embedder.embed = (texts, purpose) =>
      ++calls > after ? Promise.reject(new Error('power cut')) : inner(texts, purpose);
    return embedder;
  };

  test('what a broken build has computed, the next one does not compute again', async () => {
    await expect(build(some(40), failing(10))).rejects.toThrow('power cut');
    const next = countingEmbedder();
    const report = await build(some(40), next);
    expect(report.embedded).toBeLessThanOrEqual(80 - 40);
    expect(openIndex(disk, DIR, { vectors: true })).toMatchObject({
      content: { manifest: { counts: { units: 80, embedded: 80 } } },
    });
    expect([...disk.files().keys()].filter((file) => file.includes('building-'))).toEqual([]);
  });

  test('a torn journal gives back what is whole in it', async () => {
    await expect(build(some(40), failing(10))).rejects.toThrow('power cut');
    const journal = [...disk.files().keys()].find((file) => file.endsWith('.journal'));
    const bytes = disk.files().get(journal ?? '') ?? new Uint8Array();
    disk.replace(journal ?? '', bytes.slice(0, bytes.length - 10));
    expect((await build(some(40), countingEmbedder())).embedded).toBe(41);
  });

  test('an interruption leaves the old index in place and says that nothing is lost', async () => {
    const embedder = countingEmbedder();
    await build(some(3), embedder);
    const before = openIndex(disk, DIR, { vectors: true });
    const controller = new AbortController();
    const stopping = build(some(30), embedder, {
      signal: controller.signal,
      onProgress: ({ phase, done }) => {
        if (phase === 'embedding' && done >= 10) controller.abort();
      },
    });
    await expect(stopping).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(generationOf(openIndex(disk, DIR, { vectors: true }))).toBe(generationOf(before));
  });

  test('a full disk at any byte leaves the old index or the new one, and a clear error', async () => {
    const embedder = countingEmbedder();
    await build(some(3), embedder);
    const before = openIndex(disk, DIR, { vectors: true });
    const image = Object.fromEntries(disk.files());
    const seen = new Set<string>();
    for (let room = 0; room < 6_000; room += 97) {
      const small = withRoom(memoryDisk(image), room);
      const outcome = await buildIndex({
        disk: small,
        dir: DIR,
        documents: some(5),
        embedder,
        pid: 1,
        now: () => 1_000_000,
      }).then(
        () => 'built',
        (error: unknown) => (error instanceof Error ? error.message : 'not an error'),
      );
      seen.add(outcome);
      const after = openIndex(small, DIR, { vectors: true });
      const expected = outcome === 'built' ? 5 : before.state === 'ready' ? before.content.documents.length : 0;
      expect(after).toMatchObject({ state: 'ready', content: { documents: { length: expected } } });
    }
    expect([...seen].sort()).toEqual(['Cannot write the search index: the disk is full.', 'built']);
  });

  test('clearing removes the index and leaves what is not ours', async () => {
    await build(some(3), countingEmbedder());
    disk.replace('/index/notes.txt', new Uint8Array());
    clearIndex(disk, DIR);
    expect([...disk.files().keys()]).toEqual(['/index/notes.txt']);
    expect(openIndex(disk, DIR, { vectors: true })).toEqual({ state: 'missing' });
  });
});
