/** Checks whether agents would list a file, for agents whose behavior was observed. */
import type { Diagnostic } from '../core/diagnostics.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { agentIgnoresFrontmatter, agentRefuses } from './codes.ts';
import { readFacts } from './file-facts.ts';
import { PROFILES } from './profiles/index.ts';
import { readAs } from './read-as.ts';

export async function judgeAs(agent: string, tree: FileTree, file: string): Promise<Diagnostic[]> {
  const profile = PROFILES.find(({ id, version }) => id === agent && version !== undefined);
  if (!profile) return [];
  const facts = await readFacts(tree, file);
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
