/**
 * Presents the files of a published source as a file tree, so that the code for real folders can read them. It never changes: the
 * stamp of a file derives from its content.
 */
import path from 'node:path/posix';
import { type Entry, type FileTree, FileTrouble, type Look, type ReadFile, type Stamp } from '../core/disk/tree.ts';
import { type Disk, WriteTrouble } from '../core/disk/writes.ts';
import type { StoredFile } from '../store/catalog-store.ts';

type Node = { kind: 'directory'; entries: Map<string, Node> } | { kind: 'file'; file: StoredFile };

const FOLDER_STAMP: Stamp = { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0, dev: 0 };

export interface PublishedTree {
  disk: Disk;
  /** Returns the published file at a path, if there is one. */
  findFile(place: string): StoredFile | undefined;
}

/** `root` is the absolute path under which the files appear. `contentOf` returns undefined for missing content. */
export function publishedTree(
  root: string,
  files: readonly StoredFile[],
  contentOf: (file: StoredFile) => Uint8Array | undefined,
): PublishedTree {
  const top: Node = { kind: 'directory', entries: new Map() };
  const folderAt = (parts: readonly string[]): Map<string, Node> => {
    let { entries } = top;
    for (const part of parts) {
      let next = entries.get(part);
      if (next?.kind !== 'directory') entries.set(part, (next = { kind: 'directory', entries: new Map() }));
      entries = next.entries;
    }
    return entries;
  };
  const rootParts = root.split('/').filter(Boolean);
  // Marks the source as a repository, so that discovery does not go above it.
  folderAt([...rootParts, '.git']);
  for (const file of files) {
    const parts = file.path.split('/');
    const name = parts.pop() ?? '';
    folderAt([...rootParts, ...parts]).set(name, { kind: 'file', file });
  }

  const find = (place: string): Node | undefined => {
    let node: Node = top;
    for (const part of path.resolve('/', place).split('/')) {
      if (part === '') continue;
      const next: Node | undefined = node.kind === 'directory' ? node.entries.get(part) : undefined;
      if (!next) return undefined;
      node = next;
    }
    return node;
  };
  const look = (place: string): Look | undefined => {
    const node = find(place);
    if (node?.kind !== 'file') return node && { kind: node.kind, stamp: FOLDER_STAMP, mode: 0o755 };
    return { kind: node.kind, stamp: stampOf(node.file), mode: node.file.executable ? 0o755 : 0o644 };
  };
  const read = (place: string, maxBytes = Infinity): ReadFile => {
    const node = find(place);
    if (!node) throw new FileTrouble('missing', place);
    if (node.kind !== 'file') throw new FileTrouble('not-a-regular-file', place);
    if (node.file.size > maxBytes) throw new FileTrouble('too-large', place, node.file.size);
    const bytes = contentOf(node.file);
    if (!bytes) throw new FileTrouble('failing', place);
    return { bytes, stamp: stampOf(node.file) };
  };
  const tree: FileTree = {
    list(dir): Entry[] {
      const node = find(dir);
      if (node?.kind !== 'directory') throw new FileTrouble(node ? 'not-a-folder' : 'missing', dir);
      return [...node.entries].map(([name, { kind }]) => ({ name, kind }));
    },
    look,
    follow(place) {
      const found = look(place);
      return found && { ...found, realPath: path.resolve('/', place) };
    },
    readLink(place) {
      throw new FileTrouble(find(place) ? 'io' : 'missing', place);
    },
    readStart(place, into, from = 0, to = into.length, maxBytes = Infinity) {
      const start = read(place, maxBytes).bytes.subarray(0, to - from);
      into.set(start, from);
      return start.length;
    },
    read,
    readTarget: (place, maxBytes) =>
      find(place) ? { ...read(place, maxBytes), realPath: path.resolve('/', place) } : undefined,
    readWithin(realRoot, place, start, length) {
      const below = path.relative(realRoot, path.resolve('/', place));
      if (below === '..' || below.startsWith('../')) throw new FileTrouble('outside', place);
      const { bytes, stamp } = read(place);
      return { bytes: bytes.subarray(start, start + length), stamp };
    },
  };
  const findFile = (place: string): StoredFile | undefined => {
    const node = find(place);
    return node?.kind === 'file' ? node.file : undefined;
  };
  return { disk: { ...tree, ...NO_WRITES }, findFile };
}

/** Equal contents have equal stamps: 48 bits of the hash are the inode number. */
function stampOf({ sha256, size }: StoredFile): Stamp {
  return { size, mtimeMs: 0, ctimeMs: 0, ino: Number.parseInt(sha256.slice(0, 12), 16), dev: 0 };
}

function refuse(place: string): never {
  throw new WriteTrouble('read-only-file', place);
}

const NO_WRITES = {
  create: refuse,
  replace: refuse,
  checkReplace: refuse,
  removeTemporaries: refuse,
  createFolder: refuse,
  createPrivateFolder: refuse,
  createLink: refuse,
  createTemporaryFolder: refuse,
  append: refuse,
  move: refuse,
  remove: refuse,
  removeTree: refuse,
  removeEmptyFolders: refuse,
  lock: refuse,
};
