/** Explains why an agent, or Lectern itself, skips a `SKILL.md`. */
import type { FileTree } from '../core/disk/tree.ts';
import { gitIgnoredBelow } from '../skills/gitignore.ts';
import type { FoundFile } from '../skills/walk.ts';
import { counts, excludedBy, type WalkAspect, type WalkRules } from '../skills/walk-rules.ts';
import type { Copy, Survey } from './survey.ts';

export interface NotCounted {
  /** `unknown` if it was not observed whether the reader finds such a file. */
  status: 'not-read' | 'unknown';
  reason: string;
}

/** `reader` is the name of the agent with these rules. */
export function whyNotCounted(reader: string, rules: WalkRules, found: FoundFile): NotCounted {
  const { aspects, isKnown } = excludedBy(found, rules);
  const aspect = aspects[0] ?? 'hidden';
  if (!isKnown) return { status: 'unknown', reason: `whether ${reader} reads ${OPEN_TEXTS[aspect]} was not observed` };
  return { status: 'not-read', reason: reasonFor(aspect, reader, rules, found) };
}

const OPEN_TEXTS: Record<WalkAspect, string> = {
  linkedFiles: 'a SKILL.md that is a link',
  linkedFolders: 'a skill folder that is a link',
  anyCase: 'a file that is not named exactly SKILL.md',
  shallowest: 'a SKILL.md directly in the folder of skills',
  deepest: 'skills more than one level deep',
  insideSkills: 'skills inside skills',
  nodeModules: 'skills in node_modules',
  hidden: 'skills in hidden folders',
};

function reasonFor(aspect: WalkAspect, reader: string, { deepest }: WalkRules, { level }: FoundFile): string {
  switch (aspect) {
    case 'linkedFiles':
      return `${reader} ignores a SKILL.md that is a link`;
    case 'linkedFolders':
      return `${reader} ignores a skill folder that is a link`;
    case 'anyCase':
      return `${reader} reads only files named exactly SKILL.md`;
    case 'shallowest':
      return `${reader} does not read a SKILL.md directly in the folder of skills`;
    case 'deepest':
      return `it is ${level} levels deep, and ${reader} reads ${deepest === 1 ? 'one' : deepest}`;
    case 'insideSkills':
      return `${reader} does not look for skills inside skills`;
    case 'nodeModules':
      return `${reader} skips node_modules`;
    case 'hidden':
      return `${reader} skips hidden folders`;
  }
}

/**
 * Explains why Lectern does not list a copy, although an agent may read it. Undefined if the location is not
 * the reason: Lectern lists the copy, or reports a problem with the file.
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
  if (!counts(found, rules)) return whyNotCounted('Lectern', rules, found).reason;
  if (root.gitRoot === undefined || root.explicit) return undefined;
  const isIgnored = gitIgnoredBelow(tree, root.gitRoot, root.dir)?.(found.dir) === true;
  return isIgnored ? '.gitignore excludes its folder' : undefined;
}
