import type { diffChange } from '../operations/diff-change.ts';
import type { archiveChange } from '../operations/archive-change.ts';
import type { newChange } from '../operations/new-change.ts';
import type { changeOverlaps } from '../operations/change-overlaps.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, forTerminal } from '../core/text.ts';
import { safe, type Style, verbatim } from './style.ts';

type DiffChangeOutput = AnswerOf<typeof diffChange>;
type ArchiveOutput = AnswerOf<typeof archiveChange>;
type NewChangeOutput = AnswerOf<typeof newChange>;
type OverlapsOutput = AnswerOf<typeof changeOverlaps>;

export function renderDiff(diff: string, style: Style): string {
  const lines = forTerminal(diff.trimEnd())
    .split('\n')
    .map((line) => {
      if (line.startsWith('+++') || line.startsWith('---')) return style.bold(line);
      if (line.startsWith('@@')) return style.cyan(line);
      return line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line;
    });
  return verbatim(lines.join('\n'));
}

const SIGNS = { added: '+ added', modified: '~ modified', removed: '- removed', renamed: '→ renamed' } as const;

export function renderChangeDiff({ change_id, capabilities, nextCursor }: DiffChangeOutput, style: Style): string {
  if (capabilities.length === 0) return `${safe(change_id)} changes no spec.\n`;
  const blocks = capabilities.map(({ capability, is_new, refused, ignored, requirements }) => {
    const head = `${style.bold('Spec')} ${style.cyan(safe(capability))}${is_new ? style.dim(' (new)') : ''}`;
    const trouble = refused === undefined ? [] : [`${style.red('cannot be applied:')} ${safe(refused)}`];
    const parts = requirements.map(({ operation, requirement, to, diff }) => {
      const name = `${SIGNS[operation]} ${style.bold(safe(requirement))}${to === undefined ? '' : ` → ${style.bold(safe(to))}`}`;
      return diff === '' ? `${name} ${style.dim('(no change)')}` : `${name}\n${renderDiff(diff, style)}`;
    });
    return [head, ...trouble, ...ignored.map((heading) => renderIgnored(heading, style)), ...parts].join('\n');
  });
  const next = nextCursor === undefined ? '' : `\n${style.dim(`next page: --cursor ${nextCursor}`)}\n`;
  return `${blocks.join('\n\n')}\n${next}`;
}

/** Renders a heading of a delta that archiving would ignore. */
export function renderIgnored(
  { line, text, reason }: DiffChangeOutput['capabilities'][number]['ignored'][number],
  style: Style,
): string {
  return `${style.yellow('ignored:')} line ${line} "${safe(text)}" ${safe(reason)}`;
}

export function renderArchive(data: ArchiveOutput, style: Style, allowed = false): string {
  const specs = data.specs.map(({ capability, action, counts, notes, diff }) => {
    const numbers = Object.entries(counts).flatMap(([operation, number]) =>
      number > 0 ? [`${number} ${operation}`] : [],
    );
    const head = `${style.bold(safe(capability))} ${action}${numbers.length > 0 ? style.dim(` (${numbers.join(', ')})`) : ''}`;
    const shown = data.dry_run && diff !== '' ? [renderDiff(diff, style)] : [];
    return [head, ...notes.map((note) => `  ${renderNote(note, style)}`), ...shown].join('\n');
  });
  const open = data.task_progress.total - data.task_progress.completed;
  const tasks =
    open > 0
      ? [
          `${style.yellow('!')} ${count(open, 'open task')}${data.dry_run && !allowed ? '; archiving needs --allow-open-tasks' : ''}`,
        ]
      : [];
  const last = data.dry_run
    ? `${style.dim('Nothing was written. The change would move to')} ${style.place(data.path)}`
    : `${style.green('✓')} ${safe(data.change_id)} archived as ${safe(data.archived_as)} ${style.dim(style.place(data.path))}`;
  const notes = data.notes.map((note) => renderNote(note, style));
  return `${[...specs, ...tasks, ...notes, last].join('\n')}\n`;
}

function renderNote(note: string, style: Style): string {
  return `${style.yellow('note:')} ${safe(note)}`;
}

export function renderNewChange(data: NewChangeOutput, style: Style): string {
  const files = data.files.map((file) => `${style.green('✓')} ${style.place(file)}`).join('\n');
  return `${files}\n\n${style.bold('Next')}\n  edit the files, then: ${style.cyan(`lectern change validate ${safe(data.change_id)}`)}\n`;
}

export function renderOverlapReport({ overlaps, compared }: OverlapsOutput, style: Style): string {
  if (overlaps.length === 0)
    return compared
      ? 'These changes touch no common requirement.\n'
      : 'No two active changes touch the same requirement.\n';
  if (compared) return `${compared.map((shared) => renderShared(shared, style)).join('\n\n')}\n`;
  const blocks = overlaps.map(({ capability, requirement, claims, left_out }) => {
    const lines = claims.map(
      ({ change, operation, file, line }) =>
        `  ${style.cyan(safe(change))} ${operation} ${style.dim(style.place(file, line))}`,
    );
    if (left_out !== undefined) lines.push(`  ${style.dim(`and ${count(left_out, 'more change')}`)}`);
    return `${style.bold(safe(requirement))} ${style.dim(`of ${safe(capability)}`)}\n${lines.join('\n')}`;
  });
  return `${blocks.join('\n\n')}\n`;
}

/** Renders a requirement that two changes touch: both versions, and the outcome of each archiving order. */
function renderShared(
  { capability, requirement, versions, orders }: NonNullable<OverlapsOutput['compared']>[number],
  style: Style,
): string {
  const parts = versions.map(({ change, operation, to, summary, diff }) => {
    const renamed = to === undefined ? '' : ` → ${style.bold(safe(to))}`;
    return `${style.cyan(safe(change))} ${SIGNS[operation]}${renamed} ${style.dim(summary)}\n${renderDiff(diff, style)}`;
  });
  const lines = orders.map(({ first, outcome, message }) => {
    const sign = outcome === 'kept' ? style.green('✓') : style.yellow('!');
    return `${sign} If ${safe(first)} is archived first: ${safe(message)}`;
  });
  return [`${style.bold(safe(requirement))} ${style.dim(`of ${safe(capability)}`)}`, ...parts, ...lines].join('\n');
}
