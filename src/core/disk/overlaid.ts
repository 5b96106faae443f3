import type { FileTree } from './tree.ts';
import { NO_STAMP } from './tree.ts';

/** Returns the tree as it would be read if a file had another text, to see the effect of a change before it is written. */
export function overlaid(tree: FileTree, file: string, text: string): FileTree {
  return {
    ...tree,
    readTarget: (place, ...rest) =>
      place === file ? { bytes: Buffer.from(text), stamp: NO_STAMP, realPath: file } : tree.readTarget(place, ...rest),
  };
}
