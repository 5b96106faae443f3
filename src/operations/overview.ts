import { sortDiagnostics } from '../core/diagnostics.ts';
import { choice, integer, list, object, optional, text } from '../core/fields/field.ts';
import { filterNoMatch } from '../skills/codes.ts';
import { fullNameOf, type Location, LOCATIONS } from '../skills/skill.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { CHANGE_ORDERS } from './change-states.ts';
import { OVERVIEW_DETAILS, overviewDetails } from './overview-details.ts';
import { CHANGE_STATE, DIAGNOSTIC, TASK_PROGRESS } from './shapes.ts';

const ATTENTION_MAX = 5;

export const overview = defineOperation({
  name: 'overview',
  title: 'Overview',
  summary: 'Show the skills and specs found here, their problems and the next steps',
  params: {},
  output: {
    projectDir: text(),
    skills: integer(),
    disabled: integer(),
    shadowed: integer(),
    filteredOut: integer('Skills that do not match the filters'),
    specs: integer(),
    changes: list(
      object({ id: text(), title: text(), state: CHANGE_STATE.state, task_progress: object(TASK_PROGRESS) }),
      'The active changes, those that are ready to archive first',
    ),
    groups: list(
      object({ provider: text(), location: choice(LOCATIONS), package: optional(text()), skills: integer() }),
    ),
    examples: list(text(), 'The names of a few skills to try'),
    connected: integer('MCP clients that Lectern is set up in'),
    errors: integer(),
    warnings: integer(),
    attention: list(object(DIAGNOSTIC), 'The first problems, worst first'),
    ...OVERVIEW_DETAILS,
  },
  reads: 'all',
  settings: ['skills', 'filters', 'specs'],
  collections: true,
  command: { name: '', group: 'Look', examples: [['lectern', 'show an overview of the skills and specs here']] },
  library: 'overview',
  async run(_, workspace: Workspace, { isForPage = false }) {
    const { snapshot } = workspace;
    const catalog = snapshot.view('enabled');
    const groups = new Map<string, { provider: string; location: Location; package?: string; skills: number }>();
    for (const { provider, location, package: inPackage } of catalog.skills) {
      const key = [provider, location, inPackage].join(' ');
      const group = groups.get(key) ?? { provider, location, skills: 0 };
      if (inPackage !== undefined) group.package = inPackage;
      group.skills += 1;
      groups.set(key, group);
    }
    const specs = await snapshot.specs();
    const { describeChange } = await import('../specs/change-state.ts');
    const all = specs.changes.map((change) => describeChange(specs, change)).sort(CHANGE_ORDERS.progress);
    // Changes that can be archived now come first.
    const isReady = ({ state }: (typeof all)[number]): boolean => state === 'ready to archive';
    const changes = [...all.filter(isReady), ...all.filter((change) => !isReady(change))].map(
      ({ id, title, state, task_progress }) => ({ id, title, state, task_progress }),
    );
    // Counting reads the specs, which finds their problems.
    const specCount = specs.specs.length;
    const problems = sortDiagnostics([
      ...snapshot.configDiagnostics,
      ...snapshot.diagnostics({ names: true }),
      ...specs.diagnostics,
    ]).filter(({ severity }) => severity !== 'info');
    const winners = catalog.skills.filter((skill) => catalog.isWinner(skill));
    const disabled = snapshot.view('disabled').skills.length;
    // A misspelled filter may explain everything else, so it is always listed.
    const missed = problems.filter(({ code }) => code === filterNoMatch.code).slice(0, ATTENTION_MAX);
    const others = problems.filter((problem) => !missed.includes(problem)).slice(0, ATTENTION_MAX - missed.length);
    const attention = sortDiagnostics([...missed, ...others]);
    const { clientStates } = await import('../clients/states.ts');
    const clients = clientStates(
      workspace.disk,
      { ...workspace.options, projectRoot: workspace.projectRoot },
      process.platform,
    );
    return {
      projectDir: workspace.options.projectDir,
      skills: catalog.skills.length,
      disabled,
      shadowed: catalog.skills.length - winners.length,
      filteredOut: snapshot.all.skills.length - catalog.skills.length - disabled,
      specs: specCount,
      changes,
      groups: [...groups.values()],
      examples: winners.slice(0, 3).map((skill) => {
        const name = catalog.displayName(skill);
        // A command would parse such a name as a flag.
        return name.startsWith('-') ? fullNameOf(skill) : name;
      }),
      connected: clients.filter(({ state }) => state === 'present' || state === 'unknown').length,
      errors: problems.filter(({ severity }) => severity === 'error').length,
      warnings: problems.filter(({ severity }) => severity === 'warning').length,
      attention,
      ...(isForPage ? await overviewDetails(workspace, attention) : {}),
    };
  },
});
