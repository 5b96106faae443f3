/**
 * Finds copies: skills with the same name and identical files. Users keep one skill in the folders of several agents,
 * and these copies are equivalent. Only skills with the same name are compared, and most differ in the size of SKILL.md,
 * so catalogs without copies are not slower.
 */
import type { Hash } from 'node:crypto';
import { findEntry, tryRead } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, stampText } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { type Bundle, type BundledFile, readBundle } from './bundle.ts';
import { groupByName } from './name-lookup.ts';
import { isRacy } from '../core/disk/noting.ts';
import type { Skill } from './skill.ts';

/** Digest of the files of a skill, and their stamps. The next scan rereads only changed files. */
export type KnownContents = ReadonlyMap<string, { stamps: string; digest: string }>;

type Comparable = Skill & { copyOf: Skill | undefined };

/** Sets `copyOf` of every later copy to the first one, in order of discovery. */
export async function markCopies(
  tree: FileTree,
  skills: readonly Comparable[],
  breathe: () => Promise<void> | undefined,
  earlier: KnownContents = new Map(),
): Promise<KnownContents> {
  const contents = new Map<string, { stamps: string; digest: string }>();
  const startedAt = Date.now();
  let createHash: ((algorithm: string) => Hash) | undefined;
  const groups = groupByName(skills).flatMap((group) => groupsOfEqual(group, ({ disabled }) => String(disabled)));
  for (const group of groups) {
    for (const sameSize of groupsOfEqual(group, (skill) => sizeOf(tree, skill))) {
      const pause = breathe();
      if (pause) await pause;
      // Loaded lazily and once, because loading the hash functions is slow and few catalogs have copies.
      const create = (createHash ??= (await import('node:crypto')).createHash);
      const hash = (): Hash => create('sha256');
      for (const sameText of groupsOfEqual(sameSize, (skill) => digestOfText(tree, skill, hash()))) {
        const bundles = new Map(sameText.map((skill) => [skill, readBundle(tree, skill)]));
        const ofBundle = (skill: Comparable, key: (bundle: Bundle) => string | undefined): string | undefined => {
          const bundle = bundles.get(skill);
          return bundle && key(bundle);
        };
        for (const sameShape of groupsOfEqual(sameText, (skill) => ofBundle(skill, shapeOf))) {
          const digestOf = (skill: Comparable): string | undefined =>
            ofBundle(skill, (bundle) => {
              const stamps = bundle.files.map(({ stamp }) => stampText(stamp)).join(' ');
              const known = earlier.get(skill.realFile);
              const digest = known?.stamps === stamps ? known.digest : digestOfFiles(tree, bundle, hash());
              if (digest !== undefined && !bundle.files.some(({ stamp }) => isRacy(stamp, startedAt)))
                contents.set(skill.realFile, { stamps, digest });
              return digest;
            });
          for (const [first, ...copies] of groupsOfEqual(sameShape, digestOf))
            for (const copy of copies) copy.copyOf = first;
        }
      }
    }
  }
  return contents;
}

/** Returns groups of two or more items with the same key. Items without a key are never grouped. */
function groupsOfEqual<T>(items: readonly T[], keyOf: (item: T) => string | undefined): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function sizeOf(tree: FileTree, { stamp, realFile }: Skill): string | undefined {
  const { size } = Number.isNaN(stamp.size) ? (findEntry(tree, realFile)?.stamp ?? stamp) : stamp;
  return Number.isNaN(size) ? undefined : String(size);
}

function digestOfText(tree: FileTree, { realFile }: Skill, hash: Hash): string | undefined {
  const read = tryRead(tree, realFile, LIMITS.skillFileBytes.value);
  return read instanceof FileTrouble ? undefined : hash.update(read.bytes).digest('base64');
}

/** Returns the names and sizes of the files. Undefined if there are too many to compare or some cannot be read. */
function shapeOf({ files, diagnostics, cut }: Bundle): string | undefined {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const isTooMuch = cut || files.length > LIMITS.comparedFiles.value || bytes > LIMITS.comparedBytes.value;
  if (isTooMuch || diagnostics.length > 0) return undefined;
  return files.map((file) => `${file.path}\0${file.bytes}`).join('\0');
}

function digestOfFiles(tree: FileTree, { files }: Bundle, hash: Hash): string | undefined {
  for (const file of files) {
    const bytes = bytesOf(tree, file);
    if (bytes === undefined) return undefined;
    hash.update(bytes);
  }
  return hash.digest('base64');
}

/** Returns undefined if the file changed since it was listed. Uses the fast read, because the content is only compared, not shown. */
function bytesOf(tree: FileTree, { realPath, bytes }: BundledFile): Uint8Array | undefined {
  const read = tryRead(tree, realPath, bytes);
  return read instanceof FileTrouble || read.bytes.length !== bytes ? undefined : read.bytes;
}
