/** Lists of a server that are cached between runs. */
import type { KeptSkill, ListingEntry } from '../workspace/kept-listing.ts';
import type { Skill } from '../skills/skill.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import { fullNameOf } from '../skills/skill.ts';
import type { ListName } from './changes.ts';
import { addressedSkills, manifestUri } from './skill-uris.ts';
import { isForPeople } from '../workspace/agent-listing.ts';

/** Returns every listed skill, in the order of the catalog. */
export function keptSkillsOf(snapshot: Snapshot): KeptSkill[] {
  const kept = new Map<Skill, KeptSkill>();
  const entryOf = (skill: Skill): KeptSkill => {
    const { name: title, description, location, provider } = skill;
    const entry = kept.get(skill) ?? { title, description, location, provider };
    kept.set(skill, entry);
    return entry;
  };
  for (const { name, skill } of snapshot.beginningForModels(Infinity).first) entryOf(skill).tool = name;
  for (const { name, skill } of snapshot.forAgents) {
    if (!isForPeople(skill)) continue;
    const hint = skill.frontmatter['argument-hint'];
    entryOf(skill).prompt = { name, ...(typeof hint === 'string' ? { hint } : {}) };
  }
  for (const { root, skill } of addressedSkills(snapshot).values()) {
    const { size, mtimeMs } = skill.stamp;
    entryOf(skill).resource = { uri: manifestUri(root, skill), title: fullNameOf(skill), size, mtimeMs };
  }
  return [...kept.values()];
}

/** Returns the cached skills that one list shows. */
export function listed(skills: readonly KeptSkill[], list: ListName): object[] {
  if (list === 'tools') return toolEntries(skills);
  const key = list === 'prompts' ? 'prompt' : 'resource';
  return skills.flatMap(({ title, description, [key]: entry }) => (entry ? [{ title, description, entry }] : []));
}

export function toolEntries(skills: readonly KeptSkill[]): ListingEntry[] {
  return skills.flatMap(({ tool, description, location, provider }) =>
    tool === undefined ? [] : [{ name: tool, description, location, provider }],
  );
}
