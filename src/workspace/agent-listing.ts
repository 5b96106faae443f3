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
  const onlyWinners = include.length === 0;
  const listed: ListedSkill[] = [];
  for (const skill of catalog.skills) {
    if (onlyWinners && !catalog.isWinner(skill)) continue;
    const entry = nameFor(skill, catalog);
    if (entry) listed.push(entry);
  }
  return listed;
}

/** The name that leads to a skill or to one of its copies; undefined if other skills have taken all its names. */
export function nameFor(skill: Skill, catalog: SkillCatalog): ListedSkill | undefined {
  // Nearly all. A full name has a colon, so nothing else is called like that.
  if (catalog.isAlone(skill) && isPlain(skill)) return { skill, name: skill.name, fullName: fullNameOf(skill) };
  const copies = catalog.copiesOf(skill);
  for (const name of new Set([catalog.displayName(skill), ...[skill, ...copies].map(fullNameOf)])) {
    const found = catalog.find(name);
    if (found.kind === 'found' && copies.includes(found.skill))
      return { skill: found.skill, name, fullName: fullNameOf(found.skill) };
  }
  return undefined;
}

/** Whether the short name is shown, and can only be a name. */
function isPlain({ name, plugin }: Skill): boolean {
  return plugin === undefined && !name.includes(':') && name === name.trim();
}

/** `disable-model-invocation: true`: only a person may start this skill. */
export function isForModels(skill: Pick<Skill, 'frontmatter'>): boolean {
  return skill.frontmatter['disable-model-invocation'] !== true;
}

/** `user-invocable: false`: not for the menus of people. */
export function isForPeople(skill: Skill): boolean {
  return skill.frontmatter['user-invocable'] !== false;
}
