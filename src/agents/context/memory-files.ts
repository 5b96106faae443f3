/** Reads memory files, and lists folders of them. Sizes and numbers are bounded, and links must not lead out of the project. */
import path from 'node:path';
import { entriesOf, exists, findTarget, realPlace, tryReadTarget } from '../../core/disk/answers.ts';
import { readingInside } from '../../core/disk/confined.ts';
import { type FileTree, FileTrouble, reasonText } from '../../core/disk/tree.ts';
import { LIMITS } from '../../core/limits.ts';

export type MemoryFile =
  | { text: string; bytes: Uint8Array; isBinary: boolean }
  /** `outside` is set for a link that leads out of the project, which Lectern does not read. */
  | { trouble: string; outside?: true; size?: number | undefined };

export interface MemoryFiles {
  /** Returns undefined if there is no such file. */
  read(file: string): MemoryFile | undefined;
  exists(file: string): boolean;
  /** Path with all links followed. */
  real(file: string): string;
  /** Files below a folder whose names have the extension, sorted by path. */
  below(dir: string, extension: string): string[];
}

/** `root` is the outermost folder of the project. */
export function memoryFiles(tree: FileTree, root: string): MemoryFiles {
  const files = readingInside(root, tree);
  const known = new Map<string, MemoryFile | undefined>();
  const reals = new Map<string, string>();
  return {
    read(file) {
      if (known.has(file)) return known.get(file);
      const read = known.size < LIMITS.memoryFiles.value ? readOne(files, file) : TOO_MANY;
      known.set(file, read);
      return read;
    },
    exists: (file) => exists(tree, file),
    real(file) {
      const real = reals.get(file) ?? realPlace(tree, file);
      reals.set(file, real);
      return real;
    },
    below: (dir, extension) => filesBelow(tree, dir, extension),
  };
}

export const TOO_MANY: MemoryFile = {
  trouble: `Lectern reads at most ${LIMITS.memoryFiles.value} memory files for an agent`,
  outside: true,
};

function readOne(tree: FileTree, file: string): MemoryFile | undefined {
  const read = tryReadTarget(tree, file, LIMITS.memoryFileBytes.value);
  if (read === undefined) return undefined;
  if (read instanceof FileTrouble) {
    if (read.isMissing || read.reason === 'not-a-regular-file') return undefined;
    return {
      trouble: reasonText(read),
      ...(read.reason === 'outside' ? { outside: true as const } : {}),
      size: read.size,
    };
  }
  const text = Buffer.from(read.bytes).toString('utf8');
  return { text, bytes: read.bytes, isBinary: text.includes('\0') };
}

/** Folders of rules and subagents are rarely deeper than two levels. */
const DEEPEST = 8;

function filesBelow(tree: FileTree, dir: string, extension: string, depth = 0, seen = new Set<string>()): string[] {
  const real = findTarget(tree, dir);
  if (real?.kind !== 'directory' || seen.has(real.realPath) || depth > DEEPEST) return [];
  seen.add(real.realPath);
  const entries = entriesOf(tree, dir).sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const { name, kind } of entries) {
    if (found.length >= LIMITS.memoryFiles.value) break;
    const place = path.join(dir, name);
    const isFolder = kind === 'directory' || (kind === 'link' && findTarget(tree, place)?.kind === 'directory');
    if (isFolder) found.push(...filesBelow(tree, place, extension, depth + 1, seen));
    else if (name.endsWith(extension)) found.push(place);
  }
  return found.slice(0, LIMITS.memoryFiles.value);
}
