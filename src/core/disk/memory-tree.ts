import path from 'node:path/posix';
import {
  type Entry,
  type EntryKind,
  type FileTree,
  FileTrouble,
  LOOK_CLOSER,
  NOTHING_THERE,
  type Stamp,
} from './tree.ts';

/** A file's text or bytes, or a link to another path. */
export type MemoryFile = string | Uint8Array | { link: string };

const LINK_LIMIT = 40;

/** A tree of strings that behaves like the file system, for tests and for callers with no files. Paths are POSIX. */
export function memoryFiles(files: Record<string, MemoryFile>): FileTree {
  const encoder = new TextEncoder();
  const nodes = new Map<string, { kind: EntryKind; bytes: Uint8Array; link: string; ino: number }>();
  const children = new Map<string, Map<string, EntryKind>>();
  let ino = 1;

  const addFolder = (dir: string): void => {
    if (nodes.has(dir)) return;
    nodes.set(dir, { kind: 'directory', bytes: new Uint8Array(), link: '', ino: ino++ });
    children.set(dir, new Map());
    if (dir === '/') return;
    addFolder(path.dirname(dir));
    children.get(path.dirname(dir))?.set(path.basename(dir), 'directory');
  };

  for (const [name, file] of Object.entries(files)) {
    const full = path.resolve('/', name);
    addFolder(path.dirname(full));
    const isLink = typeof file === 'object' && 'link' in file;
    const kind: EntryKind = isLink ? 'link' : 'file';
    const bytes = isLink ? new Uint8Array() : typeof file === 'string' ? encoder.encode(file) : file;
    nodes.set(full, { kind, bytes, link: isLink ? file.link : '', ino: ino++ });
    children.get(path.dirname(full))?.set(path.basename(full), kind);
  }

  const stampOf = (node: { bytes: Uint8Array; ino: number }): Stamp => ({
    size: node.bytes.length,
    mtimeMs: 0,
    ctimeMs: 0,
    ino: node.ino,
  });

  const resolveFolder = (full: string, left: number): string => {
    const parent = path.dirname(full);
    if (parent === full) return full;
    return resolve(path.join(resolveFolder(parent, left), path.basename(full)), left);
  };
  const resolve = (full: string, left: number): string => {
    const node = nodes.get(full);
    if (node?.kind !== 'link') return full;
    if (left === 0) throw new FileTrouble('too-many-links', full);
    return resolveFolder(path.resolve(path.dirname(full), node.link), left - 1);
  };
  const locate = (name: string): string => {
    const full = path.resolve('/', name);
    return full === '/' ? full : path.join(resolveFolder(path.dirname(full), LINK_LIMIT), path.basename(full));
  };
  const regularFile = (name: string): { bytes: Uint8Array; stamp: Stamp } => {
    const node = nodes.get(locate(name));
    if (!node) throw new FileTrouble('missing', name);
    if (node.kind !== 'file') throw new FileTrouble('not-a-regular-file', name);
    return { bytes: node.bytes, stamp: stampOf(node) };
  };

  return {
    list(dir) {
      const real = resolveFolder(path.resolve('/', dir), LINK_LIMIT);
      const found = children.get(real);
      if (!found) throw new FileTrouble(nodes.has(real) ? 'not-a-folder' : 'missing', dir);
      return [...found].map(([name, kind]): Entry => ({ name, kind }));
    },
    contents(dir) {
      const entries = this.list(dir);
      return {
        folders: entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name),
        others: entries.filter(({ kind }) => kind !== 'directory'),
      };
    },
    look(name) {
      const node = nodes.get(locate(name));
      return node && { kind: node.kind, stamp: stampOf(node) };
    },
    lookInto(name, into) {
      const node = nodes.get(locate(name));
      if (!node) return undefined;
      const start = node.bytes.subarray(0, into.length);
      into.set(start);
      return {
        kind: node.kind,
        stamp: stampOf(node),
        start: node.kind === 'file' ? into.subarray(0, start.length) : undefined,
      };
    },
    glance(name, into, at, length, maxBytes) {
      const node = nodes.get(locate(name));
      if (!node) return NOTHING_THERE;
      if (node.kind !== 'file' || node.bytes.length === 0 || node.bytes.length > maxBytes) return LOOK_CLOSER;
      const start = node.bytes.subarray(0, length);
      into.set(start, at);
      return start.length;
    },
    follow(name) {
      const realPath = resolveFolder(path.resolve('/', name), LINK_LIMIT);
      const node = nodes.get(realPath);
      return node && { realPath, kind: node.kind, stamp: stampOf(node) };
    },
    readStart(name, into) {
      const start = regularFile(name).bytes.subarray(0, into.length);
      into.set(start);
      return into.subarray(0, start.length);
    },
    read(name, maxBytes) {
      const file = regularFile(name);
      if (file.bytes.length > maxBytes) throw new FileTrouble('too-large', name, file.bytes.length);
      return file;
    },
    readWithin(realRoot, name, start, length) {
      const { bytes, stamp } = regularFile(name);
      const place = path.relative(realRoot, locate(name));
      if (place === '..' || place.startsWith('../')) throw new FileTrouble('outside', name);
      return { bytes: bytes.subarray(start, start + length), stamp };
    },
  };
}
