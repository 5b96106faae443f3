/** A project's links must not lead us out of the project, neither to read nor to write. */
import { describe, expect, test } from 'vitest';
import { confinedTo, passesThrough, readingInside } from '../../../src/core/disk/confined.ts';
import { memoryDisk } from '../../../src/core/disk/memory-disk.ts';
import { nodeDisk } from '../../../src/core/disk/node-disk.ts';
import type { Disk } from '../../../src/core/disk/writes.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FILES = {
  'project/own.txt': 'own',
  'project/deep/file.txt': 'deep',
  'project/.git/HEAD': 'ref: refs/heads/main',
  'project/to-git': { link: '.git' },
  'project/in': { link: 'deep' },
  'project/in.txt': { link: 'deep/file.txt' },
  'project/out': { link: '../outside' },
  'project/out.txt': { link: '../outside/secret.txt' },
  'project/nowhere': { link: '../outside/new' },
  'outside/secret.txt': 'secret',
  'outside/back': { link: '../project/deep' },
  linked: { link: 'project' },
};

describe.each(['real', 'memory'] as const)('a project on a %s disk', (kind) => {
  const setUp = (): { raw: Disk; at: (place: string) => string } & Disposable => {
    const folder = tempFolder(kind === 'real' ? FILES : {});
    const raw = kind === 'real' ? nodeDisk : memoryDisk(FILES);
    const at = (place: string): string => (kind === 'real' ? folder.at(place) : `/${place}`);
    return { raw, at, [Symbol.dispose]: () => folder[Symbol.dispose]() };
  };

  test.each(['project', 'linked'])('is read through links that stay inside, reached as %s', (root) => {
    using files = setUp();
    const tree = readingInside(files.at(root), files.raw);
    const text = (place: string): string =>
      Buffer.from(tree.readTarget(files.at(`${root}/${place}`), 100)?.bytes ?? []).toString();
    expect(['own.txt', 'in/file.txt', 'in.txt', 'out/back/file.txt'].map(text)).toEqual([
      'own',
      'deep',
      'deep',
      'deep',
    ]);
    for (const place of ['out.txt', 'out/secret.txt']) {
      expect(() => tree.readTarget(files.at(`${root}/${place}`), 100)).toThrow(
        expect.objectContaining({ reason: 'outside' }),
      );
    }
    expect(() => tree.read(files.at(`${root}/out/secret.txt`), 100)).toThrow(
      expect.objectContaining({ reason: 'outside' }),
    );
    expect(() => tree.readStart(files.at(`${root}/out/secret.txt`), new Uint8Array(9))).toThrow(
      expect.objectContaining({ reason: 'outside' }),
    );
    // A path outside the project was named by the user.
    expect(Buffer.from(tree.read(files.at('outside/secret.txt'), 100).bytes).toString()).toBe('secret');
  });

  test('is not written, moved or removed through a link that leads out', () => {
    using files = setUp();
    const { raw, at } = files;
    const disk = confinedTo(at('project'), raw);
    const before = raw.list(at('outside')).map(({ name }) => name);
    const attempts: (() => void)[] = [
      () => disk.create(at('project/out/a/b.txt'), 'x'),
      () => disk.replace(at('project/out/secret.txt'), 'x'),
      () => disk.append(at('project/out/secret.txt'), 'x'),
      () => disk.move(at('project/own.txt'), at('project/out/own.txt')),
      () => disk.move(at('project/out/secret.txt'), at('project/secret.txt')),
      () => disk.remove(at('project/out/secret.txt')),
      () => disk.removeTree(at('project/out/secret.txt')),
      () => void disk.lock(at('project/out/lock')),
    ];
    for (const attempt of attempts)
      expect(attempt).toThrow(expect.objectContaining({ code: 'REFUSED', reason: 'outside' }));
    expect(
      raw
        .list(at('outside'))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(before.sort());
    expect(Buffer.from(raw.read(at('outside/secret.txt'), 100).bytes).toString()).toBe('secret');
    // A link at the end of a path is replaced, never written through.
    disk.replace(at('project/out.txt'), 'mine');
    expect(() => disk.append(at('project/nowhere'), 'x')).toThrow();
    expect(Buffer.from(raw.read(at('outside/secret.txt'), 100).bytes).toString()).toBe('secret');
    disk.create(at('project/in/new.txt'), 'new');
    disk.create(at('outside/named.txt'), 'named by the user');
    expect(Buffer.from(raw.read(at('project/deep/new.txt'), 100).bytes).toString()).toBe('new');
  });

  test('is not written in a .git folder, whatever link leads there', () => {
    using files = setUp();
    const { raw, at } = files;
    const disk = confinedTo(at('project'), raw);
    const attempts: (() => void)[] = [
      () => disk.create(at('project/.git/hooks/pre-commit'), 'x'),
      () => disk.create(at('project/deep/.GIT/config'), 'x'),
      () => disk.createFolder(at('project/to-git/hooks'), []),
      () => disk.createLink(at('project/to-git/hooks'), 'x'),
      () => disk.replace(at('project/to-git/HEAD'), 'x'),
      () => disk.move(at('project/own.txt'), at('project/to-git/config')),
      () => disk.move(at('project/to-git/HEAD'), at('project/HEAD')),
      () => disk.removeTree(at('project/.git')),
    ];
    for (const attempt of attempts)
      expect(attempt).toThrow(expect.objectContaining({ code: 'REFUSED', reason: 'git-folder' }));
    expect(raw.list(at('project/.git')).map(({ name }) => name)).toEqual(['HEAD']);
    disk.create(at('project/.gitignore'), 'x');
  });
});

describe('a path that passes through a folder', () => {
  const FILES = {
    '/repo/a.json': '',
    '/repo/out': { link: '/data/x.json' },
    '/data/x.json': '',
    '/data/in.json': { link: '/repo/a.json' },
    '/data/through.json': { link: '../repo/out' },
    '/data/dir': { link: '/repo' },
    '/data/self': { link: 'self' },
    '/link': { link: '/repo' },
    '/data/back.json': { link: 'sub/../x.json' },
    '/data/sub': { link: '/other/deep' },
    '/other/deep/x': '',
    '/other/x.json': '',
  };

  test.each([
    ['/repo', '/repo/a.json', true],
    ['/repo', '/data/x.json', false],
    ['/repo', '/data/in.json', true],
    ['/repo', '/data/through.json', true],
    ['/repo', '/data/dir/a.json', true],
    ['/repo', '/data/self', true],
    ['/repo', '/data/missing.json', true],
    ['/repo', '/data/back.json', false],
    ['/link', '/data/in.json', true],
    ['/missing', '/data/x.json', true],
    ['/', '/data/x.json', true],
  ])('%s, %s: %s', (root, place, expected) => {
    expect(passesThrough(memoryDisk(FILES), root, place)).toBe(expected);
  });
});
