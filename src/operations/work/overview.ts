import { sortDiagnostics } from '../../core/diagnostics.ts';
import { filterNoMatch } from '../../skills/codes.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { OverviewOutput } from '../overview.ts';
import { changeIndex } from '../spec-index.ts';

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
  const problems = sortDiagnostics([...snapshot.diagnostics({ names: true }), ...specs.diagnostics]).filter(
    ({ severity }) => severity !== 'info',
  );
  const winners = catalog.skills.filter((skill) => catalog.isWinner(skill));
  const disabled = snapshot.view('disabled').skills.length;
  // A misspelled filter explains all the rest, so it is said however much else there is.
  const missed = problems.filter(({ code }) => code === filterNoMatch.code).slice(0, ATTENTION_MAX);
  const others = problems.filter((problem) => !missed.includes(problem)).slice(0, ATTENTION_MAX - missed.length);
  return {
    projectDir: workspace.options.projectDir,
    skills: catalog.skills.length,
    disabled,
    shadowed: catalog.skills.length - winners.length,
    filteredOut: snapshot.all.skills.length - catalog.skills.length - disabled,
    specs: specCount,
    changes,
    groups: [...groups.values()],
    examples: winners.slice(0, 3).map((skill) => catalog.displayName(skill)),
    errors: problems.filter(({ severity }) => severity === 'error').length,
    warnings: problems.filter(({ severity }) => severity === 'warning').length,
    attention: sortDiagnostics([...missed, ...others]),
  };
}
