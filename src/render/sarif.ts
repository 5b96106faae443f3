import { pathToFileURL } from 'node:url';
import { ALL_CODES } from '../codes.ts';
import type { Report, ReportedFinding } from '../core/report.ts';
import { VERSION } from '../core/version.ts';

/**
 * SARIF 2.1.0, the format that code hosts accept. It describes only the rules with findings. `helpUri` must be an absolute
 * URI, which the reference page does not have yet, so `help` names the page.
 */
export function renderSarif(report: Report): object {
  const levels: [level: 'error' | 'warning' | 'note', findings: readonly ReportedFinding[]][] = [
    ['error', report.errors],
    ['warning', report.warnings],
    ['note', report.info],
  ];
  const used = new Set(levels.flatMap(([, findings]) => findings.map(({ code }) => code)));
  const rules = ALL_CODES.filter(({ code }) => used.has(code)).map(({ code, title, about, fix, docs }) => ({
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: about },
    help: { text: `${fix} See ${docs}.` },
  }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'lectern', version: VERSION, rules } },
        columnKind: 'utf16CodeUnits',
        results: levels.flatMap(([level, findings]) => findings.map((finding) => sarifResult(level, finding))),
      },
    ],
  };
}

function sarifResult(
  level: 'error' | 'warning' | 'note',
  { code, file, line, description, fix }: ReportedFinding,
): object {
  return {
    ruleId: code,
    level,
    message: { text: `${description} Fix: ${fix}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: pathToFileURL(file).href },
          ...(line === undefined ? {} : { region: { startLine: line } }),
        },
      },
    ],
  };
}
