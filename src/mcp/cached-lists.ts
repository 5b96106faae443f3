/** Lists of a server that are cached between runs. */
import type { CachedSkill, ListingEntry } from '../workspace/cached-listing.ts';
import type { Skill } from '../skills/skill.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import { fullNameOf } from '../skills/skill.ts';
import type { ListName } from './changes.ts';
import { addressedSkills, manifestUri } from './skill-uris.ts';
import { isForPeople } from '../workspace/agent-listing.ts';

/** Returns every listed skill, in the order of the catalog. */
export function cachedSkillsOf(snapshot: Snapshot): CachedSkill[] {
  const cached = new Map<Skill, CachedSkill>();
  const entryOf = (skill: Skill): CachedSkill => {
    const { name: title, description, location, provider } = skill;
    const entry = cached.get(skill) ?? { title, description, location, provider };
    cached.set(skill, entry);
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
  return [...cached.values()];
}

/** Returns the cached skills that one list shows. */
export function listed(skills: readonly CachedSkill[], list: ListName): object[] {
  if (list === 'tools') return toolEntries(skills);
  const key = list === 'prompts' ? 'prompt' : 'resource';
  return skills.flatMap(({ title, description, [key]: entry }) => (entry ? [{ title, description, entry }] : []));
}

export function toolEntries(skills: readonly CachedSkill[]): ListingEntry[] {
  return skills.flatMap(({ tool, description, location, provider }) =>
    tool === undefined ? [] : [{ name: tool, description, location, provider }],
  );
}
