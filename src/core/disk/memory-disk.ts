import path from 'node:path/posix';
import { type Entry, FileTrouble, sameStamp, type Stamp } from './tree.ts';
import { type Disk, WriteTrouble } from './writes.ts';

/** A file's text or bytes, or a link to another path. */
export type MemoryFile = string | Uint8Array | { link: string };

export interface MemoryDisk extends Disk {
  /** Every regular file with its content, by its path. */
  files(): Map<string, Uint8Array>;
}

interface Folder {
  kind: 'directory';
  entries: Map<string, Node>;
  stamp: Stamp;
}
type Node =
  | Folder
  | { kind: 'file'; bytes: Uint8Array; stamp: Stamp; executable: boolean }
  | { kind: 'link'; link: string; stamp: Stamp };

const LINK_LIMIT = 40;
const encoder = new TextEncoder();

function modeOf(node: Node): number {
  return node.kind === 'file' && !node.executable ? 0o644 : 0o755;
}

/** A disk in memory that behaves like the file system, for tests and for callers without files. Paths are POSIX. */
export function memoryDisk(files: Record<string, MemoryFile> = {}): MemoryDisk {
  let changes = 0;
  // Times are not simulated. Every file gets a new inode number, as after a rename on a real disk.
  const newStamp = (size: number): Stamp => ({ size, mtimeMs: 0, ctimeMs: 0, ino: ++changes, dev: 0 });
  const newFolder = (): Folder => ({ kind: 'directory', entries: new Map(), stamp: newStamp(0) });
  const newFile = (content: string | Uint8Array, executable = false): Node => {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content.slice();
    return { kind: 'file', bytes, stamp: newStamp(bytes.length), executable };
  };
  const root = newFolder();

  /**
   * Returns the entry at a path and its real path. Links on the way are followed. A link at the end is followed only if
   * `followEnd` is set.
   */
  const resolve = (
    name: string,
    followEnd: boolean,
    linksLeft = LINK_LIMIT,
  ): { real: string; node: Node | undefined } => {
    let found: { real: string; node: Node | undefined } = { real: '/', node: root };
    const parts = path.resolve('/', name).split('/').filter(Boolean);
    for (const [index, part] of parts.entries()) {
      const { real, node } = found;
      const next = node?.kind === 'directory' ? node.entries.get(part) : undefined;
      if (next?.kind === 'link' && (followEnd || index < parts.length - 1)) {
        if (linksLeft === 0) throw new FileTrouble('too-many-links', name);
        found = resolve(path.resolve(real, next.link), true, linksLeft - 1);
      } else found = { real: path.join(real, part), node: next };
    }
    return found;
  };
  const nodeAt = (name: string): Node | undefined => resolve(name, false).node;
  const regularFile = (name: string): { bytes: Uint8Array; stamp: Stamp } => {
    const node = nodeAt(name);
    if (!node) throw new FileTrouble('missing', name);
    if (node.kind !== 'file') throw new FileTrouble('not-a-regular-file', name);
    return { bytes: node.bytes, stamp: node.stamp };
  };
  const refuseOutside = (realRoot: string, name: string): void => {
    const place = path.relative(realRoot, resolve(name, false).real);
    if (place === '..' || place.startsWith('../')) throw new FileTrouble('outside', name);
  };
  const list = (dir: string): Entry[] => {
    const { node } = resolve(dir, true);
    if (node?.kind !== 'directory') throw new FileTrouble(node ? 'not-a-folder' : 'missing', dir);
    return [...node.entries].map(([name, { kind }]) => ({ name, kind }));
  };

  /** Returns the folder at a path. Creates it and its parents if they are missing. */
  const folderAt = (dir: string): Folder => {
    const { real, node } = resolve(dir, false);
    const present = node?.kind === 'link' ? resolve(dir, true).node : node;
    if (present?.kind === 'directory') return present;
    if (node) throw new WriteTrouble('not-a-folder', dir);
    const folder = newFolder();
    folderAt(path.dirname(real)).entries.set(path.basename(real), folder);
    return folder;
  };
  const put = (name: string, node: Node): void => {
    folderAt(path.dirname(name)).entries.set(path.basename(name), node);
  };
  const take = (name: string): void => {
    const parent = resolve(path.dirname(name), true).node;
    if (parent?.kind === 'directory') parent.entries.delete(path.basename(name));
  };
  const refuseFolder = (name: string, node = nodeAt(name)): void => {
    if (node?.kind === 'directory') throw new WriteTrouble('not-a-regular-file', name);
  };

  for (const [name, file] of Object.entries(files)) {
    const isLink = typeof file === 'object' && 'link' in file;
    put(path.resolve('/', name), isLink ? { kind: 'link', link: file.link, stamp: newStamp(0) } : newFile(file));
  }

  const disk: MemoryDisk = {
    list,
    look(name) {
      const node = nodeAt(name);
      return node && { kind: node.kind, stamp: node.stamp, mode: modeOf(node) };
    },
    follow(name) {
      const { real, node } = resolve(name, true);
      return node && { realPath: real, kind: node.kind, stamp: node.stamp, mode: modeOf(node) };
    },
    readLink(name) {
      const node = nodeAt(name);
      if (node?.kind !== 'link') throw new FileTrouble(node ? 'io' : 'missing', name);
      return node.link;
    },
    readStart(name, into, from = 0, to = into.length, maxBytes = Infinity) {
      const start = disk.read(name, maxBytes).bytes.subarray(0, to - from);
      into.set(start, from);
      return start.length;
    },
    read(name, maxBytes, within) {
      const file = regularFile(name);
      if (within !== undefined) refuseOutside(within, name);
      if (file.bytes.length > maxBytes) throw new FileTrouble('too-large', name, file.bytes.length);
      return file;
    },
    readTarget(name, maxBytes, within) {
      const target = disk.follow(name);
      return target && { ...disk.read(target.realPath, maxBytes, within), realPath: target.realPath };
    },
    readWithin(realRoot, name, start, length) {
      const { bytes, stamp } = regularFile(name);
      refuseOutside(realRoot, name);
      return { bytes: bytes.subarray(start, start + length), stamp };
    },

    create(name, content) {
      if (nodeAt(name)) throw new WriteTrouble('exists', name);
      put(name, newFile(content));
    },
    replace(name, content, before) {
      const node = nodeAt(name);
      if (before && !(node && sameStamp(before, node.stamp))) throw new WriteTrouble('changed', name);
      refuseFolder(name, node);
      put(name, newFile(content));
    },
    checkReplace: () => undefined,
    removeTemporaries: () => undefined,
    createPrivateFolder: (dir) => void folderAt(dir),
    createFolder(dir, made) {
      if (nodeAt(dir)) throw new WriteTrouble('exists', dir);
      folderAt(dir);
      for (const { path: name, bytes, executable } of made) put(path.join(dir, name), newFile(bytes, executable));
    },
    createLink(name, target) {
      if (nodeAt(name)) throw new WriteTrouble('exists', name);
      put(name, { kind: 'link', link: target, stamp: newStamp(0) });
    },
    createTemporaryFolder(prefix) {
      const dir = `/tmp/${prefix}${++changes}`;
      folderAt(dir);
      return dir;
    },
    append(name, content) {
      const { real, node } = resolve(name, false);
      refuseFolder(name, node);
      if (node?.kind === 'link') throw new WriteTrouble('too-many-links', name);
      const added = newFile(content);
      if (node?.kind !== 'file' || added.kind !== 'file') return put(real, added);
      node.bytes = Buffer.concat([node.bytes, added.bytes]);
      node.stamp = { ...node.stamp, size: node.bytes.length, ctimeMs: ++changes };
    },
    move(from, to, { replace = false } = {}) {
      const [source, target] = [nodeAt(from), nodeAt(to)];
      if (!source) throw new WriteTrouble('missing', to);
      const mayReplace = replace && source.kind !== 'directory' && target?.kind !== 'directory';
      if (target && target !== source && !mayReplace) throw new WriteTrouble('exists', to);
      put(to, source);
      if (target !== source) take(from);
    },
    remove(name) {
      refuseFolder(name);
      take(name);
    },
    removeTree: take,
    removeEmptyFolders(dir, stop) {
      for (let current = dir; current.startsWith(`${stop}/`); current = path.dirname(current)) {
        const node = nodeAt(current);
        if (node?.kind !== 'directory' || node.entries.size > 0) return;
        take(current);
      }
    },
    lock(name) {
      // No other process shares this memory, so an existing lock is stale.
      disk.replace(name, `${process.pid}\n`);
      return undefined;
    },

    files() {
      const found = new Map<string, Uint8Array>();
      const visit = (place: string, node: Node): void => {
        if (node.kind === 'file') found.set(place, node.bytes);
        if (node.kind === 'directory') for (const [name, entry] of node.entries) visit(path.join(place, name), entry);
      };
      visit('/', root);
      return found;
    },
  };
  return disk;
}
