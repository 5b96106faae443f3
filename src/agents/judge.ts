/** Checks whether agents would list a file. Covers only agents whose behavior was observed. */
import type { Diagnostic } from '../core/diagnostics.ts';
import { findEntry, tryReadTarget } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, NO_STAMP } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { agentIgnoresFrontmatter, agentRefuses } from './codes.ts';
import type { Profile } from './profile.ts';
import { PROFILES } from './profiles/index.ts';
import { readAs } from './read-as.ts';
import { readFacts } from './read-facts.ts';

export async function judgeAs(agent: string, tree: FileTree, file: string): Promise<Diagnostic[]> {
  const profile = PROFILES.find(({ id, version }) => id === agent && version !== undefined);
  if (!profile) return [];
  const link = findEntry(tree, file)?.kind === 'link' ? linkTo(profile, tree, file) : undefined;
  if (link?.kind === 'ignored')
    return [
      agentRefuses.at({
        path: file,
        message: `${profile.name} does not list it: its SKILL.md is a link`,
        fix: `Replace the link with the file: ${file}`,
      }),
    ];
  // Lectern reports a link that leads nowhere or out of the project.
  if (link?.kind === 'unread') return [];
  const facts = await readFacts(tree, { file, realFile: link?.realFile ?? file, stamp: NO_STAMP }, undefined);
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

/** Decides whether the agent follows a `SKILL.md` that is a link, and whether Lectern may read its target. */
function linkTo(
  { walk }: Profile,
  tree: FileTree,
  file: string,
): { kind: 'ignored' | 'unread'; realFile?: never } | { kind: 'followed'; realFile: string } {
  if (!walk.linkedFiles) return { kind: walk.unknown?.includes('linkedFiles') ? 'unread' : 'ignored' };
  const target = tryReadTarget(tree, file, LIMITS.skillFileBytes.value);
  if (target === undefined || target instanceof FileTrouble) return { kind: 'unread' };
  return { kind: 'followed', realFile: target.realPath };
}
