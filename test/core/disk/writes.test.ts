/** The memory disk stands in for the file system in most tests; here both are asked to write the same things. */
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/core/failure.ts';
import { memoryDisk, type MemoryFile } from '../../../src/core/disk/memory-disk.ts';
import { nodeDisk } from '../../../src/core/disk/node-disk.ts';
import { proofFor } from '../../../src/core/disk/process-alive.ts';
import { type Disk, WriteTrouble } from '../../../src/core/disk/writes.ts';
import { canMount, mount } from '../../support/small-disk.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface Place extends Disposable {
  disk: Disk;
  at(...below: string[]): string;
  text(name: string): string | undefined;
  names(dir?: string): string[];
}

function placeOn(kind: 'node' | 'memory', files: Record<string, MemoryFile> = {}): Place {
  const folder = tempFolder(kind === 'node' ? files : {});
  const root = kind === 'node' ? folder.dir : '/disk';
  const at = (...below: string[]): string => path.join(root, ...below);
  const disk =
    kind === 'node'
      ? nodeDisk
      : memoryDisk(Object.fromEntries(Object.entries(files).map(([name, file]) => [`/disk/${name}`, file])));
  // The folder is there from the start, as the real one is.
  disk.create(at('.keep'), '');
  disk.remove(at('.keep'));
  return {
    disk,
    at,
    text: (name) => (disk.look(at(name)) ? Buffer.from(disk.read(at(name), 1_000_000).bytes).toString() : undefined),
    names: (dir = '.') =>
      disk
        .list(at(dir))
        .map(({ name }) => name)
        .sort(),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function reasonOf(use: () => unknown): string {
  try {
    use();
    return 'none';
  } catch (error) {
    if (error instanceof WriteTrouble) return error.reason;
    throw error;
  }
}

describe.each(['node', 'memory'] as const)('the %s disk', (kind) => {
  test('creates a file with its folders, and never over anything', () => {
    using place = placeOn(kind, { 'taken.txt': 'mine', link: { link: 'nowhere' }, 'folder/x': '' });
    const { disk, at } = place;
    disk.create(at('a/b/c.txt'), 'text');
    disk.create(at('a/b/bytes'), new Uint8Array([1, 2]));
    expect([place.text('a/b/c.txt'), place.text('a/b/bytes')]).toEqual(['text', '\u0001\u0002']);
    expect(place.names('a/b')).toEqual(['bytes', 'c.txt']);
    for (const name of ['taken.txt', 'link', 'folder'])
      expect(reasonOf(() => disk.create(at(name), 'other'))).toBe('exists');
    expect(place.text('taken.txt')).toBe('mine');
    expect(place.names()).toEqual(['a', 'folder', 'link', 'taken.txt']);
  });

  test('replaces a file, or creates it', () => {
    using place = placeOn(kind, { f: 'old' });
    place.disk.replace(place.at('f'), 'new');
    place.disk.replace(place.at('deep/er/f'), 'new too');
    expect([place.text('f'), place.text('deep/er/f'), place.names()]).toEqual(['new', 'new too', ['deep', 'f']]);
  });

  test('a file that was replaced has another stamp, and only the right stamp replaces it', () => {
    using place = placeOn(kind, { f: 'old' });
    const { disk, at } = place;
    const { stamp } = disk.read(at('f'), 100);
    disk.replace(at('f'), 'new', stamp);
    expect(reasonOf(() => disk.replace(at('f'), 'old', stamp))).toBe('changed');
    expect([place.text('f'), place.names()]).toEqual(['new', ['f']]);
    const later = disk.read(at('f'), 100).stamp;
    disk.remove(at('f'));
    expect(reasonOf(() => disk.replace(at('f'), 'newer', later))).toBe('changed');
    expect(place.names()).toEqual([]);
  });

  test('replaces a link, and writes through none', () => {
    using place = placeOn(kind, { target: 'safe', link: { link: 'target' } });
    place.disk.replace(place.at('link'), 'new');
    expect([place.text('link'), place.text('target')]).toEqual(['new', 'safe']);
  });

  test('adds to a file, or creates it', () => {
    using place = placeOn(kind);
    const { disk, at } = place;
    disk.append(at('logs/a'), 'one ');
    const before = disk.look(at('logs/a'))?.stamp;
    disk.append(at('logs/a'), new TextEncoder().encode('two'));
    expect(place.text('logs/a')).toBe('one two');
    expect(disk.look(at('logs/a'))?.stamp).not.toEqual(before);
  });

  test('moves a file, a folder or a link to a new path', () => {
    using place = placeOn(kind, { 'from/a': 'a', 'from/b/c': 'c', one: '1', link: { link: 'nowhere' } });
    const { disk, at } = place;
    disk.move(at('from'), at('to/here'));
    disk.move(at('one'), at('two'));
    disk.move(at('link'), at('to/link'));
    expect([place.names(), place.names('to'), place.text('to/here/b/c'), place.text('two')]).toEqual([
      ['to', 'two'],
      ['here', 'link'],
      'c',
      '1',
    ]);
    expect(disk.look(at('to/link'))?.kind).toBe('link');
  });

  test.each([
    ['a file', 'file', 'other'],
    ['a file', 'file', 'full'],
    ['a folder', 'folder', 'other'],
    ['a folder', 'folder', 'full'],
    ['a folder', 'folder', 'empty'],
    ['a link', 'link', 'other'],
  ])('moving %s over an existing entry fails and loses neither (%s to %s)', (_, from, to) => {
    using place = placeOn(kind, {
      file: 'new',
      'folder/x': 'new',
      link: { link: 'file' },
      other: 'old',
      'full/y': 'old',
      'empty/z': '',
    });
    place.disk.remove(place.at('empty/z'));
    expect(reasonOf(() => place.disk.move(place.at(from), place.at(to)))).toBe('exists');
    expect([place.text('file'), place.text('folder/x'), place.text('other'), place.text('full/y')]).toEqual([
      'new',
      'new',
      'old',
      'old',
    ]);
    expect(place.names()).toEqual(['empty', 'file', 'folder', 'full', 'link', 'other']);
  });

  test('moves a file over another with replace', () => {
    using place = placeOn(kind, { from: 'new', to: 'old', 'folder/x': '' });
    place.disk.move(place.at('from'), place.at('to'), { replace: true });
    expect([place.names(), place.text('to')]).toEqual([['folder', 'to'], 'new']);
    expect(() => place.disk.move(place.at('to'), place.at('folder'), { replace: true })).toThrow(WriteTrouble);
    expect(place.names()).toEqual(['folder', 'to']);
  });

  test('moving a missing entry fails', () => {
    using place = placeOn(kind, { there: '' });
    for (const to of ['to', 'there'])
      expect(reasonOf(() => place.disk.move(place.at('no'), place.at(to)))).toBe('missing');
  });

  test('remove deletes files and links, and only removeTree deletes folders', () => {
    using place = placeOn(kind, { 'a/x': '', 'b/y': '', link: { link: 'a' } });
    const { disk, at } = place;
    for (const name of ['link', 'b/y', 'missing', 'missing/below']) disk.remove(at(name));
    expect([place.names(), place.names('a'), place.names('b')]).toEqual([['a', 'b'], ['x'], []]);
    expect(reasonOf(() => disk.remove(at('a')))).toBe('not-a-regular-file');
    for (const name of ['a', 'b', 'missing']) disk.removeTree(at(name));
    expect(place.names()).toEqual([]);
  });

  test('removing a tree that is a link keeps its target', () => {
    using place = placeOn(kind, { 'a/x': 'mine', link: { link: 'a' } });
    place.disk.removeTree(place.at('link'));
    expect([place.names(), place.text('a/x')]).toEqual([['a'], 'mine']);
  });

  test('removes empty folders up to a place that stays', () => {
    using place = placeOn(kind, { 'stop/a/b/c/x': '', 'stop/d/y': '' });
    const { disk, at } = place;
    disk.removeEmptyFolders(at('stop/a/b/c'), at('stop'));
    expect(place.names('stop/a/b/c')).toEqual(['x']);
    disk.remove(at('stop/a/b/c/x'));
    disk.removeEmptyFolders(at('stop/a/b/c'), at('stop'));
    expect(place.names('stop')).toEqual(['d']);
    disk.removeTree(at('stop/d'));
    disk.removeEmptyFolders(at('stop'), at('stop'));
    expect(place.names()).toEqual(['stop']);
  });

  test('a lock file names its process; the owner can retake it, and an invalid or stale one is taken over', () => {
    using place = placeOn(kind);
    const { disk, at } = place;
    for (const left of [undefined, `${process.pid}\n`, '999999999\n', 'garbage', '']) {
      if (left !== undefined) disk.replace(at('locks/l'), left);
      expect(disk.lock(at('locks/l'))).toBeUndefined();
      expect(String(place.text('locks/l')).split(/\s/u)[0]).toBe(String(process.pid));
    }
    disk.remove(at('locks/l'));
    expect(place.names('locks')).toEqual([]);
  });

  test('a folder is created with its files and modes, once', () => {
    using place = placeOn(kind);
    const { disk, at } = place;
    const bytes = new TextEncoder().encode('x');
    const files = [
      { path: 'a', bytes, executable: false },
      { path: 'b/c', bytes, executable: true },
    ];
    disk.createFolder(at('new/folder'), files);
    expect([disk.look(at('new/folder/a'))?.mode, disk.look(at('new/folder/b/c'))?.mode]).toEqual([0o644, 0o755]);
    expect(place.text('new/folder/b/c')).toBe('x');
    expect(reasonOf(() => disk.createFolder(at('new/folder'), files))).toBe('exists');
  });

  test('a link is created, read and replaced by a rename, and never written over', () => {
    using place = placeOn(kind, { 'real/x': 'x' });
    const { disk, at } = place;
    disk.createLink(at('links/one'), '../real');
    expect([disk.readLink(at('links/one')), disk.follow(at('links/one'))?.kind]).toEqual(['../real', 'directory']);
    expect(reasonOf(() => disk.createLink(at('links/one'), '../other'))).toBe('exists');
    disk.createLink(at('links/two'), '../other');
    disk.move(at('links/two'), at('links/one'), { replace: true });
    expect(disk.readLink(at('links/one'))).toBe('../other');
  });

  test('reports a file where a folder is needed, and a folder where a file is needed', () => {
    using place = placeOn(kind, { file: '', 'folder/x': '' });
    const { disk, at } = place;
    for (const name of ['file/a', 'file/a/b']) {
      for (const use of [disk.create, disk.replace, disk.append])
        expect(reasonOf(() => use(at(name), ''))).toBe('not-a-folder');
      expect(reasonOf(() => disk.move(at('folder'), at(name)))).toBe('not-a-folder');
    }
    for (const use of [disk.replace, disk.append])
      expect(reasonOf(() => use(at('folder'), ''))).toBe('not-a-regular-file');
    expect(place.names()).toEqual(['file', 'folder']);
  });
});

test.each([
  ['EEXIST', 'REFUSED', '/f already exists.', undefined],
  ['ENOSPC', 'UNWRITABLE', 'Cannot write /f: the disk is full.', expect.stringContaining('Free some space')],
  ['EACCES', 'UNWRITABLE', 'Cannot write /f: permission denied.', expect.stringContaining('permissions')],
  ['EROFS', 'UNWRITABLE', 'Cannot write /f: the disk is read-only.', expect.any(String)],
  ['EWHATEVER', 'UNWRITABLE', 'Cannot write /f: EWHATEVER.', undefined],
])('%s is a failure in words', (code, failure, message, hint) => {
  const trouble = WriteTrouble.of(Object.assign(new Error('system'), { code }), '/f');
  expect(trouble).toBeInstanceOf(Failure);
  expect({ code: trouble.code, message: trouble.message, hint: trouble.hint, path: trouble.path }).toEqual({
    code: failure,
    message,
    hint,
    path: '/f',
  });
});

describe('the real file system', () => {
  test.skipIf(process.platform === 'win32')(
    'a private file and the folders made for it are for their owner only',
    () => {
      using place = placeOn('node');
      for (const text of ['one', 'two'])
        place.disk.replace(place.at('a/b/secret'), text, undefined, { isPrivate: true });
      const modes = ['a', 'a/b', 'a/b/secret'].map((name) => fs.statSync(place.at(name)).mode & 0o777);
      expect([place.text('a/b/secret'), ...modes]).toEqual(['two', 0o700, 0o700, 0o600]);
    },
  );

  test('a file that is replaced keeps its mode', () => {
    using folder = tempFolder({ f: 'old' });
    for (const mode of [0o600, 0o640, 0o755]) {
      fs.chmodSync(folder.at('f'), mode);
      nodeDisk.replace(folder.at('f'), 'new', nodeDisk.look(folder.at('f'))?.stamp);
      expect(fs.statSync(folder.at('f')).mode & 0o7777).toBe(mode);
    }
    expect(fs.readdirSync(folder.dir)).toEqual(['f']);
  });

  test.each([false, true])(
    'a move that was stopped half-way is finished: two names of one file become the new one (replace %s)',
    (replace) => {
      using folder = tempFolder({ from: 'x' });
      fs.linkSync(folder.at('from'), folder.at('to'));
      nodeDisk.move(folder.at('from'), folder.at('to'), { replace });
      expect(fs.readdirSync(folder.dir)).toEqual(['to']);
      expect(fs.readFileSync(folder.at('to'), 'utf8')).toBe('x');
    },
  );

  test('temporary files of writers that died are removed, those of running writers stay, and no link is followed', () => {
    const own = (name: string): string => `${name}.${proofFor(name)}.tmp`;
    using folder = tempFolder({
      [own('.lectern-f.999999999')]: 'half',
      [own(`.lectern-f.${process.pid}`)]: { link: 'victim' },
      [own(`.lectern-f.${process.ppid}`)]: 'of a running process',
      [own('.lectern-other.999999999')]: 'of another file',
      victim: 'safe',
    });
    nodeDisk.replace(folder.at('f'), 'whole');
    expect(fs.readdirSync(folder.dir).sort()).toEqual(
      [own(`.lectern-f.${process.ppid}`), own('.lectern-other.999999999'), 'f', 'victim'].sort(),
    );
    expect(fs.readFileSync(folder.at('victim'), 'utf8')).toBe('safe');
  });

  test('a file that is only named like a temporary file stays, because a repository may contain it', () => {
    const names = [
      '.lectern-f.999999999.tmp',
      `.lectern-f.${process.pid}.tmp`,
      `.lectern-f.999999999.${'0'.repeat(16)}.tmp`,
    ];
    using folder = tempFolder(Object.fromEntries(names.map((name) => [name, 'committed'])));
    nodeDisk.replace(folder.at('f'), 'whole');
    nodeDisk.create(folder.at('g'), 'whole');
    expect(fs.readdirSync(folder.dir).sort()).toEqual([...names, 'f', 'g'].sort());
    for (const name of names) expect(fs.readFileSync(folder.at(name), 'utf8')).toBe('committed');
  });

  test('a write that fails leaves no folders behind', () => {
    using folder = tempFolder({ 'there/x': 'x' });
    const long = 'n'.repeat(300);
    const disk = nodeDisk;
    const writes = [
      () => disk.create(folder.at('a/b', long), ''),
      () => disk.replace(folder.at('a/b', long), ''),
      () => disk.append(folder.at('a/b', long), ''),
      () => disk.createLink(folder.at('a/b', long), 'x'),
      () => disk.move(folder.at('missing'), folder.at('a/b/c')),
      () => disk.createFolder(folder.at('a/b/c'), [{ path: long, bytes: new Uint8Array(), executable: false }]),
      () => disk.createFolder(folder.at('there/c'), [{ path: long, bytes: new Uint8Array(), executable: false }]),
      () => disk.create(folder.at('a', long, 'x'), ''),
    ];
    for (const write of writes) expect(write).toThrow(WriteTrouble);
    expect(fs.readdirSync(folder.dir, { recursive: true }).sort()).toEqual(['there', 'there/x']);
  });

  test.skipIf(process.platform === 'win32')(
    'a read-only file and a hard link are refused, unless the file is ours',
    () => {
      using folder = tempFolder({ 'read-only': 'old', linked: 'old', ours: 'old' });
      fs.chmodSync(folder.at('read-only'), 0o444);
      fs.linkSync(folder.at('linked'), folder.at('second'));
      for (const [name, reason] of [
        ['read-only', 'read-only-file'],
        ['linked', 'several-names'],
      ] as const) {
        expect(reasonOf(() => nodeDisk.replace(folder.at(name), 'new'))).toBe(reason);
        expect(reasonOf(() => nodeDisk.checkReplace(folder.at(name)))).toBe(reason);
        expect(fs.readFileSync(folder.at(name), 'utf8')).toBe('old');
        nodeDisk.replace(folder.at(name), 'new', undefined, { strict: false });
        expect(fs.readFileSync(folder.at(name), 'utf8')).toBe('new');
      }
      nodeDisk.checkReplace(folder.at('ours'));
      nodeDisk.checkReplace(folder.at('missing'));
    },
  );

  test.skipIf(process.platform === 'win32')('a private folder is for this user only, and others are refused', () => {
    using folder = tempFolder({ 'real/x': '', file: '', link: { link: 'real' } });
    nodeDisk.createPrivateFolder(folder.at('a/private'));
    nodeDisk.createPrivateFolder(folder.at('a/private'));
    expect(fs.statSync(folder.at('a/private')).mode & 0o777).toBe(0o700);
    fs.mkdirSync(folder.at('open'));
    fs.chmodSync(folder.at('open'), 0o777);
    expect(reasonOf(() => nodeDisk.createPrivateFolder(folder.at('open')))).toBe('not-private');
    expect(reasonOf(() => nodeDisk.createPrivateFolder(folder.at('link')))).toBe('not-private');
    expect(reasonOf(() => nodeDisk.createPrivateFolder(folder.at('file')))).toBe('not-a-folder');
    if (process.getuid?.() !== 0) return;
    fs.mkdirSync(folder.at('other'), { mode: 0o700 });
    fs.chownSync(folder.at('other'), 65_534, 65_534);
    expect(reasonOf(() => nodeDisk.createPrivateFolder(folder.at('other')))).toBe('not-private');
  });

  test.skipIf(!canMount())(
    'a move to another disk fails, unless it may copy: then modes and links stay as they are',
    () => {
      using folder = tempFolder({ 'from/a.sh': 'a', 'from/b/c': 'c', 'from/link': { link: 'b/c' }, file: 'x' });
      fs.chmodSync(folder.at('from/a.sh'), 0o755);
      fs.chmodSync(folder.at('from/b'), 0o700);
      mount(folder.at('other'), 256);
      try {
        expect(reasonOf(() => nodeDisk.move(folder.at('from'), folder.at('other/to')))).toBe('other-disk');
        expect(fs.readdirSync(folder.at('other'))).toEqual([]);
        nodeDisk.move(folder.at('from'), folder.at('other/to'), { copies: true });
        nodeDisk.move(folder.at('file'), folder.at('other/file'), { copies: true });
        expect(fs.readdirSync(folder.dir)).toEqual(['other']);
        expect(fs.readdirSync(folder.at('other'), { recursive: true }).sort()).toEqual(
          ['file', 'to', 'to/a.sh', 'to/b', 'to/b/c', 'to/link'].sort(),
        );
        expect(fs.statSync(folder.at('other/to/a.sh')).mode & 0o777).toBe(0o755);
        expect(fs.statSync(folder.at('other/to/b')).mode & 0o777).toBe(0o700);
        expect(fs.readlinkSync(folder.at('other/to/link'))).toBe('b/c');
        // Copying that fails leaves both places as they were.
        folder.write({ 'large/x': Buffer.alloc(1_000_000) });
        expect(reasonOf(() => nodeDisk.move(folder.at('large'), folder.at('other/large'), { copies: true }))).toBe(
          'full',
        );
        expect([fs.existsSync(folder.at('large/x')), fs.readdirSync(folder.at('other')).sort()]).toEqual([
          true,
          ['file', 'to'],
        ]);
      } finally {
        spawnSync('umount', ['--lazy', folder.at('other')]);
      }
    },
  );

  test('the lock of a running process is not taken', () => {
    using folder = tempFolder({ lock: `${process.ppid}\n` });
    expect(nodeDisk.lock(folder.at('lock'))).toBe(process.ppid);
    expect(fs.readFileSync(folder.at('lock'), 'utf8')).toBe(`${process.ppid}\n`);
  });

  test('a process that has the id of an earlier one does not have its lock', () => {
    using folder = tempFolder({ lock: `${process.ppid} 1\n` });
    const started = nodeDisk.lock(folder.at('lock'));
    // Only Linux tells when a process has started.
    expect(started).toBe(process.platform === 'linux' ? undefined : process.ppid);
  });

  test('only one of several processes has a lock at any moment', async () => {
    using folder = tempFolder({ count: '0' });
    const script = folder.at('counter.mjs');
    await bundleScript(script, counterSource());
    const run = promisify(execFile);
    await Promise.all(Array.from({ length: 6 }, () => run(process.execPath, [script, folder.dir, '150'])));
    expect(fs.readFileSync(folder.at('count'), 'utf8')).toBe('900');
  });

  test('a temporary folder is new, and folders of dead processes are removed', () => {
    const parent = os.tmpdir();
    const left = path.join(parent, 'lectern-disk-test-999999999-0-x');
    fs.mkdirSync(left, { recursive: true });
    const made = nodeDisk.createTemporaryFolder('lectern-disk-test');
    const again = nodeDisk.createTemporaryFolder('lectern-disk-test');
    expect([fs.existsSync(left), fs.existsSync(made), made === again]).toEqual([false, true, false]);
    for (const dir of [made, again]) nodeDisk.removeTree(dir);
  });

  test('killed at any moment, replacing leaves the old content or the new, whole, and the next write no litter', async () => {
    using folder = tempFolder();
    const script = folder.at('writer.mjs');
    await bundleScript(script, writerSource());
    const file = folder.at('here', 'f');
    for (let round = 0; round < 12; round += 1) {
      nodeDisk.removeTree(folder.at('here'));
      fs.mkdirSync(folder.at('here'));
      fs.writeFileSync(file, 'a'.repeat(4_000_000), { mode: 0o600 });
      const child = execFile(process.execPath, [script, file]);
      await new Promise<void>((resolve) => void child.stdout?.once('data', () => resolve()));
      await sleep(round * 3);
      child.kill('SIGKILL');
      await new Promise<void>((resolve) => void child.once('close', () => resolve()));
      const text = fs.readFileSync(file, 'utf8');
      expect(text.length).toBe(4_000_000);
      expect(['a', 'b']).toContain([...new Set(text)].join(''));
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      nodeDisk.replace(file, 'the end');
      // Only Linux can prove which temporary files are ours.
      if (process.platform === 'linux') expect(fs.readdirSync(folder.at('here'))).toEqual(['f']);
    }
  });
});

/** Makes a program of its own from a source that imports the real disk. */
async function bundleScript(file: string, source: string): Promise<void> {
  const bundle = await rolldown({
    input: 'script',
    platform: 'node',
    external: [/^node:/u],
    plugins: [
      {
        name: 'script',
        resolveId: (id) => (id === 'script' ? id : undefined),
        load: (id) => (id === 'script' ? source : undefined),
      },
    ],
  });
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
}

/** Increments a number in a file, without any protection but the lock. */
function counterSource(): string {
  return `
    import fs from 'node:fs';
    import path from 'node:path';
    import { setTimeout } from 'node:timers/promises';
    import { nodeDisk } from ${JSON.stringify(path.resolve('src/core/disk/node-disk.ts'))};
    const [, , dir, turns] = process.argv;
    const [lock, file] = [path.join(dir, 'lock'), path.join(dir, 'count')];
    for (let turn = 0; turn < Number(turns); turn += 1) {
      while (nodeDisk.lock(lock) !== undefined) await setTimeout(1);
      fs.writeFileSync(file, String(Number(fs.readFileSync(file, 'utf8')) + 1));
      nodeDisk.remove(lock);
    }
  `;
}

/** Replaces one content by another over and over, until it is killed. */
function writerSource(): string {
  return `
    import { nodeDisk } from ${JSON.stringify(path.resolve('src/core/disk/node-disk.ts'))};
    const file = process.argv[2];
    process.stdout.write('ready');
    for (let turn = 0; ; turn += 1) nodeDisk.replace(file, (turn % 2 ? 'a' : 'b').repeat(4_000_000), nodeDisk.look(file).stamp);
  `;
}
