import { pathToFileURL } from 'node:url';
import { ALL_CODES } from '../codes.ts';
import type { Level, Rule } from '../core/diagnostics.ts';
import type { Report, ReportedFinding } from '../core/report.ts';
import { VERSION } from '../core/version.ts';
import type { ScanOutput } from '../operations/scan-skills.ts';

/**
 * Renders SARIF 2.1.0, the format for code scanning. It describes only rules with findings. `helpUri` must be an
 * absolute URI, which the reference page does not have yet, so `help` names the page.
 */
export function renderSarif(
  report: Pick<Report, 'errors' | 'warnings' | 'info'>,
  notes: readonly string[] = [],
): object {
  const levels: [level: 'error' | 'warning' | 'note', findings: readonly ReportedFinding[]][] = [
    ['error', report.errors],
    ['warning', report.warnings],
    ['note', report.info],
  ];
  const used = new Set(levels.flatMap(([, findings]) => findings.map(({ code }) => code)));
  const rules = ALL_CODES.filter(({ code }) => used.has(code)).map((rule) => ({
    id: rule.code,
    shortDescription: { text: rule.title },
    fullDescription: { text: rule.about },
    help: { text: `${rule.fix} See ${rule.docs}.` },
    ...securityOf(rule),
  }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'lectern', version: VERSION, rules } },
        columnKind: 'utf16CodeUnits',
        ...(notes.length === 0
          ? {}
          : {
              invocations: [
                {
                  executionSuccessful: true,
                  toolExecutionNotifications: notes.map((text) => ({ level: 'warning', message: { text } })),
                },
              ],
            }),
        results: levels.flatMap(([level, findings]) => findings.map((finding) => sarifResult(level, finding))),
      },
    ],
  };
}

/** Files that could not be scanned become notifications: a document without results must not look like a clean scan. */
export function renderScanSarif({ findings, notScanned }: ScanOutput): object {
  const of = (...levels: Level[]): ReportedFinding[] =>
    findings
      .filter(({ severity }) => levels.includes(severity))
      .map(({ severity, ...finding }) => ({ ...finding, level: severity }));
  return renderSarif(
    { errors: of('critical', 'high'), warnings: of('medium'), info: of('low', 'info') },
    notScanned.map(({ file, reason }) => `${file} was not scanned: ${reason}`),
  );
}

/** Code hosts sort security findings by this number. */
const SCORES: Readonly<Record<Level, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  info: '0.0',
};

function securityOf(rule: Rule & { level?: Level; category?: string }): object {
  if (rule.level === undefined || rule.category === undefined) return {};
  return { properties: { tags: ['security', rule.category], 'security-severity': SCORES[rule.level] } };
}

function sarifResult(
  level: 'error' | 'warning' | 'note',
  { code, file, line, description, fix, level: danger, category, evidence }: ReportedFinding,
): object {
  return {
    ruleId: code,
    level,
    message: { text: `${description} Fix: ${fix}` },
    ...(danger === undefined ? {} : { properties: { severity: danger, category, evidence } }),
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
