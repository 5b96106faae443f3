/** Finds the spec.md files of main specs or deltas below a folder. Bounded. Opens no files and follows no links to folders. */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { compareText } from '../core/text.ts';
import { findTarget, orTrouble } from '../core/disk/answers.ts';
import { type Entry, type FileTree, FileTrouble } from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import * as codes from './codes.ts';
import { troubleWith } from './trouble.ts';

export interface FoundSpec {
  /** Folder names below the root, joined by `/`. */
  id: string;
  file: string;
  /** The file to open: the same path, or the target of a link within the root. */
  readFrom: string;
}

export interface SpecWalk {
  specs: FoundSpec[];
  /** Other Markdown files, relative to the root. They are not read as specs. */
  others: string[];
  /** True if there is a spec.md in the root itself, outside every capability. */
  hasRootSpec: boolean;
  /** True if there is any file that is not hidden. */
  hasFiles: boolean;
  diagnostics: Diagnostic[];
}

const SPEC_FILE = 'spec.md';

export function walkSpecs(files: FileTree, root: string, options: { skipUnderscored?: boolean } = {}): SpecWalk {
  const walk: SpecWalk = { specs: [], others: [], hasRootSpec: false, hasFiles: false, diagnostics: [] };
  const walking = { files, root, walk };
  // Paths are concatenated, because listed names need no normalization and `path.join` is slow for thousands of them.
  const pending: { dir: string; segments: string[] }[] = [{ dir: root, segments: [] }];
  let left: number = LIMITS.walkEntries.value;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { dir, segments } = next;
    const entries = listFolder(files, dir, walk.diagnostics);
    left -= entries.length;
    if (left < 0) {
      walk.diagnostics.push(
        codes.specEntryLimit.at({ path: root, message: `more than ${LIMITS.walkEntries.value} entries` }),
      );
      break;
    }
    for (const { name, kind } of entries) {
      if (name.startsWith('.') || (options.skipUnderscored && name.startsWith('_') && segments.length === 0)) continue;
      if (kind === 'directory') {
        if (segments.length < LIMITS.walkPeekDepth.value)
          pending.push({ dir: dir + path.sep + name, segments: [...segments, name] });
        continue;
      }
      if (kind !== 'other') walk.hasFiles = true;
      visit(walking, next, { name, kind });
    }
  }
  walk.specs.sort((a, b) => compareText(a.id, b.id));
  walk.others.sort(compareText);
  return walk;
}

function visit(
  { files, root, walk }: { files: FileTree; root: string; walk: SpecWalk },
  { dir, segments }: { dir: string; segments: readonly string[] },
  { name, kind }: Entry,
): void {
  const file = dir + path.sep + name;
  const id = segments.join('/');
  if (name !== SPEC_FILE) {
    if (kind === 'file' && name.toLowerCase().endsWith('.md')) walk.others.push([...segments, name].join('/'));
    else if (kind === 'link') reportFolderLink(files, file, walk.diagnostics);
    return;
  }
  if (kind === 'other') {
    walk.diagnostics.push(codes.specNotARegularFile.at({ path: file, message: 'not a regular file' }));
    return;
  }
  if (segments.length === 0) {
    walk.hasRootSpec = kind === 'file';
    return;
  }
  const readFrom = kind === 'link' ? linkTarget(files, root, file, walk.diagnostics) : file;
  if (readFrom !== undefined) walk.specs.push({ id, file, readFrom });
}

/** Returns the target of a linked spec.md, if it is below the root. */
function linkTarget(files: FileTree, root: string, file: string, diagnostics: Diagnostic[]): string | undefined {
  const target = findTarget(files, file);
  const realRoot = findTarget(files, root);
  if (!target || !realRoot) {
    diagnostics.push(codes.specLinkDangling.at({ path: file, message: 'the link leads nowhere' }));
  } else if (target.kind !== 'file') {
    diagnostics.push(
      codes.specNotARegularFile.at({ path: file, message: 'the link leads to something that is not a regular file' }),
    );
  } else if (!isInside(realRoot.realPath, target.realPath)) {
    diagnostics.push(codes.specSymlinkOutside.at({ path: file, message: 'the link leads out of the specs folder' }));
  } else return target.realPath;
  return undefined;
}

/** Reports a link to a folder, because it may contain specs. Links to other files are ignored. */
export function reportFolderLink(files: FileTree, place: string, diagnostics: Diagnostic[]): void {
  const target = findTarget(files, place);
  if (target?.kind === 'directory')
    diagnostics.push(codes.specSymlinkOutside.at({ path: place, message: 'a link to a folder is not followed' }));
  else if (!target) diagnostics.push(codes.specLinkDangling.at({ path: place, message: 'the link leads nowhere' }));
}

/** Lists the entries of a folder. A missing folder counts as empty. An unreadable one is reported. */
export function listFolder(files: FileTree, dir: string, diagnostics: Diagnostic[]): Entry[] {
  const entries = orTrouble(() => files.list(dir));
  if (!(entries instanceof FileTrouble)) return entries;
  if (!entries.isMissing) diagnostics.push(troubleWith(entries, dir));
  return [];
}
