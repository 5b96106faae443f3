/** Reads the files of a commit or folder before anything is written. Links are resolved by path only. */
import path from 'node:path';
import { createHash } from 'node:crypto';
import { IGNORED_NAMES } from '../core/disk/ignored-folders.ts';
import { type FileTree, FileTrouble, reasonText } from '../core/disk/tree.ts';
import type { NewFile } from '../core/disk/writes.ts';
import { Failure, type FailureCode } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { memo } from '../core/memo.ts';
import { compareText, echo, grouped } from '../core/text.ts';
import { clashingPaths, whyPathIsUnsafe } from './names.ts';
import type { ReadBudget } from './read-budget.ts';
import { EntryCollector, type SourceTree, tooManyBytes, type TreeEntry } from './source-tree.ts';
import { TreeIndex } from './tree-index.ts';

/** Reads the files of a folder. */
export function readFolder(files: FileTree, root: string): SourceTree {
  const collector = new EntryCollector(root);
  const { entries } = collector;
  const visit = (below: string): void => {
    for (const { name, kind } of files.list(path.join(root, below)).sort((a, b) => compareText(a.name, b.name))) {
      if (IGNORED_NAMES.has(name)) continue;
      const place = below === '' ? name : `${below}/${name}`;
      if (kind === 'directory') {
        collector.addFolder(place);
        visit(place);
      } else {
        const mode = kind === 'file' ? (files.look(path.join(root, place))?.mode ?? 0) : 0;
        collector.add(place, {
          kind: kind === 'file' || kind === 'link' ? kind : 'other',
          executable: (mode & 0o111) !== 0,
        });
      }
    }
  };
  const bytesOf = (file: string, maxBytes: number): Uint8Array =>
    entries.get(file)?.kind === 'link'
      ? Buffer.from(files.readLink(path.join(root, file)).split(path.sep).join('/'))
      : files.read(path.join(root, file), maxBytes, root).bytes;
  return foreseen(() => {
    visit('');
    return {
      entries,
      read: async (paths, maxBytes) =>
        foreseen(() => {
          let total = 0;
          const read = new Map<string, Uint8Array>();
          for (const file of paths) {
            const size = files.look(path.join(root, file))?.stamp.size ?? 0;
            if ((total += size) > maxBytes) throw tooManyBytes(total, maxBytes);
            read.set(file, bytesOf(file, maxBytes));
          }
          return read;
        }),
      contentId: (file) => foreseen(() => sha256(bytesOf(file, LIMITS.installedBytes.value))),
    };
  });
}

function foreseen<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    throw new Failure('UNREADABLE', `Cannot read ${error.path}: ${reasonText(error)}.`, { path: error.path });
  }
}

/** A skill that is ready to be written. */
export interface CollectedSkill {
  files: NewFile[];
  bytes: number;
  notes: string[];
}

/** Reads and checks the files of one skill. Fails with UNSAFE or TOO_LARGE. */
export async function collectSkill(tree: SourceTree, folder: string, budget: ReadBudget): Promise<CollectedSkill> {
  // Fails early if the budget is already used up.
  budget.spend([]);
  const notes: string[] = [];
  const found: { file: string; place: string; entry: TreeEntry }[] = [];
  for (const place of TreeIndex.of(tree).pathsBelow(folder)) {
    const entry = tree.entries.get(place);
    if (!entry) continue;
    const file = folder === '' ? place : place.slice(folder.length + 1);
    if (entry.kind === 'module') notes.push(`${file} is a submodule, which is not fetched`);
    else found.push({ file, place, entry });
  }
  const max = LIMITS.installedFiles.value;
  if (found.length > max) {
    throw new Failure('TOO_LARGE', `It has ${grouped(found.length)} files; at most ${grouped(max)} are installed.`, {
      facts: { files: found.length, maxFiles: max },
    });
  }
  for (const { file, entry } of found) {
    const why = whyPathIsUnsafe(file) ?? (entry.kind === 'other' ? 'it is not a regular file' : undefined);
    if (why !== undefined) throw unsafe(file, why);
  }
  const clash = clashingPaths(found.map(({ file }) => file));
  if (clash) throw unsafe(clash[1], `it differs from ${echo(clash[0])} only in case, or both have the same name`);
  const targets = await resolveLinks(
    tree,
    found.filter(({ entry }) => entry.kind === 'link'),
  );
  const contents = await tree.read(
    found.map(({ place }) => targets.get(place) ?? place),
    LIMITS.installedBytes.value,
  );
  const files = found
    .map(({ file, place }): NewFile => {
      const source = targets.get(place) ?? place;
      const bytes = contents.get(source);
      if (!bytes) throw new Failure('FETCH_FAILED', `The content of ${echo(source)} did not arrive.`);
      return { path: file, bytes, executable: tree.entries.get(source)?.executable ?? false };
    })
    .sort((a, b) => compareText(a.path, b.path));
  budget.spend(files);
  return { files, bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0), notes };
}

function unsafe(file: string, why: string, code: FailureCode = 'UNSAFE'): Failure {
  return new Failure(code, `${echo(file)} is not safe to write: ${why}.`, { facts: { file } });
}

const LINK_STEPS = 40;
const LINK_MAX_BYTES = 4_096;

/** Resolves each link to a plain file. */
async function resolveLinks(
  tree: SourceTree,
  links: readonly { file: string; place: string }[],
): Promise<Map<string, string>> {
  if (links.length === 0) return new Map();
  const texts = await linkTexts(tree);
  return new Map(links.map(({ file, place }) => [place, targetOf(tree, texts, place, file)]));
}

/** Links may lead through other links, so the targets of all links are read together, once. */
const linkTexts = memo((tree: SourceTree) => {
  const all = [...tree.entries].filter(([, { kind }]) => kind === 'link').map(([place]) => place);
  return tree.read(all, LIMITS.installedBytes.value);
});

function targetOf(tree: SourceTree, texts: ReadonlyMap<string, Uint8Array>, link: string, file: string): string {
  let place = link;
  for (let steps = 0; steps < LINK_STEPS; steps++) {
    const at = linkOnTheWay(tree, place);
    if (at === undefined) {
      if (tree.entries.get(place)?.kind === 'file') return place;
      const isFolder = TreeIndex.of(tree).hasFolder(place);
      throw unsafe(file, isFolder ? 'it is a link to a folder' : 'it is a link that leads nowhere');
    }
    const bytes = texts.get(at) ?? new Uint8Array();
    if (bytes.length > LINK_MAX_BYTES) throw unsafe(file, 'it is a link with a target that is too long');
    const text = Buffer.from(bytes).toString('utf8');
    if (text === '' || path.posix.isAbsolute(text) || path.win32.isAbsolute(text) || /^[A-Za-z]:/u.test(text))
      throw unsafe(file, 'it is a link to an absolute path');
    const next = path.posix.join(path.posix.dirname(at), text.replaceAll('\\', '/'), place.slice(at.length));
    if (next === '..' || next.startsWith('../')) throw unsafe(file, 'it is a link that leads out of the source');
    place = next.replace(/\/$/u, '');
  }
  throw unsafe(file, 'it is a link that leads to itself');
}

/** Returns the first part of a path that is a link. */
function linkOnTheWay({ entries }: SourceTree, place: string): string | undefined {
  const parts = place.split('/');
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join('/');
    if (entries.get(part)?.kind === 'link') return part;
  }
  return undefined;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
