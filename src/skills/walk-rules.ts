/** Decides which files in a skills folder count, for Lectern’s catalog and for each agent. */
import { LIMITS } from '../core/limits.ts';

export interface WalkRules {
  /** Maximum number of levels below the folder. A `SKILL.md` directly in it has level 0. */
  readonly deepest: number;
  readonly shallowest: 0 | 1;
  /** Includes folders whose names begin with a dot. */
  readonly hidden: boolean;
  readonly nodeModules: boolean;
  readonly insideSkills: boolean;
  /** Includes a `SKILL.md` that is a link. */
  readonly linkedFiles: boolean;
  /** Excludes skill folders that are links. */
  readonly linkedFolders?: false;
  /** Accepts other spellings, such as `skill.md` and `Skill.md`. */
  readonly anyCase: boolean;
  /** Rules that were not observed: a file that only these exclude may still count. */
  readonly unknown?: readonly WalkAspect[];
}

/** Reasons why a file does not count, in the order in which they are reported. */
export const WALK_ASPECTS = [
  'linkedFiles',
  'linkedFolders',
  'anyCase',
  'shallowest',
  'deepest',
  'insideSkills',
  'nodeModules',
  'hidden',
] as const;
export type WalkAspect = (typeof WALK_ASPECTS)[number];

/** Position of a `SKILL.md` below the folder of skills, and its name. */
export interface Position {
  level: number;
  /** A folder on the way to it has a name that begins with a dot. */
  hidden: boolean;
  nodeModules: boolean;
  insideSkill: boolean;
  linkedFile: boolean;
  /** A folder on the way to it is a link. */
  linkedFolder: boolean;
  /** Named exactly `SKILL.md`. */
  exactName: boolean;
}

/** Limits from the settings. */
export interface WalkLimits {
  depth: number;
  entries: number;
}

/** Returns the rules of the catalog. Roots that were given explicitly have no depth limit, and skills inside skills count. */
export function catalogRules({ explicit }: { explicit: boolean }, { depth }: WalkLimits): WalkRules {
  return {
    deepest: explicit ? LIMITS.walkPeekDepth.value : depth,
    shallowest: 0,
    hidden: true,
    nodeModules: false,
    insideSkills: explicit,
    linkedFiles: true,
    anyCase: true,
  };
}

export function counts(found: Position, rules: WalkRules): boolean {
  return (
    found.level >= rules.shallowest &&
    found.level <= rules.deepest &&
    (rules.hidden || !found.hidden) &&
    (rules.nodeModules || !found.nodeModules) &&
    (rules.insideSkills || !found.insideSkill) &&
    (rules.linkedFiles || !found.linkedFile) &&
    (rules.linkedFolders !== false || !found.linkedFolder) &&
    (rules.anyCase || found.exactName)
  );
}

/** Returns the rules that exclude a file: those that were observed, or the others if there are none. */
export function excludedBy(found: Position, rules: WalkRules): { aspects: WalkAspect[]; isKnown: boolean } {
  const failed: Record<WalkAspect, boolean> = {
    linkedFiles: found.linkedFile && !rules.linkedFiles,
    linkedFolders: found.linkedFolder && rules.linkedFolders === false,
    anyCase: !found.exactName && !rules.anyCase,
    shallowest: found.level < rules.shallowest,
    deepest: found.level > rules.deepest,
    insideSkills: found.insideSkill && !rules.insideSkills,
    nodeModules: found.nodeModules && !rules.nodeModules,
    hidden: found.hidden && !rules.hidden,
  };
  const all = WALK_ASPECTS.filter((aspect) => failed[aspect]);
  const known = all.filter((aspect) => !rules.unknown?.includes(aspect));
  return known.length > 0 ? { aspects: known, isKnown: true } : { aspects: all, isKnown: false };
}

/** Combines rules to include every file that counts for at least one of them. */
export function widest(all: readonly WalkRules[]): WalkRules {
  return {
    deepest: Math.max(...all.map(({ deepest }) => deepest)),
    shallowest: 0,
    hidden: all.some(({ hidden }) => hidden),
    nodeModules: all.some(({ nodeModules }) => nodeModules),
    insideSkills: all.some(({ insideSkills }) => insideSkills),
    linkedFiles: true,
    anyCase: true,
  };
}

/** Whether a walk by one set of rules finds every file that counts for another. */
export function covers(walked: WalkRules, wanted: WalkRules): boolean {
  return (
    walked.deepest >= wanted.deepest &&
    (walked.hidden || !wanted.hidden) &&
    (walked.nodeModules || !wanted.nodeModules) &&
    (walked.insideSkills || !wanted.insideSkills)
  );
}
