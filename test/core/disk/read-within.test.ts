import { describe, expect, test } from 'vitest';
import type { FileTree } from '../../../src/core/disk/tree.ts';
import { memoryDisk } from '../../../src/core/disk/memory-disk.ts';
import { nodeFiles } from '../../../src/core/disk/node-tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FILES = {
  'skill/references/guide.md': 'The guide.',
  'skill/inside': { link: 'references' },
  'skill/outside': { link: '../other' },
  'skill/file-link.md': { link: 'references/guide.md' },
  'skill-other/secret.md': 'CANARY',
  'other/secret.md': 'CANARY',
};

describe.each(['real', 'memory'] as const)('a file inside a folder, %s files', (kind) => {
  const setUp = (): { tree: FileTree; at: (place: string) => string } & Disposable => {
    const folder = tempFolder(kind === 'real' ? FILES : {});
    if (kind === 'real')
      return { tree: nodeFiles, at: (place) => folder.at(place), [Symbol.dispose]: () => folder[Symbol.dispose]() };
    return { tree: memoryDisk(FILES), at: (place) => `/${place}`, [Symbol.dispose]: () => folder[Symbol.dispose]() };
  };

  test('is read in parts', () => {
    using files = setUp();
    const read = (start: number, length: number) =>
      Buffer.from(
        files.tree.readWithin(files.at('skill'), files.at('skill/references/guide.md'), start, length).bytes,
      ).toString();
    expect([read(0, 100), read(4, 5), read(100, 5)]).toEqual(['The guide.', 'guide', '']);
  });

  test('is known by where it really is, whatever links lead to it', () => {
    using files = setUp();
    const read = (place: string) => files.tree.readWithin(files.at('skill'), files.at(place), 0, 100);
    expect(Buffer.from(read('skill/inside/guide.md').bytes).toString()).toBe('The guide.');
    for (const place of ['skill/outside/secret.md', 'other/secret.md', 'skill-other/secret.md']) {
      expect(() => read(place)).toThrow(expect.objectContaining({ reason: 'outside' }));
    }
    expect(() => read('skill/file-link.md')).toThrow(expect.objectContaining({ reason: 'not-a-regular-file' }));
    expect(() => read('skill/references')).toThrow(expect.objectContaining({ reason: 'not-a-regular-file' }));
    expect(() => read('skill/nothing')).toThrow(expect.objectContaining({ reason: 'missing' }));
  });
});
