import type { Severity } from '../core/diagnostics.ts';
import { count } from '../core/text.ts';
import type { Finding, ValidationReport } from '../operations/schemas.ts';
import { severityMark } from './diagnostics.ts';
import { safe, type Style } from './style.ts';

/** Findings by item, worst first, then the verdict. */
export function renderValidation(report: ValidationReport, style: Style): string {
  const findings: [Severity, Finding][] = [
    ...report.errors.map((finding): [Severity, Finding] => ['error', finding]),
    ...report.warnings.map((finding): [Severity, Finding] => ['warning', finding]),
    ...report.info.map((finding): [Severity, Finding] => ['info', finding]),
  ];
  const byItem = new Map<string, [Severity, Finding][]>();
  for (const entry of findings) byItem.set(entry[1].item, [...(byItem.get(entry[1].item) ?? []), entry]);
  const blocks = [...byItem].map(([item, entries]) => {
    const judged = report.items.find(({ id }) => id === item);
    // A link that leads nowhere, or a filter, is neither valid nor not.
    const mark = judged === undefined ? style.yellow('!') : judged.valid ? style.green('✓') : style.red('✗');
    const lines = entries.map(([severity, finding]) => renderFinding(severity, finding, style));
    return `${mark} ${style.bold(safe(item))}\n${lines.join('\n')}`;
  });
  const counts = [
    count(report.errors.length, 'error'),
    count(report.warnings.length, 'warning'),
    ...(report.info.length > 0 ? [`${report.info.length} info`] : []),
  ].join(', ');
  const verdict = `${report.valid ? style.green('✓') : style.red('✗')} ${report.summary} ${style.dim(counts)}`;
  return `${[...blocks, verdict].join('\n\n')}\n`;
}

function renderFinding(severity: Severity, finding: Finding, style: Style): string {
  const place = placeOf(finding);
  return [
    `  ${severityMark(severity, style)} ${style.dim(finding.code)} ${safe(finding.description)}`,
    ...(place === '' ? [] : [`    ${style.dim(safe(place))}`]),
    `    ${style.dim('fix:')} ${safe(finding.fix)}`,
  ].join('\n');
}

/** A file that never became an item stands above its findings already. */
function placeOf({ item, file, line }: Finding): string {
  if (item === file) return line === undefined ? '' : `line ${line}`;
  return line === undefined ? file : `${file}:${line}`;
}
