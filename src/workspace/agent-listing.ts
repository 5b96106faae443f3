/** Which skills an agent is shown, and by which names it can load them: the same for every tool, resource and prompt. */
import type { SkillCatalog } from '../skills/catalog.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';

export interface ListedSkill {
  skill: Skill;
  /** The name to show: the short one, or the full one if the short one would load another skill or none. */
  name: string;
  fullName: string;
}

/**
 * The skills an agent may use, in the order in which they win. Without include filters only winners are listed; filters
 * may ask for more, but a copy that no name leads to is never shown.
 */
export function listForAgents(catalog: SkillCatalog, include: readonly string[]): readonly ListedSkill[] {
  return beginningForAgents(catalog, include, { most: Infinity, total: undefined }, () => true).first;
}

/** The beginning of a list, and how long the list is. */
export interface Beginning {
  first: readonly ListedSkill[];
  total: number;
}

/**
 * The first so many of the skills that `passes` lets through. A name for each of a hundred thousand would be made for nobody, and if
 * it is known how many there are, the others are not looked at.
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

/** The name that leads to a skill or to one of its copies; undefined if other skills have taken all its names. */
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

/** Whether the short name is shown, and leads to nothing else: nearly always. A full name has a colon. */
function hasPlainName(skill: Skill, catalog: SkillCatalog): boolean {
  const { name, plugin } = skill;
  return plugin === undefined && !name.includes(':') && name === name.trim() && catalog.isAlone(skill);
}

/** `disable-model-invocation: true`: only a person may start this skill. */
export function isForModels(skill: Pick<Skill, 'frontmatter'>): boolean {
  return skill.frontmatter['disable-model-invocation'] !== true;
}

/** `user-invocable: false`: not for the menus of people. */
export function isForPeople(skill: Skill): boolean {
  return skill.frontmatter['user-invocable'] !== false;
}
