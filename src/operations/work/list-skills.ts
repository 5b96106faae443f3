import type { State } from '../../skills/filter.js';
import type { Workspace } from '../../workspace/workspace.js';
import type { ListSkillsOutput } from '../list-skills.js';
import type { ListedDiagnostics } from '../listed-diagnostics.js';
import { countAmbiguous, findDuplicates, summarise } from '../skill-summary.js';

export async function listSkillsNow({ state }: { state: State }, workspace: Workspace): Promise<ListSkillsOutput> {
  const { snapshot } = workspace;
  const catalog = snapshot.view(state);
  const duplicates = await findDuplicates(catalog, workspace);
  const skills = catalog.skills.map((skill) => summarise(skill, catalog, duplicates.size === 0 ? undefined : duplicates.get(skill)));
  const { diagnostics, unlisted } = await diagnosticsOf(workspace, state);
  const byProvider = new Map<string, number>();
  const byLocation = new Map<string, number>();
  let disabled = 0;
  let shadowed = 0;
  for (const skill of skills) {
    byProvider.set(skill.provider, (byProvider.get(skill.provider) ?? 0) + 1);
    byLocation.set(skill.location, (byLocation.get(skill.location) ?? 0) + 1);
    if (skill.disabled) disabled += 1;
    if (skill.shadowedBy !== undefined) shadowed += 1;
  }
  const byState = state === 'all' ? 0 : snapshot.view(state === 'enabled' ? 'disabled' : 'enabled').skills.length;
  return {
    skills,
    diagnostics,
    counts: {
      total: skills.length,
      enabled: skills.length - disabled,
      disabled,
      shadowed,
      duplicates: duplicates.size,
      ...countAmbiguous(catalog),
      unlistedProblems: unlisted,
      leftOut: { byState, byFilters: snapshot.all.skills.length - skills.length - byState },
      byProvider: Object.fromEntries(byProvider),
      byLocation: Object.fromEntries(byLocation),
    },
  };
}

/** Where nothing is left out, or nothing is wrong, there is nothing to sort out. */
async function diagnosticsOf(workspace: Workspace, state: State): Promise<ListedDiagnostics> {
  const { snapshot } = workspace;
  const { include, exclude } = snapshot.settings;
  const isWhole = include.value.length === 0 && exclude.value.length === 0 && snapshot.view(state).skills.length === snapshot.all.skills.length;
  const diagnostics = snapshot.diagnostics({ state });
  if (diagnostics.length === 0 || (isWhole && state !== 'disabled')) return { diagnostics, unlisted: 0 };
  return (await import('../listed-diagnostics.js')).listedDiagnostics(workspace, state);
}
