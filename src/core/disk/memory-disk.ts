import path from 'node:path/posix';
import { type FileTree, FileTrouble, sameStamp, type Stamp } from './tree.ts';
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
interface FileNode {
  kind: 'file';
  bytes: Uint8Array;
  stamp: Stamp;
  executable: boolean;
}
type Node = Folder | FileNode | { kind: 'link'; link: string; stamp: Stamp };

const LINK_LIMIT = 40;
const encoder = new TextEncoder();

function modeOf(node: Node): number {
  return node.kind === 'file' && !node.executable ? 0o644 : 0o755;
}

/** A disk in memory that behaves like the file system, for tests and for callers without files. Paths are POSIX. */
export function memoryDisk(files: Record<string, MemoryFile> = {}): MemoryDisk {
  const nodes = new MemoryNodes();
  for (const [name, file] of Object.entries(files)) {
    const isLink = typeof file === 'object' && 'link' in file;
    nodes.put(path.resolve('/', name), isLink ? nodes.newLink(file.link) : nodes.newFile(file));
  }
  return { ...readsOf(nodes), ...creationsOf(nodes), ...changesOf(nodes), files: () => nodes.files() };
}

interface Resolved {
  /** The path with every link on the way followed. */
  real: string;
  node: Node | undefined;
}

/** The files, folders and links of a memory disk. */
class MemoryNodes {
  #changes = 0;
  readonly #root = this.newFolder();

  /** Returns a number that was not used before. */
  nextNumber(): number {
    return ++this.#changes;
  }

