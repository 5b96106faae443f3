import { tryRead } from '../../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../../core/disk/tree.ts';
import { Failure } from '../../core/failure.ts';

/** A whole file of the index; undefined if it does not exist. */
export function readIndexFile(tree: FileTree, file: string): Uint8Array | undefined {
  const read = tryRead(tree, file, Number.POSITIVE_INFINITY);
  if (!(read instanceof FileTrouble)) return read.bytes;
  if (['missing', 'not-a-folder', 'not-a-regular-file', 'too-many-links'].includes(read.reason)) return undefined;
  throw new Failure('UNREADABLE', 'Cannot read the search index.', { path: file, cause: read });
}
