/**
 * A problem in someone's files is a value: collected, never thrown, so that one bad item never hides the good ones.
 * Every kind of problem has a stable code that is defined once, here or in a room's rules, and documented from that definition.
 */
import { compareText } from './text.ts';

export type Severity = 'error' | 'warning' | 'info';

export interface Diagnostic {
  code: string;
  severity: Severity;
  message: string;
  /** What to do about it, as one sentence. */
  fix: string;
  path: string;
  line?: number | undefined;
}

/** The documentation of one code; `docs/diagnostics/<code>.md` is written from it. */
export interface CodeDefinition {
  code: string;
  severity: Severity;
  /** One line for tables. */
  title: string;
  /** Why it matters and what Lectern does about it, in a sentence or two. */
  about: string;
  /** The general fix; a single finding may say it more precisely. */
  fix: string;
}

export interface Finding {
  message: string;
  fix?: string;
  path: string;
  line?: number | undefined;
  severity?: Severity;
}

export interface Code extends CodeDefinition {
  /** Makes a diagnostic of this kind. */
  at(finding: Finding): Diagnostic;
}

export function defineCode(definition: CodeDefinition): Code {
  return { ...definition, at: (finding) => diagnosticOf(definition, finding) };
}

export interface Rule<Subject> extends CodeDefinition {
  check(subject: Subject): Iterable<Finding>;
}

/** Runs every rule over one subject, in the order given. */
export function runRules<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Diagnostic[] {
  return rules.flatMap((rule) => [...rule.check(subject)].map((finding) => diagnosticOf(rule, finding)));
}

function diagnosticOf(definition: CodeDefinition, finding: Finding): Diagnostic {
  return {
    code: definition.code,
    severity: finding.severity ?? definition.severity,
    message: finding.message,
    fix: finding.fix ?? definition.fix,
    path: finding.path,
    ...(finding.line === undefined ? {} : { line: finding.line }),
  };
}

const SEVERITY_ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** Errors first, then by file and line: an order that does not depend on how the files were walked. */
export function sortDiagnostics(diagnostics: Iterable<Diagnostic>): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity] ||
      compareText(a.path, b.path) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compareText(a.code, b.code),
  );
}
