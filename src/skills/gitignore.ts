import path from 'node:path';
import type { Ignore } from 'ignore';
import { tryRead } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';

/** No real .gitignore is longer. */
const GITIGNORE_MAX_BYTES = 256 * 1024;

/** Whether git ignores a folder below a root. The root itself is never ignored, because it was chosen for skills. */
export interface GitIgnored {
  (dir: string): boolean;
}

/** Undefined if no .gitignore applies, which is the common and the fast case. */
export async function gitIgnoredBelow(tree: FileTree, gitRoot: string, root: string): Promise<GitIgnored | undefined> {
  const layers: { base: string; rules: Ignore }[] = [];
  for (let dir = root; ; dir = path.dirname(dir)) {
    const rules = await readRules(tree, path.join(dir, '.gitignore'));
    if (rules) layers.push({ base: dir, rules });
    if (dir === gitRoot || path.dirname(dir) === dir) break;
  }
  const ignores = ({ base, rules }: { base: string; rules: Ignore }, dir: string): boolean => {
    const relative = path.relative(base, dir).split(path.sep).join('/');
    return relative !== '' && !relative.startsWith('..') && rules.ignores(`${relative}/`);
  };
  // A file that ignores the whole root does not say what to skip inside it.
  const relevant = layers.filter((layer) => !ignores(layer, root));
  return relevant.length === 0 ? undefined : (dir) => relevant.some((layer) => ignores(layer, dir));
}

async function readRules(tree: FileTree, file: string): Promise<Ignore | undefined> {
  const read = tryRead(tree, file, GITIGNORE_MAX_BYTES);
  if (read instanceof FileTrouble) return undefined;
  const { default: ignore } = await import('ignore');
  return ignore().add(Buffer.from(read.bytes).toString('utf8'));
}
