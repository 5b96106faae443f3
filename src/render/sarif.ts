import { pathToFileURL } from 'node:url';
import type { CodeDefinition } from '../core/diagnostics.ts';
import { VERSION } from '../core/version.ts';
import type { Finding, ValidationReport } from '../operations/schemas.ts';

/** SARIF 2.1.0, the form in which code hosts take findings. Only rules that were met are described. */
export function renderSarif(report: ValidationReport, codes: readonly CodeDefinition[]): object {
  const levels: [level: 'error' | 'warning' | 'note', findings: readonly Finding[]][] = [
    ['error', report.errors],
    ['warning', report.warnings],
    ['note', report.info],
  ];
  const used = new Set(levels.flatMap(([, findings]) => findings.map(({ code }) => code)));
  const rules = codes
    .filter(({ code }) => used.has(code))
    .map(({ code, title, about, fix }) => ({
      id: code,
      shortDescription: { text: title },
      fullDescription: { text: about },
      help: { text: fix },
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

function sarifResult(level: 'error' | 'warning' | 'note', { code, file, line, description, fix }: Finding): object {
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
