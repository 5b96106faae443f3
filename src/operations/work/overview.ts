import { sortDiagnostics } from '../../core/diagnostics.js';
import type { Workspace } from '../../workspace/workspace.js';
import type { OverviewOutput } from '../overview.js';
import { changeIndex } from '../spec-index.js';

const ATTENTION_MAX = 5;

export async function overviewNow(workspace: Workspace): Promise<OverviewOutput> {
  const { snapshot } = workspace;
  const catalog = snapshot.view('enabled');
  const groups = new Map<string, { provider: string; location: string; skills: number }>();
  for (const { provider, location } of catalog.skills) {
    const key = `${provider} ${location}`;
    const group = groups.get(key) ?? { provider, location, skills: 0 };
    group.skills += 1;
    groups.set(key, group);
  }
  const { changes } = await changeIndex(workspace, { archived: false });
  const specs = await snapshot.specs();
  const specCount = specs.specs.length;
  const problems = sortDiagnostics([...snapshot.diagnostics({ names: true }), ...specs.diagnostics]).filter(({ severity }) => severity !== 'info');
  const winners = catalog.skills.filter((skill) => catalog.isWinner(skill));
  return {
    projectDir: workspace.options.projectDir,
    skills: catalog.skills.length,
    disabled: snapshot.view('disabled').skills.length,
    shadowed: catalog.skills.length - winners.length,
    specs: specCount,
    changes,
    groups: [...groups.values()],
    examples: winners.slice(0, 3).map((skill) => catalog.displayName(skill)),
    errors: problems.filter(({ severity }) => severity === 'error').length,
    warnings: problems.filter(({ severity }) => severity === 'warning').length,
    attention: problems.slice(0, ATTENTION_MAX),
  };
}
