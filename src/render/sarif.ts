/**
 * Renders SARIF 2.1.0, the format for code scanning. Paths are relative to the root of the repository, because code hosts know
 * files only by those.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ALL_CODES } from '../codes.ts';
import type { Level, Rule } from '../core/diagnostics.ts';
import { LIMITS } from '../core/limits.ts';
import type { ReportedFinding } from '../core/report.ts';
import { count, grouped } from '../core/text.ts';
import { VERSION } from '../core/version.ts';
import type { ScanOutput } from '../operations/scan-skills.ts';
import { type Findings, type HostedBase, placeIn, scanFindings } from './hosted.ts';

const ROOT_ID = '%SRCROOT%';

type SarifLevel = 'error' | 'warning' | 'note';
type Notice = { level: SarifLevel; text: string };

export function renderSarif(report: Findings, base: HostedBase, notices: readonly Notice[] = []): object {
  const levels: [level: SarifLevel, findings: readonly ReportedFinding[]][] = [
    ['error', report.errors],
    ['warning', report.warnings],
    ['note', report.info],
  ];
  const placed = levels.flatMap(([level, findings]) =>
    findings.map((finding) => ({ level, finding, uri: uriIn(base, finding.file) })),
  );
  const inside = placed.filter((each): each is PlacedFinding => each.uri !== undefined);
  const outside = placed.filter(({ uri }) => uri === undefined);
  const all = [
    ...(outside.length > 0
      ? [{ level: 'note' as const, text: outsideText(outside.map(({ finding }) => finding)) }]
      : []),
    ...notices,
  ];
  // The worst findings come first, so they are kept.
  let kept = inside.slice(0, LIMITS.sarifResults.value);
  let document = documentOf(kept, inside.length, base, all);
  while (kept.length > 0 && isTooLarge(document)) {
    kept = kept.slice(0, Math.floor(kept.length * SHRINK));
    document = documentOf(kept, inside.length, base, all);
  }
  return document;
}

interface PlacedFinding {
  level: SarifLevel;
  finding: ReportedFinding;
  uri: string;
}

/** Fraction of the results to keep if the document is too large. */
const SHRINK = 0.8;

/** Code hosts limit the compressed size. Smaller documents are not compressed, because they cannot exceed it. */
function isTooLarge(document: object): boolean {
  const text = JSON.stringify(document);
  const max = LIMITS.sarifBytes.value;
  return Buffer.byteLength(text) > max && gzipSync(text).length > max;
}

function documentOf(
  kept: readonly PlacedFinding[],
  total: number,
  { root }: HostedBase,
  all: readonly Notice[],
): object {
  // `helpUri` must be an absolute URI, which the reference page does not have yet, so `help` names the page.
  const used = new Set(kept.map(({ finding }) => finding.code));
  const rules = ALL_CODES.filter(({ code }) => used.has(code)).map((rule) => ({
    id: rule.code,
    shortDescription: { text: rule.title },
    fullDescription: { text: rule.about },
    help: { text: `${rule.fix} See ${rule.docs}.` },
    ...securityOf(rule),
  }));
  const cut = total - kept.length;
  const tooMany: Notice[] =
    cut > 0
      ? [{ level: 'warning', text: `${count(cut, 'finding')} left out, because code hosts accept no more.` }]
      : [];
  const shown = [...tooMany, ...all].slice(0, LIMITS.sarifNotifications.value);
  const more = tooMany.length + all.length - shown.length;
  if (more > 0) shown.push({ level: 'warning', text: `${grouped(more)} more notifications were left out.` });
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'lectern', version: VERSION, rules } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [ROOT_ID]: { uri: pathToFileURL(path.join(root, path.sep)).href } },
        ...(shown.length === 0
          ? {}
          : {
              invocations: [
                {
                  executionSuccessful: true,
                  toolExecutionNotifications: shown.map(({ level, text }) => ({ level, message: { text } })),
                },
              ],
            }),
        results: kept.map(sarifResult),
      },
    ],
  };
}

/** Returns the path of a file relative to the root, as a URI. Undefined if it is outside. */
function uriIn(base: HostedBase, file: string): string | undefined {
  const parts = placeIn(base, file)?.map(encodeURIComponent);
  return parts && (parts.join('/') || '.');
}

function outsideText(findings: readonly ReportedFinding[]): string {
  const files = new Set(findings.map(({ file }) => file)).size;
  const were = findings.length === 1 ? 'was' : 'were';
  return `${count(findings.length, 'finding')} in ${count(files, 'file')} outside the repository ${were} left out.`;
}

/** Files that could not be scanned become notifications: a document without results must not look like a clean scan. */
export function renderScanSarif(scan: ScanOutput, base: HostedBase): object {
  return renderSarif(
    scanFindings(scan),
    base,
    scan.notScanned.map(({ file, reason }) => {
      const uri = uriIn(base, file);
      return {
        level: 'warning',
        text: `${uri === undefined ? file : decodeURIComponent(uri)} was not scanned: ${reason}`,
      };
    }),
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

function sarifResult({ level, finding, uri }: PlacedFinding): object {
  const { code, line, description, fix, level: danger, category, evidence } = finding;
  return {
    ruleId: code,
    level,
    message: { text: `${/[.!?]$/u.test(description) ? description : `${description}.`} Fix: ${fix}` },
    ...(danger === undefined ? {} : { properties: { severity: danger, category, evidence } }),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri, uriBaseId: ROOT_ID },
          // Code hosts need a line to show a finding.
          region: { startLine: line ?? 1 },
        },
      },
    ],
  };
}
