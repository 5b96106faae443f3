/** Lists the files of a skill. Opens no files and never follows a link out of the skill folder. */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { compareText } from '../core/text.ts';
import { findTarget, orTrouble } from '../core/disk/answers.ts';
import { IGNORED_NAMES } from '../core/disk/ignored-folders.ts';
import {
  type EntryKind,
  type FileTree,
  FileTrouble,
  type Followed,
  isNameNotUtf8,
  type Look,
  NAME_NOT_UTF8,
  reasonText,
  type Stamp,
} from '../core/disk/tree.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { fileUnreadable, linkDangling, notARegularFile, symlinkOutside } from './codes.ts';
import type { Skill } from './skill.ts';

export interface BundledFile {
  /** Path relative to the skill folder, with forward slashes. */
  path: string;
  /** Real path of the file, which is inside the real skill folder. */
  realPath: string;
  bytes: number;
  stamp: Stamp;
}

export interface Bundle {
  /** The skill folder with all links resolved. Files outside it do not belong to the skill. */
  realDir: string;
  files: BundledFile[];
  diagnostics: Diagnostic[];
  /** The real paths of the listed folders. Missing if the files are not on a disk. */
  folders?: string[];
  /** Folders of other tools, such as `node_modules`, whose files do not belong to the skill. */
  leftOut?: string[];
  /** True if files were omitted because the limit was reached. */
  cut: boolean;
}

/** Lists all files of the skill, including SKILL.md, in a stable order. */
export function readBundle(tree: FileTree, skill: Pick<Skill, 'dir' | 'realFile'>): Bundle {
  const realDir = findTarget(tree, skill.dir)?.realPath ?? path.dirname(skill.realFile);
  const bundle: Bundle = { realDir, files: [], diagnostics: [], folders: [], leftOut: [], cut: false };
  const visited = new Set<string>();
  const stack: { dir: string; below: string; depth: number }[] = [{ dir: realDir, below: '', depth: 0 }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    if (visited.has(step.dir) || step.depth > LIMITS.walkPeekDepth.value) continue;
    visited.add(step.dir);
    bundle.folders?.push(step.dir);
    const entries = orTrouble(() => tree.list(step.dir));
    if (entries instanceof FileTrouble) {
      bundle.diagnostics.push(unreadable(entries, path.join(skill.dir, step.below)));
      continue;
    }
    for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
      const below = step.below === '' ? entry.name : `${step.below}/${entry.name}`;
      if (IGNORED_NAMES.has(entry.name)) {
        if (entry.kind !== 'file') bundle.leftOut?.push(below);
        continue;
      }
      const target = resolveEntry(
        tree,
        path.join(step.dir, entry.name),
        entry.kind,
        realDir,
        path.join(skill.dir, below),
        bundle.diagnostics,
      );
      if (!target) continue;
      if (target.kind === 'directory') {
        stack.push({ dir: target.realPath, below, depth: step.depth + 1 });
        continue;
      }
      if (bundle.files.length >= LIMITS.bundledFiles.value) return { ...finish(bundle), cut: true };
      bundle.files.push({ path: below, realPath: target.realPath, bytes: target.stamp.size, stamp: target.stamp });
    }
  }
  return finish(bundle);
}

function finish(bundle: Bundle): Bundle {
  return { ...bundle, files: bundle.files.sort((a, b) => compareText(a.path, b.path)) };
}

function resolveEntry(
  tree: FileTree,
  place: string,
  kind: EntryKind,
  realDir: string,
  shown: string,
  diagnostics: Diagnostic[],
): Followed | undefined {
  if (kind === 'other') {
    diagnostics.push(
      notARegularFile.at({ path: shown, message: 'it is a pipe, a socket or a device', severity: 'warning' }),
    );
    return undefined;
  }
  const target = orTrouble((): (Look & { realPath?: string }) | undefined =>
    kind === 'link' ? tree.follow(place) : tree.look(place),
  );
  if (target instanceof FileTrouble) {
    diagnostics.push(unreadable(target, shown));
    return undefined;
  }
  if (!target) {
    if (kind === 'link') diagnostics.push(linkDangling.at({ path: shown, message: 'the link leads nowhere' }));
    else if (isNameNotUtf8(shown, target)) diagnostics.push(notUtf8(shown));
    return undefined;
  }
  const { realPath = place } = target;
  if (!isInside(realDir, realPath)) {
    diagnostics.push(
      symlinkOutside.at({
        path: shown,
        message: 'the link leads out of the skill folder; the file is not served',
        severity: 'warning',
      }),
    );
    return undefined;
  }
  return target.kind === 'file' || target.kind === 'directory' ? { ...target, realPath } : undefined;
}

function notUtf8(place: string): Diagnostic {
  return fileUnreadable.at({ path: place, message: NAME_NOT_UTF8, fix: 'Rename it.', severity: 'warning' });
}

function unreadable(trouble: FileTrouble, place: string): Diagnostic {
  if (trouble.reason === 'too-many-links') return linkDangling.at({ path: place, message: 'the link leads to itself' });
  return fileUnreadable.at({ path: place, message: reasonText(trouble), severity: 'warning' });
}
