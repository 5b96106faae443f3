import { describe, expect, test } from 'vitest';
import { memoryDisk, type MemoryDisk } from '../../src/core/disk/memory-disk.ts';
import { buildIndex } from '../../src/search/build/build.ts';
import { openIndex } from '../../src/search/store/open.ts';
import { countingEmbedder, doc } from '../support/documents.ts';
import { fc, times } from '../support/effort.ts';

const DIR = '/index';

async function built(): Promise<MemoryDisk> {
  const disk = memoryDisk();
  const documents = ['alpha', 'beta', 'gamma'].map((id) =>
    doc(id, { description: `about ${id}`, body: `${id} body `.repeat(15) }),
  );
  await buildIndex({ disk, dir: DIR, documents, embedder: countingEmbedder(), pid: 1, now: () => 1_000_000 });
  return disk;
}

const named = (disk: MemoryDisk, ending: string): string =>
  [...disk.files().keys()].find((file) => file.endsWith(ending)) ?? '';

describe('opening an index', () => {
  test('nothing there is "missing"', () => {
    expect(openIndex(memoryDisk(), DIR, { vectors: true })).toEqual({ state: 'missing' });
  });

  test.each(['current.json', 'documents.json', 'postings.bin', 'vectors.bin'])(
    '%s with any byte changed or cut is damaged, outdated or unharmed, never a crash',
    async (name) => {
      const disk = await built();
      const file = named(disk, name);
      const good = disk.files().get(file) ?? new Uint8Array();
      fc.assert(
        fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, flip, cut) => {
          disk.replace(file, cut ? good.slice(0, at) : good.map((byte, i) => (i === at ? byte ^ flip : byte)));
          const opened = openIndex(disk, DIR, { vectors: true });
          const allowed = name === 'current.json' ? ['damaged', 'outdated', 'ready'] : ['damaged'];
          expect(allowed).toContain(opened.state);
        }),
        { numRuns: times(200) },
      );
    },
  );

  test.each(['documents.json', 'postings.bin', 'vectors.bin'])('a missing %s is damage', async (name) => {
    const disk = await built();
    disk.remove(named(disk, name));
    expect(openIndex(disk, DIR, { vectors: true })).toEqual({ state: 'damaged', reason: `${name} is missing` });
  });

  test('an index of another version is outdated', async () => {
    const disk = await built();
    const manifest = JSON.parse(Buffer.from(disk.files().get(named(disk, 'current.json')) ?? '').toString());
    disk.replace(named(disk, 'current.json'), Buffer.from(JSON.stringify({ ...manifest, format: '9.9.9.9' })));
    expect(openIndex(disk, DIR, { vectors: true })).toEqual({
      state: 'outdated',
      reason: 'it was written by another version of Lectern',
    });
  });

  test('a manifest that points outside the folder is refused', async () => {
    const disk = await built();
    const manifest = JSON.parse(Buffer.from(disk.files().get(named(disk, 'current.json')) ?? '').toString());
    disk.replace(named(disk, 'current.json'), Buffer.from(JSON.stringify({ ...manifest, generation: '../gen-1' })));
    expect(openIndex(disk, DIR, { vectors: true })).toMatchObject({ state: 'damaged' });
  });

  test('a generation replaced while it is opened is opened in its new form', async () => {
    const disk = await built();
    const old = named(disk, 'current.json');
    const before = disk.files().get(old) ?? new Uint8Array();
    const gone = JSON.parse(Buffer.from(before).toString());
    let reads = 0;
    const racing = {
      ...disk,
      read: (file: string, maxBytes: number) =>
        file === old && ++reads === 1
          ? { ...disk.read(file, maxBytes), bytes: Buffer.from(JSON.stringify({ ...gone, generation: 'gen-old-1' })) }
          : disk.read(file, maxBytes),
    };
    expect(openIndex(racing, DIR, { vectors: true })).toMatchObject({
      state: 'ready',
      content: { manifest: { generation: gone.generation } },
    });
  });

  test('words alone are opened without reading the vectors', async () => {
    const disk = await built();
    disk.remove(named(disk, 'vectors.bin'));
    expect(openIndex(disk, DIR, { vectors: false })).toMatchObject({
      state: 'ready',
      content: { vectors: undefined },
    });
  });

  test('a damaged index is built anew by the next build', async () => {
    const disk = await built();
    disk.replace(named(disk, 'postings.bin'), new Uint8Array(3));
    await buildIndex({
      disk,
      dir: DIR,
      documents: [doc('alpha')],
      embedder: countingEmbedder(),
      pid: 1,
      now: () => 2_000_000,
    });
    expect(openIndex(disk, DIR, { vectors: true })).toMatchObject({
      state: 'ready',
      content: { documents: [{ id: 'alpha' }] },
    });
  });
});
