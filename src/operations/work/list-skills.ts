import type { State } from '../../skills/filter.js';
import type { Workspace } from '../../workspace/workspace.js';
import type { ListSkillsOutput } from '../list-skills.js';
import { findDuplicates, summarise } from '../skill-summary.js';

export async function listSkillsNow({ state }: { state: State }, workspace: Workspace): Promise<ListSkillsOutput> {
  const { snapshot } = workspace;
  const catalog = snapshot.view(state);
  const duplicates = await findDuplicates(catalog, workspace);
  const skills = catalog.skills.map((skill) => summarise(skill, catalog, duplicates.size === 0 ? undefined : duplicates.get(skill)));
  const byProvider = new Map<string, number>();
  const byLocation = new Map<string, number>();
  let disabled = 0;
  let shadowed = 0;
  let ambiguous = 0;
  for (const skill of skills) {
    byProvider.set(skill.provider, (byProvider.get(skill.provider) ?? 0) + 1);
    byLocation.set(skill.location, (byLocation.get(skill.location) ?? 0) + 1);
    if (skill.disabled) disabled += 1;
    if (skill.shadowedBy !== undefined) shadowed += 1;
    if (skill.ambiguous) ambiguous += 1;
  }
  return {
    skills,
    diagnostics: snapshot.diagnostics({ state }),
    counts: {
      total: skills.length,
      enabled: skills.length - disabled,
      disabled,
      shadowed,
      duplicates: duplicates.size,
      ambiguous,
      byProvider: Object.fromEntries(byProvider),
      byLocation: Object.fromEntries(byLocation),
    },
  };
}
