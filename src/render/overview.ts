import { quoteForBash } from '../clients/shell-quote.ts';
import type { overview } from '../operations/overview.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, grouped } from '../core/text.ts';
import { renderDiagnostic } from './diagnostics.ts';
import { groupTitle, inRepository, replaced } from './list.ts';
import { type LeftOut, whyNone } from './no-skills.ts';
import { renderProgress } from './progress.ts';
import { safe, type Style } from './style.ts';
import { padEnd, widthOf } from './width.ts';

type OverviewOutput = AnswerOf<typeof overview>;

export function renderOverview(data: OverviewOutput, style: Style): string {
  const sections = [
    `${style.bold('Lectern:')} ${style.dim('see, check and share the skills and specs your coding agents use')}`,
    renderFound(data, style),
    ...renderSpecs(data, style),
    ...renderAttention(data, style),
    renderNext(data, style),
  ];
  return `${sections.join('\n\n')}\n`;
}

function renderFound(data: OverviewOutput, style: Style): string {
  const why = data.skills === 0 ? whyNone('enabled', leftOutOf(data)) : undefined;
  if (why !== undefined) return why;
  if (data.skills === 0) return 'No skills yet in this project or in your home directory.';
  const inRepo = data.groups.find(({ location }) => location === 'collection')?.skills ?? 0;
  if (inRepo === data.skills) return style.bold(inRepository(inRepo));
  const labels = data.groups.map((group) => safe(groupTitle(group)));
  const columns = Math.max(...labels.map(widthOf));
  const lines = data.groups.flatMap(({ skills, location }, index) =>
    location === 'collection' ? [] : `  ${padEnd(labels[index] ?? '', columns)}  ${style.cyan(grouped(skills))}`,
  );
  const extras = [
    ...(data.shadowed > 0 ? [replaced(data.shadowed)] : []),
    ...(data.disabled > 0 ? [`${grouped(data.disabled)} more disabled`] : []),
  ];
  const more = inRepo > 0 ? `\n${style.bold(inRepository(inRepo))}` : '';
  return `${style.bold(count(data.skills - inRepo, 'skill'))} found ${here(data, style)}${extras.length > 0 ? style.dim(` (${extras.join(', ')})`) : ''}\n${lines.join('\n')}${more}`;
}

function here({ projectDir }: OverviewOutput, style: Style): string {
  const place = style.place(projectDir);
  return place === '.' ? 'here' : `for ${place}`;
}

function leftOutOf({ disabled, filteredOut }: OverviewOutput): LeftOut {
  return { byState: disabled, byFilters: filteredOut };
}

const CHANGES_SHOWN = 5;

function renderSpecs({ specs, changes }: OverviewOutput, style: Style): string[] {
  if (specs === 0 && changes.length === 0) return [];
  const columns = Math.max(0, ...changes.slice(0, CHANGES_SHOWN).map(({ id }) => widthOf(safe(id))));
  const lines = changes
    .slice(0, CHANGES_SHOWN)
    .map(({ id, task_progress }) => `  ${padEnd(safe(id), columns)}  ${renderProgress(task_progress, style)}`);
  if (changes.length > CHANGES_SHOWN)
    lines.push(
      style.dim(`  … and ${grouped(changes.length - CHANGES_SHOWN)} more; lectern change list shows them all`),
    );
  return [
    [`${style.bold(count(specs, 'spec'))}, ${style.bold(count(changes.length, 'active change'))}`, ...lines].join('\n'),
  ];
}

function renderAttention(data: OverviewOutput, style: Style): string[] {
  if (data.attention.length === 0) return [];
  const left = data.errors + data.warnings - data.attention.length;
  const more = left > 0 ? `\n${style.dim(`… and ${grouped(left)} more; lectern doctor shows them all`)}` : '';
  return [
    `${style.bold('Needs attention')}\n${data.attention.map((diagnostic) => renderDiagnostic(diagnostic, style)).join('\n')}${more}`,
  ];
}

/** Returns words of a skill's name, so that the suggested search finds something. */
function wordsOf({ examples }: OverviewOutput): string {
  const words = (examples[1] ?? examples[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.slice(-2).join(' ') || 'release';
}

type Step = [command: string, about: string];

/** Minimum width to show a command's description on the same line. */
const ABOUT_COLUMNS_MIN = 34;

function renderNext(data: OverviewOutput, style: Style): string {
  const [example = 'my-skill'] = data.examples;
  const steps: Step[] =
    data.skills === 0
      ? [
          whyNone('enabled', leftOutOf(data)) === undefined
            ? ['lectern new my-first-skill', 'create a skill']
            : ['lectern list --all', 'every skill, including disabled ones'],
          ...specSteps(data),
          ['lectern setup <client>', 'connect an agent, such as claude or codex'],
          ['lectern doctor', 'see where Lectern looks'],
          ['lectern --help', 'everything else'],
        ]
      : [
          ['lectern list', 'every skill, and which copy wins'],
          [`lectern show ${quoteForBash(safe(example))}`, 'one skill with its files'],
          [`lectern search ${quoteForBash(safe(wordsOf(data)))}`, 'search skills, specs and changes'],
          ...specSteps(data),
          ['lectern validate', 'check the skills of this project'],
          ...(data.connected > 0
            ? []
            : [['lectern setup --all --write', 'connect the agents on this machine'] satisfies Step]),
          ['lectern doctor', 'folders, clients, settings and problems'],
        ];
  const columns = Math.max(...steps.map(([command]) => widthOf(command)));
  const isNarrow = style.width !== undefined && style.width < columns + ABOUT_COLUMNS_MIN;
  const lines = steps.map(([command, about]) =>
    isNarrow
      ? `  ${style.cyan(command)}\n    ${style.dim(about)}`
      : `  ${style.cyan(padEnd(command, columns))}  ${style.dim(about)}`,
  );
  return `${style.bold('Next')}\n${lines.join('\n')}`;
}

function specSteps({ specs, changes: [change] }: OverviewOutput): [command: string, about: string][] {
  return [
    ...(specs > 0 ? [['lectern spec list', 'every spec with its purpose'] satisfies [string, string]] : []),
    ...(change
      ? [
          change.state === 'ready to archive'
            ? ([
                `lectern change archive ${quoteForBash(safe(change.id))}`,
                'archive the finished change',
              ] satisfies Step)
            : ([`lectern change status ${quoteForBash(safe(change.id))}`, 'see the next step'] satisfies Step),
        ]
      : []),
  ];
}
