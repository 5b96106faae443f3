import path from 'node:path';
import { isInside } from '../inside.ts';
import { findTarget } from './answers.ts';
import { type FileTree, FileTrouble } from './tree.ts';
import { type Disk, WriteTrouble } from './writes.ts';

/** The path with every link on the way to it resolved. It may not exist yet: links above it count, one at its end does not. */
export function realPlace(tree: FileTree, place: string): string {
  const parent = path.dirname(place);
  if (parent === place) return place;
  const found = findTarget(tree, parent)?.realPath;
  return path.join(found ?? realPlace(tree, parent), path.basename(place));
}

interface Border {
  /** The real root if the path must stay below it; undefined if the path is outside the root anyway. */
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
 * Files of which none below `root` leads out of it. A cloned repository may have links anywhere, and they must not make us
 * read the user's other files. A path outside `root` was named by the user and is not checked. Listing folders and following
 * links is not restricted: a walk has its own rules for links.
 */
export function readingInside(root: string, tree: FileTree): FileTree {
  const { limit, leadsOut } = borderOf(root, tree);
  return {
    ...tree,
    read: (place, maxBytes, within = limit(place)) => tree.read(place, maxBytes, within),
    readTarget: (place, maxBytes, within = limit(place)) => tree.readTarget(place, maxBytes, within),
    readStart(place, into, from, to, maxBytes) {
      if (leadsOut(place)) throw new FileTrouble('outside', place);
      return tree.readStart(place, into, from, to, maxBytes);
    },
  };
}

/** Git runs hooks and other commands that it finds there, and a link of a repository may lead to it. */
function isInGitFolder(below: string): boolean {
  return below.split(path.sep).some((name) => name.toLowerCase() === '.git');
}

/**
 * The same for a disk that is written to: nothing below `root` is written, moved or removed through a link that leads out, nor
 * anything in a `.git` folder.
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
