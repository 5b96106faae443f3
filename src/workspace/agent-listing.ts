/** Decides which skills an agent sees and which names load them. All tools, resources and prompts use the same list. */
import type { SkillCatalog } from '../skills/catalog.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';

export interface ListedSkill {
  skill: Skill;
  /** The name to show: the short one, or the full one if the short one would load another skill or none. */
  name: string;
  fullName: string;
}

/**
 * Lists the skills an agent may use, in order of precedence. Without include filters, only winners are listed. Filters may add
 * others, but a copy that no name resolves to is never shown.
 */
export function listForAgents(catalog: SkillCatalog, include: readonly string[]): readonly ListedSkill[] {
  return beginningForAgents(catalog, include, { most: Infinity, total: undefined }, () => true).first;
}

/** The beginning of a list, and the length of the whole list. */
export interface Beginning {
  first: readonly ListedSkill[];
  total: number;
}

/**
 * Returns the first `most` skills that `passes` accepts. Names are computed only for these, because a catalog may have a hundred
 * thousand skills. If `total` is known, the remaining skills are skipped.
 */
export function beginningForAgents(
  catalog: SkillCatalog,
  include: readonly string[],
  { most, total }: { most: number; total: number | undefined },
  passes: (skill: Skill) => boolean,
): Beginning {
  const first: ListedSkill[] = [];
  let counted = 0;
  for (const skill of catalog.skills) {
    const isEnough = counted >= most;
    if (isEnough && total !== undefined) return { first, total };
    const isListed = include.length > 0 || catalog.isWinner(skill);
    const entry = isEnough && hasPlainName(skill, catalog) ? { skill } : isListed && nameFor(skill, catalog);
    if (!entry || !passes(entry.skill)) continue;
    counted += 1;
    if ('name' in entry && !isEnough) first.push(entry);
  }
  return { first, total: counted };
}

/** Returns the name that resolves to a skill or to one of its copies, or undefined if other skills have taken all its names. */
export function nameFor(skill: Skill, catalog: SkillCatalog): ListedSkill | undefined {
  if (hasPlainName(skill, catalog)) return { skill, name: skill.name, fullName: fullNameOf(skill) };
  const copies = catalog.copiesOf(skill);
  for (const name of new Set([catalog.displayName(skill), ...[skill, ...copies].map(fullNameOf)])) {
    const found = catalog.find(name);
    if (found.kind === 'found' && copies.includes(found.skill))
      return { skill: found.skill, name, fullName: fullNameOf(found.skill) };
  }
  return undefined;
}

/** Whether the short name is shown and resolves to this skill only, which is nearly always the case. A full name has a colon. */
function hasPlainName(skill: Skill, catalog: SkillCatalog): boolean {
  const { name, plugin } = skill;
  return plugin === undefined && !name.includes(':') && name === name.trim() && catalog.isAlone(skill);
}

/** `disable-model-invocation: true` means that only a person may start this skill. */
export function isForModels(skill: Pick<Skill, 'frontmatter'>): boolean {
  return skill.frontmatter['disable-model-invocation'] !== true;
}

/** `user-invocable: false` hides the skill from the menus of people. */
export function isForPeople(skill: Skill): boolean {
  return skill.frontmatter['user-invocable'] !== false;
}
