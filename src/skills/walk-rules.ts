/** Decides which of the files below a folder of skills count: for the catalog of Lectern, and for each agent. */
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
  /** Accepts other spellings, such as `skill.md` and `Skill.md`. */
  readonly anyCase: boolean;
  /** False if it is unknown which other files the agent finds. */
  readonly known?: false;
}

/** Position of a `SKILL.md` below the folder of skills, and its name. */
export interface Position {
  level: number;
  /** A folder on the way to it has a name that begins with a dot. */
  hidden: boolean;
  nodeModules: boolean;
  insideSkill: boolean;
  linkedFile: boolean;
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
    (rules.anyCase || found.exactName)
  );
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
