/**
 * Fetches one commit into a temporary bare repository and reads it there. Nothing is checked out, so hooks, filters, LFS, line
 * endings, links and case-insensitive disks have no effect. The user's proxies, keys and credential helpers work as usual,
 * but prompts are disabled.
 */
import { LIMITS } from '../core/limits.ts';
import { failing } from './git-failures.ts';
import { type GitOptions, GitRepository, REMOTE } from './git-repository.ts';
import { type GitSource, isCommit, splitPage } from './source.ts';
import type { SourceTree } from './source-tree.ts';

export interface FetchedSource {
  ref: string | null;
  commit: string | null;
  /** Requested path below the tree. */
  path: string;
  tree: SourceTree;
  /** Removes the fetched files. */
  close(): void;
}

/** Lists the candidate refs of a source: full name to commit. */
export async function listRefs(source: GitSource, options: GitOptions): Promise<Map<string, string>> {
  const isAll = source.refAndPath !== undefined;
  const names = isAll
    ? []
    : source.ref === null
      ? ['HEAD']
      : [source.ref, `refs/heads/${source.ref}`, `refs/tags/${source.ref}`, `refs/tags/${source.ref}^{}`];
  return failing(source, async () => {
    const git = await new GitRepository(source, options).prepare();
    const args = [...git.remote(), 'ls-remote', '--quiet', ...(isAll ? ['--heads', '--tags'] : []), REMOTE, ...names];
    const listed = await git.output(args, LIMITS.refListBytes.value);
    const lines = listed.toString('utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]));
  });
}

/** Fetches the trees of one commit. Files are fetched on demand when they are read. */
export async function fetchGit(source: GitSource, options: GitOptions): Promise<FetchedSource> {
  const { ref, path: below } = await placeIn(source, options);
  const { refAndPath: _, ...placed } = source;
  return failing({ ...placed, ref, path: below, isPage: source.refAndPath !== undefined }, async () => {
    const git = await new GitRepository(source, options).prepare();
    try {
      await git.create();
      const commit = await git.fetchCommit(ref);
      return { ref, commit, path: below, tree: await git.readTree(commit), close: () => git.remove() };
    } catch (error) {
      git.remove();
      throw error;
    }
  });
}

async function placeIn(source: GitSource, options: GitOptions): Promise<{ ref: string | null; path: string }> {
  const { refAndPath } = source;
  if (refAndPath === undefined) return source;
  const parts = refAndPath.split('/');
  if (isCommit(parts[0] ?? null)) return splitPage(source, 1);
  const refs = await listRefs(source, options);
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('/');
    if (refs.has(`refs/heads/${name}`) || refs.has(`refs/tags/${name}`)) return splitPage(source, length);
  }
  return splitPage(source, 1);
}
