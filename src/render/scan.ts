import type { Level } from '../core/diagnostics.ts';
import { count, grouped } from '../core/text.ts';
import { levelCounts } from '../operations/scan-folders.ts';
import type { ScanOutput } from '../operations/scan-skills.ts';
import { safe, type Style } from './style.ts';
import { fit, wrap } from './width.ts';

type Finding = ScanOutput['findings'][number];

const NOT_SCANNED_SHOWN = 10;
/** Minimum width of a useful excerpt. */
const EVIDENCE_COLUMNS_MIN = 24;

/** Renders findings by skill. Low findings and below are only counted unless `verbose` is set. */
export function renderScan(scan: ScanOutput, style: Style, verbose: boolean): string {
  const isShown = ({ severity }: Finding): boolean => verbose || !['low', 'info'].includes(severity);
  const byItem = new Map<string, Finding[]>();
  for (const finding of scan.findings.filter(isShown))
    byItem.set(finding.item, [...(byItem.get(finding.item) ?? []), finding]);
  const blocks = [...byItem].map(([item, findings]) => {
    const lines = findings.map((finding) => renderFinding(finding, style));
    return `${style.bold(style.place(item))}\n${lines.join('\n')}`;
  });
  const hidden = scan.findings.filter((finding) => !isShown(finding)).length;
  const abilities = (scan.capabilities ?? []).map((each) => renderCapabilities(each, style));
  return `${[...abilities, ...blocks, verdict(scan, style, hidden)].join('\n\n')}\n`;
}

const SHOWN_PER_LINE = 8;
const LABELS = [
  ['languages', 'languages'],
  ['programs', 'programs'],
  ['hosts', 'hosts'],
  ['reads', 'reads'],
  ['writes', 'writes'],
  ['packages', 'packages'],
  ['tools', 'tools'],
] as const;

/** Renders the lists of a skill that are not empty. */
function renderCapabilities(each: NonNullable<ScanOutput['capabilities']>[number], style: Style): string {
  const lines = LABELS.flatMap(([key, label]) => {
    const values = each[key];
    if (values.length === 0) return [];
    const more = values.length > SHOWN_PER_LINE ? `, and ${values.length - SHOWN_PER_LINE} more` : '';
    const shown = `${values.slice(0, SHOWN_PER_LINE).map(safe).join(', ')}${more}`;
    return [wrap(`${style.dim(label.padEnd(10))}${shown}`, '  ', style.width)];
  });
  return [style.bold(style.place(each.item)), ...(lines.length > 0 ? lines : ['  only text'])].join('\n');
}

function renderFinding(
  { severity, code, category, file, line, description, evidence, fix }: Finding,
  style: Style,
): string {
  const quoted =
    evidence === undefined || evidence === ''
      ? []
      : [
          `    ${style.dim('│')} ${style.width === undefined ? safe(evidence) : fit(safe(evidence), Math.max(EVIDENCE_COLUMNS_MIN, style.width - 6))}`,
        ];
  return [
    `  ${levelMark(severity, style)} ${style.dim(category === code ? code : `${category}/${code}`)}`,
    `    ${style.place(file, line)}`,
    wrap(style.say(description), '    ', style.width),
    ...quoted,
    wrap(`${style.dim('fix:')} ${style.say(fix)}`, '    ', style.width),
  ].join('\n');
}

function levelMark(level: Level, style: Style): string {
  if (level === 'critical' || level === 'high') return style.red(level);
  return level === 'medium' ? style.yellow(level) : style.dim(level);
}

function verdict(scan: ScanOutput, style: Style, hidden: number): string {
  const { skills, files, bytes } = scan.scanned;
  const mark = scan.failed ? style.red('✗') : scan.partial ? style.yellow('!') : style.green('✓');
  const found =
    scan.findings.length === 0
      ? 'Nothing found'
      : `${count(scan.findings.length, 'finding')}: ${levelCounts(scan.findings.map(({ severity }) => severity))}`;
  const lines = [
    `${mark} ${found} ${style.dim(`(${count(skills, 'skill')}, ${count(files, 'file')}, ${grouped(bytes)} bytes)`)}`,
  ];
  const note = (text: string): void => void lines.push(wrap(style.dim(text), '  ', style.width));
  if (hidden > 0) note(`${count(hidden, 'low finding')} hidden; --verbose shows ${hidden === 1 ? 'it' : 'them'}`);
  if (scan.suppressed > 0) note(`${count(scan.suppressed, 'finding')} in the baseline, not shown`);
  if (scan.baseline !== undefined)
    lines.push(`  ${scan.dryRun ? 'would write' : 'wrote'} ${style.place(scan.baseline)}`);
  if (scan.partial) {
    lines.push(`  ${style.yellow('partial:')} ${count(scan.notScanned.length, 'file')} could not be checked`);
    for (const { file, reason } of scan.notScanned.slice(0, NOT_SCANNED_SHOWN))
      lines.push(wrap(`${style.place(file)}: ${safe(reason)}`, '    ', style.width));
    const more = scan.notScanned.length - NOT_SCANNED_SHOWN;
    if (more > 0) note(`… and ${grouped(more)} more`);
  }
  if (scan.findings.length === 0 && skills > 0) note('This does not prove that a skill is harmless.');
  return lines.join('\n');
}
