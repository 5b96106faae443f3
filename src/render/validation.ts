import type { Severity } from '../core/diagnostics.ts';
import type { Report, ReportedFinding } from '../core/report.ts';
import { count } from '../core/text.ts';
import { severityMark } from './diagnostics.ts';
import type { Style } from './style.ts';

/** Findings by item, worst first, then the verdict. */
export function renderValidation(report: Report, style: Style): string {
  const findings: [Severity, ReportedFinding][] = [
    ...report.errors.map((finding): [Severity, ReportedFinding] => ['error', finding]),
    ...report.warnings.map((finding): [Severity, ReportedFinding] => ['warning', finding]),
    ...report.info.map((finding): [Severity, ReportedFinding] => ['info', finding]),
  ];
  const byItem = new Map<string, [Severity, ReportedFinding][]>();
  for (const entry of findings) byItem.set(entry[1].item, [...(byItem.get(entry[1].item) ?? []), entry]);
  const blocks = [...byItem].map(([item, entries]) => {
    const judged = report.items.find(({ id }) => id === item);
    // A dangling link or a filter is not an item, so it has no verdict.
    const mark = judged === undefined ? style.yellow('!') : judged.valid ? style.green('✓') : style.red('✗');
    const lines = entries.map(([severity, finding]) => renderFinding(severity, finding, style));
    return `${mark} ${style.bold(style.place(item))}\n${lines.join('\n')}`;
  });
  const counts = [
    count(report.errors.length, 'error'),
    count(report.warnings.length, 'warning'),
    ...(report.info.length > 0 ? [`${report.info.length} info`] : []),
  ].join(', ');
  // Nothing was validated, so nothing was found valid.
  if (report.items.length === 0 && report.valid && blocks.length === 0)
    return `${style.yellow('!')} ${report.summary}\n`;
  const verdict = `${report.valid ? style.green('✓') : style.red('✗')} ${report.summary} ${style.dim(counts)}`;
  return `${[...blocks, verdict].join('\n\n')}\n`;
}

function renderFinding(severity: Severity, finding: ReportedFinding, style: Style): string {
  const place = placeOf(finding, style);
  return [
    `  ${severityMark(severity, style)} ${style.dim(finding.code)} ${style.say(finding.description)}`,
    ...(place === '' ? [] : [`    ${style.dim(place)}`]),
    `    ${style.dim('fix:')} ${style.say(finding.fix)}`,
  ].join('\n');
}

/** If a file did not become an item, the file itself is the heading of its findings. */
function placeOf({ item, file, line }: ReportedFinding, style: Style): string {
  if (item === file) return line === undefined ? '' : `line ${line}`;
  return style.place(file, line);
}
