import path from 'node:path';
import { tryRead } from '../../core/disk/answers.ts';
import { type FileTree, FileTrouble, reasonText } from '../../core/disk/tree.ts';

/** A file of the index is there, but cannot be used. */
export class UnreadableIndexFile extends Error {}

/** No index of ten thousand documents is larger. The folder may come from an untrusted repository. */
export const INDEX_FILE_MAX_BYTES = 512 * 1024 * 1024;

/** A whole file of the index; undefined if it does not exist. */
export function readIndexFile(tree: FileTree, file: string, maxBytes = INDEX_FILE_MAX_BYTES): Uint8Array | undefined {
  const read = tryRead(tree, file, maxBytes);
  if (!(read instanceof FileTrouble)) return read.bytes;
  if (read.isMissing) return undefined;
  // A remote caller must not learn paths.
  throw new UnreadableIndexFile(`${path.basename(file)} cannot be read: ${reasonText(read)}`);
}
