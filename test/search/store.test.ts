import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildIndex } from '../../src/search/build/build.ts';
import { openIndex } from '../../src/search/store/open.ts';
import { countingEmbedder, doc } from './documents.ts';
import { memoryIndexFiles, type MemoryIndexFiles } from './memory-index-files.ts';

const DIR = '/index';

async function built(): Promise<MemoryIndexFiles> {
  const files = memoryIndexFiles();
  const documents = ['alpha', 'beta', 'gamma'].map((id) =>
    doc(id, { description: `about ${id}`, body: `${id} body `.repeat(15) }),
  );
  await buildIndex({ files, dir: DIR, documents, embedder: countingEmbedder(), pid: 1, now: () => 1_000_000 });
  return files;
}

const named = (files: MemoryIndexFiles, ending: string): string =>
  [...files.files.keys()].find((file) => file.endsWith(ending)) ?? '';

describe('opening an index', () => {
  test('nothing there is "missing"', () => {
    expect(openIndex(memoryIndexFiles(), DIR, { vectors: true })).toEqual({ state: 'missing' });
  });

  test.each(['current.json', 'documents.json', 'postings.bin', 'vectors.bin'])(
    '%s with any byte changed or cut is damaged, outdated or unharmed, never a crash',
    async (name) => {
      const files = await built();
      const file = named(files, name);
      const good = files.files.get(file) ?? new Uint8Array();
      fc.assert(
        fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, flip, cut) => {
          files.files.set(file, cut ? good.slice(0, at) : good.map((byte, i) => (i === at ? byte ^ flip : byte)));
          const opened = openIndex(files, DIR, { vectors: true });
          const allowed = name === 'current.json' ? ['damaged', 'outdated', 'ready'] : ['damaged'];
          expect(allowed).toContain(opened.state);
        }),
        { numRuns: 200 },
      );
    },
  );

  test.each(['documents.json', 'postings.bin', 'vectors.bin'])('a missing %s is damage', async (name) => {
    const files = await built();
    files.files.delete(named(files, name));
    expect(openIndex(files, DIR, { vectors: true })).toEqual({ state: 'damaged', reason: `${name} is missing` });
  });

  test('an index of another version is outdated', async () => {
    const files = await built();
    const manifest = JSON.parse(Buffer.from(files.files.get(named(files, 'current.json')) ?? '').toString());
    files.files.set(named(files, 'current.json'), Buffer.from(JSON.stringify({ ...manifest, format: '9.9.9.9' })));
    expect(openIndex(files, DIR, { vectors: true })).toEqual({
      state: 'outdated',
      reason: 'it was written by another version of Lectern',
    });
  });

  test('a manifest that points outside the folder is refused', async () => {
    const files = await built();
    const manifest = JSON.parse(Buffer.from(files.files.get(named(files, 'current.json')) ?? '').toString());
    files.files.set(named(files, 'current.json'), Buffer.from(JSON.stringify({ ...manifest, generation: '../gen-1' })));
    expect(openIndex(files, DIR, { vectors: true })).toMatchObject({ state: 'damaged' });
  });

  test('a generation replaced while it is opened is opened in its new form', async () => {
    const files = await built();
    const old = named(files, 'current.json');
    const before = files.files.get(old) ?? new Uint8Array();
    const gone = JSON.parse(Buffer.from(before).toString());
    let reads = 0;
    const racing = {
      ...files,
      read: (file: string) =>
        file === old && ++reads === 1
          ? Buffer.from(JSON.stringify({ ...gone, generation: 'gen-old-1' }))
          : files.read(file),
    };
    expect(openIndex(racing, DIR, { vectors: true })).toMatchObject({
      state: 'ready',
      content: { manifest: { generation: gone.generation } },
    });
  });

  test('words alone are opened without reading the vectors', async () => {
    const files = await built();
    files.files.delete(named(files, 'vectors.bin'));
    expect(openIndex(files, DIR, { vectors: false })).toMatchObject({
      state: 'ready',
      content: { vectors: undefined },
    });
  });

  test('a damaged index is built anew by the next build', async () => {
    const files = await built();
    files.files.set(named(files, 'postings.bin'), new Uint8Array(3));
    await buildIndex({
      files,
      dir: DIR,
      documents: [doc('alpha')],
      embedder: countingEmbedder(),
      pid: 1,
      now: () => 2_000_000,
    });
    expect(openIndex(files, DIR, { vectors: true })).toMatchObject({
      state: 'ready',
      content: { documents: [{ id: 'alpha' }] },
    });
  });
});
