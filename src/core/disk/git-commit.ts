/** Reads the commit of a repository from its files, without starting git. */
import path from 'node:path';
import { tryRead } from './answers.ts';
import { type FileTree, FileTrouble } from './tree.ts';

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
/** `packed-refs` has a line for each branch and tag. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Returns undefined if the commit cannot be read directly: before the first commit, in a second working tree, and outside a
 * repository.
 */
export function findCommit(tree: FileTree, gitRoot: string): string | undefined {
  const read = (...below: string[]): string => {
    const found = tryRead(tree, path.join(gitRoot, '.git', ...below), MAX_BYTES);
    return found instanceof FileTrouble ? '' : Buffer.from(found.bytes).toString('utf8');
  };
  const head = read('HEAD').trim();
  const ref = /^ref: (refs\/[^\s\\]+)$/u.exec(head)?.[1];
  if (ref === undefined) return COMMIT.test(head) ? head : undefined;
  if (ref.split('/').includes('..')) return undefined;
  const loose = read(...ref.split('/')).trim();
  const packed = (): string | undefined =>
    read('packed-refs')
      .split('\n')
      .find((line) => line.endsWith(` ${ref}`))
      ?.slice(0, -ref.length - 1);
  const commit = loose || packed();
  return commit !== undefined && COMMIT.test(commit) ? commit : undefined;
}
