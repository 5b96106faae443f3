/**
 * Specs and changes judged as OpenSpec judges them: the same file gets the same verdict, plain and strict. Our own findings
 * stand beside as warnings and information and never change a verdict.
 */
import type { Severity } from '../core/diagnostics.ts';
import { compareText, count } from '../core/text.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder } from './change-folder.ts';
import { findOverlaps } from './overlap.ts';
import type { ItemFinding } from './rules/finding.ts';
import type { SpecFile } from './spec-file.ts';
import { validateChange } from './validate-change.ts';
import { validateSpec } from './validate-spec.ts';

export interface JudgedItem {
  type: 'spec' | 'change';
  id: string;
  valid: boolean;
}

export type ReportedFinding = Omit<ItemFinding, 'severity' | 'decides'>;

export interface SpecReport {
  valid: boolean;
  errors: ReportedFinding[];
  warnings: ReportedFinding[];
  info: ReportedFinding[];
  summary: string;
  items: JudgedItem[];
}

export interface Judging {
  strict?: boolean;
}

export function judgeSpecs(specs: readonly SpecFile[], { strict = false }: Judging = {}): SpecReport {
  return reportOf(
    specs.map((spec) => ({ type: 'spec', id: spec.id, findings: validateSpec(spec) })),
    'spec',
    strict,
  );
}

export function judgeChanges(
  catalog: SpecCatalog,
  changes: readonly ChangeFolder[],
  { strict = false }: Judging = {},
): SpecReport {
  const overlaps = changes.some(({ isArchived }) => !isArchived) ? findOverlaps(catalog.changes) : [];
  return reportOf(
    changes.map((change) => ({ type: 'change', id: change.id, findings: validateChange(catalog, change, overlaps) })),
    'change',
    strict,
  );
}

interface Judged {
  type: JudgedItem['type'];
  id: string;
  findings: ItemFinding[];
}

function reportOf(judged: readonly Judged[], noun: string, strict: boolean): SpecReport {
  const items = judged.map(({ type, id, findings }) => ({ type, id, valid: isValid(findings, strict) }));
  const findings = judged.flatMap((item) => [...item.findings].sort(byPlace));
  const of = (severity: Severity): ReportedFinding[] =>
    findings.filter((finding) => finding.severity === severity).map(reported);
  const [errors, warnings, info] = [of('error'), of('warning'), of('info')];
  return { valid: items.every(({ valid }) => valid), errors, warnings, info, summary: summaryOf(items, noun), items };
}

function isValid(findings: readonly ItemFinding[], strict: boolean): boolean {
  return !findings.some(
    ({ decides, severity }) => decides && (severity === 'error' || (strict && severity === 'warning')),
  );
}

function byPlace(a: ItemFinding, b: ItemFinding): number {
  return compareText(a.file, b.file) || a.line - b.line || compareText(a.code, b.code);
}

function reported({ code, item, file, line, section, description, fix }: ItemFinding): ReportedFinding {
  return { code, item, file, line, ...(section === undefined ? {} : { section }), description, fix };
}

function summaryOf(items: readonly JudgedItem[], noun: string): string {
  const invalid = items.filter(({ valid }) => !valid).length;
  if (items.length === 0) return `No ${noun}s to validate.`;
  return invalid === 0
    ? `${count(items.length, noun)} valid.`
    : `${invalid} of ${count(items.length, noun)} not valid.`;
}