  /** Times are not simulated. Every file gets a new inode number, as after a rename on a real disk. */
  #newStamp(size: number): Stamp {
    return { size, mtimeMs: 0, ctimeMs: 0, ino: this.nextNumber(), dev: 0 };
  }

  /** A folder keeps its inode number when its entries change, so its size stands in for the time. */
  #changeStamp(folder: Folder): void {
    folder.stamp = { ...folder.stamp, size: this.nextNumber() };
  }

  newFolder(): Folder {
    return { kind: 'directory', entries: new Map(), stamp: this.#newStamp(0) };
  }

  newFile(content: string | Uint8Array, executable = false): FileNode {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content.slice();
    return { kind: 'file', bytes, stamp: this.#newStamp(bytes.length), executable };
  }

  newLink(link: string): Node {
    return { kind: 'link', link, stamp: this.#newStamp(0) };
  }

  /**
   * Returns the entry at a path and its real path. Links on the way are followed. A link at the end is followed only if
   * `followEnd` is set.
   */
  resolve(name: string, followEnd: boolean, linksLeft = LINK_LIMIT): Resolved {
    let found: Resolved = { real: '/', node: this.#root };
    const parts = path.resolve('/', name).split('/').filter(Boolean);
    for (const [index, part] of parts.entries()) {
      const { real, node } = found;
      const next = node?.kind === 'directory' ? node.entries.get(part) : undefined;
      if (next?.kind === 'link' && (followEnd || index < parts.length - 1)) {
        if (linksLeft === 0) throw new FileTrouble('too-many-links', name);
        found = this.resolve(path.resolve(real, next.link), true, linksLeft - 1);
      } else found = { real: path.join(real, part), node: next };
    }
    return found;
  }

  at(name: string): Node | undefined {
    return this.resolve(name, false).node;
  }

  /** Returns the folder at a path. Creates it and its parents if they are missing. */
  folderAt(dir: string): Folder {
    const { real, node } = this.resolve(dir, false);
    const present = node?.kind === 'link' ? this.resolve(dir, true).node : node;
    if (present?.kind === 'directory') return present;
    if (node) throw new WriteTrouble('not-a-folder', dir);
    const folder = this.newFolder();
    this.put(real, folder);
    return folder;
  }

  put(name: string, node: Node): void {
    const parent = this.folderAt(path.dirname(name));
    parent.entries.set(path.basename(name), node);
    this.#changeStamp(parent);
  }

  take(name: string): void {
    const parent = this.resolve(path.dirname(name), true).node;
    if (parent?.kind === 'directory' && parent.entries.delete(path.basename(name))) this.#changeStamp(parent);
  }

  files(): Map<string, Uint8Array> {
    const found = new Map<string, Uint8Array>();
    const visit = (place: string, node: Node): void => {
      if (node.kind === 'file') found.set(place, node.bytes);
      if (node.kind === 'directory') for (const [name, entry] of node.entries) visit(path.join(place, name), entry);
    };
    visit('/', this.#root);
    return found;
  }
}

function readsOf(nodes: MemoryNodes): FileTree {
  const regularFile = (name: string): { bytes: Uint8Array; stamp: Stamp } => {
    const node = nodes.at(name);
    if (!node) throw new FileTrouble('missing', name);
    if (node.kind !== 'file') throw new FileTrouble('not-a-regular-file', name);
    return { bytes: node.bytes, stamp: node.stamp };
  };
  const refuseOutside = (realRoot: string, name: string): void => {
    const place = path.relative(realRoot, nodes.resolve(name, false).real);
    if (place === '..' || place.startsWith('../')) throw new FileTrouble('outside', name);
  };
  const tree: FileTree = {
    list(dir) {
      const { node } = nodes.resolve(dir, true);
      if (node?.kind !== 'directory') throw new FileTrouble(node ? 'not-a-folder' : 'missing', dir);
      return [...node.entries].map(([name, { kind }]) => ({ name, kind }));
    },
    look(name) {
      const node = nodes.at(name);
      return node && { kind: node.kind, stamp: node.stamp, mode: modeOf(node) };
    },
    follow(name) {
      const { real, node } = nodes.resolve(name, true);
      return node && { realPath: real, kind: node.kind, stamp: node.stamp, mode: modeOf(node) };
    },
    readLink(name) {
      const node = nodes.at(name);
      if (node?.kind !== 'link') throw new FileTrouble(node ? 'io' : 'missing', name);
      return node.link;
    },
    readStart(name, into, from = 0, to = into.length, maxBytes = Infinity) {
      const start = tree.read(name, maxBytes).bytes.subarray(0, to - from);
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
      const target = tree.follow(name);
      return target && { ...tree.read(target.realPath, maxBytes, within), realPath: target.realPath };
    },
    readWithin(realRoot, name, start, length) {
      const { bytes, stamp } = regularFile(name);
      refuseOutside(realRoot, name);
      return { bytes: bytes.subarray(start, start + length), stamp };
    },
  };
  return tree;
}

type Creations = 'create' | 'createPrivateFolder' | 'createFolder' | 'createLink' | 'createTemporaryFolder';

function creationsOf(nodes: MemoryNodes): Pick<Disk, Creations> {
  const refuseExisting = (name: string): void => {
    if (nodes.at(name)) throw new WriteTrouble('exists', name);
  };
  return {
    create(name, content) {
      refuseExisting(name);
      nodes.put(name, nodes.newFile(content));
    },
    createPrivateFolder: (dir) => void nodes.folderAt(dir),
    createFolder(dir, made) {
      refuseExisting(dir);
      nodes.folderAt(dir);
      for (const { path: name, bytes, executable } of made)
        nodes.put(path.join(dir, name), nodes.newFile(bytes, executable));
    },
    createLink(name, target) {
      refuseExisting(name);
      nodes.put(name, nodes.newLink(target));
    },
    createTemporaryFolder(prefix) {
      const dir = `/tmp/${prefix}${nodes.nextNumber()}`;
      nodes.folderAt(dir);
      return dir;
    },
  };
}

function changesOf(nodes: MemoryNodes): Omit<Disk, keyof FileTree | Creations> {
  const refuseFolder = (name: string, node: Node | undefined): void => {
    if (node?.kind === 'directory') throw new WriteTrouble('not-a-regular-file', name);
  };
  const replace: Disk['replace'] = (name, content, before) => {
    const node = nodes.at(name);
    if (before && !(node && sameStamp(before, node.stamp))) throw new WriteTrouble('changed', name);
    refuseFolder(name, node);
    nodes.put(name, nodes.newFile(content));
  };
  return {
    replace,
    checkReplace: () => undefined,
    removeTemporaries: () => undefined,
    append(name, content) {
      const { real, node } = nodes.resolve(name, false);
      refuseFolder(name, node);
      if (node?.kind === 'link') throw new WriteTrouble('too-many-links', name);
      const added = nodes.newFile(content);
      if (node?.kind !== 'file') return nodes.put(real, added);
      node.bytes = Buffer.concat([node.bytes, added.bytes]);
      node.stamp = { ...node.stamp, size: node.bytes.length, ctimeMs: nodes.nextNumber() };
    },
    move(from, to, { replace: mayReplace = false } = {}) {
      const [source, target] = [nodes.at(from), nodes.at(to)];
      if (!source) throw new WriteTrouble('missing', to);
      const isReplaceable = mayReplace && source.kind !== 'directory' && target?.kind !== 'directory';
      if (target && target !== source && !isReplaceable) throw new WriteTrouble('exists', to);
      nodes.put(to, source);
      if (target !== source) nodes.take(from);
    },
    remove(name) {
      refuseFolder(name, nodes.at(name));
      nodes.take(name);
    },
    removeTree: (name) => nodes.take(name),
    removeEmptyFolders(dir, stop) {
      const prefix = stop === '/' ? stop : `${stop}/`;
      for (let current = dir; current !== stop && current.startsWith(prefix); current = path.dirname(current)) {
        const node = nodes.at(current);
        if (node?.kind !== 'directory' || node.entries.size > 0) return;
        nodes.take(current);
      }
    },
    lock(name) {
      // No other process shares this memory, so an existing lock is stale.
      replace(name, `${process.pid}\n`);
      return undefined;
    },
  };
}
