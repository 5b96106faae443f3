import type { SkillCatalog } from '../../skills/catalog.ts';
import type { State } from '../../skills/filter.ts';
import type { Skill } from '../../skills/schema.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ListSkillsOutput } from '../list-skills.ts';
import type { ListedDiagnostics } from '../listed-diagnostics.ts';
import { countAmbiguous, findDuplicates, summarize } from '../skill-summary.ts';

export async function listSkillsNow({ state }: { state: State }, workspace: Workspace): Promise<ListSkillsOutput> {
  const { snapshot } = workspace;
  const catalog = snapshot.view(state);
  const { skills } = catalog;
  const duplicates = await findDuplicates(catalog, workspace);
  const { diagnostics, unlisted } = await diagnosticsOf(workspace, state);
  const disabled = state === 'enabled' ? 0 : skills.filter((skill) => skill.disabled).length;
  const byState = state === 'all' ? 0 : snapshot.view(state === 'enabled' ? 'disabled' : 'enabled').skills.length;
  return {
    skills: skills.map((skill) => summarize(skill, catalog, duplicates.get(skill))),
    diagnostics,
    counts: {
      total: skills.length,
      enabled: skills.length - disabled,
      disabled,
      shadowed: countShadowed(catalog),
      duplicates: duplicates.size,
      ...countAmbiguous(catalog),
      unlistedProblems: unlisted,
      leftOut: { byState, byFilters: snapshot.all.skills.length - skills.length - byState },
      ...tally(skills),
    },
  };
}

function countShadowed(catalog: SkillCatalog): number {
  return catalog.isCrowded ? catalog.skills.filter((skill) => catalog.shadowOf(skill) !== undefined).length : 0;
}

/** How many skills each provider and each location has. Neighbors mostly have the same, and are counted together. */
function tally(skills: readonly Skill[]): { byProvider: Record<string, number>; byLocation: Record<string, number> } {
  const byProvider = new Map<string, number>();
  const byLocation = new Map<string, number>();
  let first = 0;
  for (let at = 1; at <= skills.length; at++) {
    const { provider = '', location = '' } = skills[first] ?? {};
    if (skills[at]?.provider === provider && skills[at]?.location === location) continue;
    byProvider.set(provider, (byProvider.get(provider) ?? 0) + at - first);
    byLocation.set(location, (byLocation.get(location) ?? 0) + at - first);
    first = at;
  }
  return { byProvider: Object.fromEntries(byProvider), byLocation: Object.fromEntries(byLocation) };
}

/** Where nothing is left out, or nothing is wrong, there is nothing to sort out. */
async function diagnosticsOf(workspace: Workspace, state: State): Promise<ListedDiagnostics> {
  const { snapshot } = workspace;
  const { include, exclude } = snapshot.settings;
  const isWhole =
    include.value.length === 0 &&
    exclude.value.length === 0 &&
    snapshot.view(state).skills.length === snapshot.all.skills.length;
  const diagnostics = snapshot.diagnostics({ state });
  if (diagnostics.length === 0 || (isWhole && state !== 'disabled')) return { diagnostics, unlisted: 0 };
  return (await import('../listed-diagnostics.ts')).listedDiagnostics(workspace, state);
}
