/** Checks whether agents would list a file. Covers only agents whose behavior was observed. */
import type { Diagnostic } from '../core/diagnostics.ts';
import { type FileTree, NO_STAMP } from '../core/disk/tree.ts';
import { agentIgnoresFrontmatter, agentRefuses } from './codes.ts';
import { PROFILES } from './profiles/index.ts';
import { readAs } from './read-as.ts';
import { readFacts } from './read-facts.ts';

export async function judgeAs(agent: string, tree: FileTree, file: string): Promise<Diagnostic[]> {
  const profile = PROFILES.find(({ id, version }) => id === agent && version !== undefined);
  if (!profile) return [];
  const facts = await readFacts(tree, { file, realFile: file, stamp: NO_STAMP }, undefined);
  const read = readAs(profile.reading, facts, file, undefined);
  if (read.kind === 'broken')
    return [
      agentRefuses.at({ path: file, message: `${profile.name} does not list it: ${read.reason}`, fix: read.fix }),
    ];
  const isIgnored = read.kind === 'listed' && !read.isDescribed && typeof facts.data['description'] === 'string';
  return isIgnored
    ? [
        agentIgnoresFrontmatter.at({
          path: file,
          message: `${profile.name} ignores its frontmatter, and lists “${read.description}”`,
        }),
      ]
    : [];
}
