/** Explains why a reader of skill folders, an agent or Lectern itself, passes over a `SKILL.md`. */
import type { FileTree } from '../core/disk/tree.ts';
import { gitIgnoredBelow } from '../skills/gitignore.ts';
import type { FoundFile } from '../skills/walk.ts';
import { counts, type WalkRules } from '../skills/walk-rules.ts';
import type { Copy, Survey } from './survey.ts';

/** `reader` is the name of the agent with these rules. */
export function whyNotCounted(reader: string, rules: WalkRules, found: FoundFile): string {
  if (rules.known === false) return `whether ${reader} finds it there is not documented`;
  if (found.linkedFile && !rules.linkedFiles) return `${reader} ignores a SKILL.md that is a link`;
  if (!found.exactName && !rules.anyCase) return `${reader} reads only files named exactly SKILL.md`;
  if (found.level < rules.shallowest) return `${reader} does not read a SKILL.md directly in the folder of skills`;
  if (found.level > rules.deepest)
    return `it is ${found.level} levels deep, and ${reader} reads ${rules.deepest === 1 ? 'one' : rules.deepest}`;
  if (found.insideSkill && !rules.insideSkills) return `${reader} does not look for skills inside skills`;
  if (found.nodeModules && !rules.nodeModules) return `${reader} skips node_modules`;
  return `${reader} skips hidden folders`;
}

/**
 * Explains why Lectern does not list a copy, although an agent may read it. Undefined if its place does not prevent that: Lectern
 * lists the copy, or reports a problem with the file.
 */
export function whyUnlisted(tree: FileTree, { roots }: Survey, { sightings }: Copy): string | undefined {
  let reason: string | undefined;
  for (const { place, found } of sightings) {
    if (place.plugin) return undefined;
    const known = roots.get(place);
    const why = known ? whyLeftOut(tree, known, found) : `Lectern does not search ${place.dir}`;
    if (why === undefined) return undefined;
    reason ??= why;
  }
  return reason;
}

type SurveyedRoot = NonNullable<ReturnType<Survey['roots']['get']>>;

function whyLeftOut(tree: FileTree, { root, rules }: SurveyedRoot, found: FoundFile): string | undefined {
  if (!counts(found, rules)) return whyNotCounted('Lectern', rules, found);
  if (root.gitRoot === undefined || root.explicit) return undefined;
  const isIgnored = gitIgnoredBelow(tree, root.gitRoot, root.dir)?.(found.dir) === true;
  return isIgnored ? '.gitignore excludes its folder' : undefined;
}
