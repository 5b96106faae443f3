import type { Severity } from '../core/diagnostics.ts';
import type { Report, ReportedFinding } from '../core/report.ts';
import { count } from '../core/text.ts';
import { severityMark } from './diagnostics.ts';
import type { Style } from './style.ts';

/** A report, or a page of one. */
interface Listed extends Report {
  counts?: { errors: number; warnings: number; info: number } | undefined;
  nextCursor?: string | undefined;
}

export interface Shown {
  /** Set if everything was validated. Prints the kind of each item, and little if all items are valid. */
  all?: boolean | undefined;
  quiet?: boolean | undefined;
  severity?: Severity | undefined;
  /** Printed if there was nothing to validate. */
  none?: string | undefined;
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Renders findings by item, worst first, then the verdict. */
export function renderValidation(report: Listed, style: Style, { all, quiet, severity, none }: Shown = {}): string {
  const isShort = all === true && report.valid && severity === undefined && !quiet;
  const worst = quiet ? 'error' : (severity ?? 'info');
  const shown = SEVERITIES.slice(0, SEVERITIES.indexOf(isShort ? 'warning' : worst) + 1);
  const judgedIds = new Set(report.items.map(({ id }) => id));
  const byItem = new Map<string, [Severity, ReportedFinding][]>();
  for (const each of shown)
    for (const finding of { error: report.errors, warning: report.warnings, info: report.info }[each])
      // Findings without an item, such as a filter without a match, are never omitted.
      if (!isShort || !judgedIds.has(finding.item))
        byItem.set(finding.item, [...(byItem.get(finding.item) ?? []), [each, finding]]);
  const blocks = [...byItem].map(([item, entries]) => {
    const judged = report.items.find(({ id }) => id === item);
    // A broken link or a filter is not an item, so it has no verdict.
    const mark = judged === undefined ? style.yellow('!') : judged.valid ? style.green('✓') : style.red('✗');
    const kind = all && judged ? `${judged.type} ` : '';
    const lines = entries.map(([each, finding]) => renderFinding(each, finding, style));
    return `${mark} ${kind}${style.bold(style.place(item))}\n${lines.join('\n')}`;
  });
  if (quiet && report.valid) return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
  // Nothing was validated, so nothing is reported as valid.
  if (report.items.length === 0 && report.valid && blocks.length === 0)
    return `${style.yellow('!')} ${report.summary}\n${none === undefined ? '' : `  ${style.dim(none)}\n`}`;
  const verdict = `${report.valid ? style.green('✓') : style.red('✗')} ${report.summary} ${style.dim(countsOf(report))}`;
  const kinds = all ? `\n  ${style.dim(kindsOf(report))}` : '';
  const printed = [...byItem.values()].reduce((sum, entries) => sum + entries.length, 0);
  const hidden = report.errors.length + report.warnings.length + report.info.length - printed;
  const more = isShort && hidden > 0 ? `\n  ${style.dim('--severity warning or --severity info shows them')}` : '';
  const next = report.nextCursor === undefined ? '' : `\n  ${style.dim(`next page: --cursor ${report.nextCursor}`)}`;
  return `${[...blocks, verdict + kinds + more + next].join('\n\n')}\n`;
}

function countsOf({ errors, warnings, info, counts }: Listed): string {
  const all = counts ?? { errors: errors.length, warnings: warnings.length, info: info.length };
  return [
    count(all.errors, 'error'),
    count(all.warnings, 'warning'),
    ...(all.info > 0 ? [count(all.info, 'note')] : []),
  ].join(', ');
}

/** Returns `7 skills, 3 specs, 2 changes`. */
function kindsOf({ items }: Report): string {
  const of = (wanted: string): number => items.filter(({ type }) => type === wanted).length;
  return ['skill', 'spec', 'change'].flatMap((kind) => (of(kind) > 0 ? [count(of(kind), kind)] : [])).join(', ');
}

function renderFinding(severity: Severity, finding: ReportedFinding, style: Style): string {
  const place = placeOf(finding, style);
  return [
    `  ${severityMark(severity, style)} ${style.dim(finding.code)} ${style.say(finding.description)}`,
    ...(place === '' ? [] : [`    ${style.dim(place)}`]),
    `    ${style.dim('fix:')} ${style.say(finding.fix)}`,
  ].join('\n');
}

/** A file that did not become an item is itself the heading of its findings. */
function placeOf({ item, file, line }: ReportedFinding, style: Style): string {
  if (item === file) return line === undefined ? '' : `line ${line}`;
  return style.place(file, line);
}
