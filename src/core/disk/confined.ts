import path from 'node:path';
import { isInside } from '../inside.ts';
import { findEntry, findTarget, orTrouble } from './answers.ts';
import { type FileTree, FileTrouble } from './tree.ts';
import { type Disk, WriteTrouble } from './writes.ts';

/** Resolves every link on the way to a path. The path may not exist yet. Links above it are resolved, but not one at its end. */
export function realPlace(tree: FileTree, place: string): string {
  const parent = path.dirname(place);
  if (parent === place) return place;
  const found = findTarget(tree, parent)?.realPath;
  return path.join(found ?? realPlace(tree, parent), path.basename(place));
}

/** Links on the way to a file. The kernel of Linux follows 40 as well. */
const LINKS_MAX = 40;
const SEPARATORS = path.sep === '/' ? '/' : /[\\/]/u;

/**
 * Whether a path is in the folder `root`, or passes through it: also a link in it that leads out again counts. True if that cannot
 * be determined.
 */
export function passesThrough(tree: FileTree, root: string, place: string): boolean {
  const real = findTarget(tree, root)?.realPath;
  if (real === undefined || isInside(root, place)) return true;
  let at = path.parse(place).root;
  const rest = path.relative(at, place).split(path.sep);
  for (let links = 0; rest.length > 0;) {
    const next = path.join(at, rest.shift() ?? '');
    if (isInside(real, next)) return true;
    const look = findEntry(tree, next);
    if (look === undefined || links > LINKS_MAX) return true;
    if (look.kind !== 'link') at = next;
    else {
      const target = orTrouble(() => tree.readLink(next));
      if (target instanceof FileTrouble) return true;
      links += 1;
      const { root: top } = path.parse(target);
      if (top !== '') at = top;
      // Not normalized: the folder before `..` may be a link as well.
      rest.unshift(...target.slice(top.length).split(SEPARATORS).filter(Boolean));
    }
  }
  return false;
}

interface Border {
  /** Returns the real root if the path must stay below it, or undefined if the path is outside the root anyway. */
  limit(place: string): string | undefined;
  leadsOut(place: string): boolean;
}

function borderOf(root: string, tree: FileTree): Border {
  let real: string | undefined;
  const limit = (place: string): string | undefined => {
    real ??= findTarget(tree, root)?.realPath ?? root;
    return isInside(root, place) || isInside(real, place) ? real : undefined;
  };
  return {
    limit,
    leadsOut(place) {
      const within = limit(place);
      return within !== undefined && !isInside(within, realPlace(tree, place));
    },
  };
}

/**
 * Restricts reads below `root` to files that are really inside it. A cloned repository may have links anywhere, and they must not
 * expose the user's other files. A path outside `root` was named by the user and is not checked. Listing folders and following
 * links is not restricted: a walk has its own rules for links.
 */
export function readingInside(root: string, tree: FileTree): FileTree {
  const { limit, leadsOut } = borderOf(root, tree);
  return {
    ...tree,
    read: (place, maxBytes, within = limit(place)) => tree.read(place, maxBytes, within),
    readTarget: (place, maxBytes, within = limit(place)) => tree.readTarget(place, maxBytes, within),
    readStart(place, ...rest) {
      if (leadsOut(place)) throw new FileTrouble('outside', place);
      return tree.readStart(place, ...rest);
    },
  };
}

/** Git runs hooks and other commands from its folder, and a link of a repository may point there. */
function isInGitFolder(below: string): boolean {
  return below.split(path.sep).some((name) => name.toLowerCase() === '.git');
}

/**
 * Like `readingInside`, for a writable disk. Below `root`, nothing is written, moved or removed through a link that leads out of
 * it, or in a `.git` folder.
 */
export function confinedTo(root: string, disk: Disk): Disk {
  const { limit } = borderOf(root, disk);
  const checked = (place: string): string => {
    const within = limit(place);
    if (within === undefined) return place;
    const real = realPlace(disk, place);
    if (!isInside(within, real)) throw new WriteTrouble('outside', place);
    if (isInGitFolder(path.relative(within, real))) throw new WriteTrouble('git-folder', place);
    return place;
  };
  return {
    ...disk,
    ...readingInside(root, disk),
    create: (place, content) => disk.create(checked(place), content),
    replace: (place, content, before, options) => disk.replace(checked(place), content, before, options),
    checkReplace: (place) => disk.checkReplace(checked(place)),
    removeTemporaries: (place) => disk.removeTemporaries(checked(place)),
    createFolder: (place, files) => disk.createFolder(checked(place), files),
    createPrivateFolder: (place) => disk.createPrivateFolder(checked(place)),
    createLink: (place, target) => disk.createLink(checked(place), target),
    append: (place, ...rest) => disk.append(checked(place), ...rest),
    move: (from, to, options) => disk.move(checked(from), checked(to), options),
    remove: (place) => disk.remove(checked(place)),
    removeTree: (place) => disk.removeTree(checked(place)),
    removeEmptyFolders: (dir, stop) => disk.removeEmptyFolders(checked(dir), stop),
    lock: (place) => disk.lock(checked(place)),
  };
}
