/**
 * A problem in a user's files is a value: collected, never thrown, so that one bad file never hides the good ones.
 * Each kind of problem is defined once, as a rule. The reference page, SARIF, `--json` and the table tests derive from it.
 */
import { compareText } from './text.ts';

export type Severity = 'error' | 'warning' | 'info';

/** How dangerous a security finding is, from the least to the most. */
export const LEVELS = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Level = (typeof LEVELS)[number];

export interface Diagnostic {
  /** Stable: scripts refer to it. Only the wording may change. */
  code: string;
  severity: Severity;
  message: string;
  /** The fix, in one sentence. */
  fix: string;
  /** The section of the reference page that explains the code. */
  docs: string;
  path: string;
  line?: number | undefined;
  /** The part of the file, such as `Purpose` or `Requirements > Login`. */
  section?: string | undefined;
  /** Set for Lectern's own advice: it never makes an item invalid, not even with --strict. */
  advice?: true | undefined;
  /** The next three are for security findings. Critical and high are errors, medium is a warning, the rest is info. */
  level?: Level | undefined;
  category?: string | undefined;
  /** The matching text of the file, verbatim except for masked secrets. */
  evidence?: string | undefined;
}

/** One finding of a rule. The rule adds its code, and its severity and fix if the finding has none. */
export type Finding = Pick<Diagnostic, 'message'> & Partial<Omit<Diagnostic, 'code' | 'docs' | 'advice'>>;

/** A file, or the relevant part of one: the table tests complete it. Several files are given as texts by path. */
export type Example = string | Readonly<Record<string, string>>;

interface RuleDefinition<Subject, Profile extends string> {
  code: string;
  severity: Severity;
  /** One line for tables. */
  title: string;
  /** Why the problem matters and how Lectern handles it, in a sentence or two. */
  about: string;
  /** The general fix. A single finding may give a more precise one. */
  fix: string;
  /**
   * The severity under each profile. A profile that is not listed ignores the rule. Without `profiles`, `severity` always
   * applies.
   */
  profiles?: Readonly<Partial<Record<Profile, Severity>>>;
  /** Set for Lectern's own advice, which must never decide a verdict. */
  advice?: true;
  /** An example that breaks the rule, and one that does not. */
  bad?: Example;
  good?: Example;
  /** Finds the problem. Rules without it belong to a reader, which reports the problem itself with `at`. */
  check?(subject: Subject): Iterable<Finding>;
}

export interface Rule<Subject = never, Profile extends string = string> extends RuleDefinition<Subject, Profile> {
  /** The section of the reference page about this rule. */
  docs: string;
  /** Creates a diagnostic of this kind. */
  at(finding: Finding & { path: string }): Diagnostic;
}

/** Path relative to the package: the page has no URL yet. */
export const DIAGNOSTICS_PAGE = 'docs/reference/diagnostics.md';

export function defineRule<Subject = never, Profile extends string = string>(
  definition: RuleDefinition<Subject, Profile>,
): Rule<Subject, Profile> {
  const docs = `${DIAGNOSTICS_PAGE}#${definition.code}`;
  return {
    ...definition,
    docs,
    at: ({ severity = definition.severity, message, fix = definition.fix, path, line, section, ...security }) => ({
      code: definition.code,
      severity,
      message,
      fix,
      docs,
      path,
      ...(line === undefined ? {} : { line }),
      ...(section === undefined ? {} : { section }),
      ...(definition.advice ? { advice: true } : {}),
      ...security,
    }),
  };
}

/**
 * Runs every rule that has a check over one subject, in the given order. Findings are in `path` unless they set their own path.
 */
export function runRules<Subject, Profile extends string>(
  rules: readonly Rule<Subject, Profile>[],
  subject: Subject,
  { path, profile }: { path: string; profile?: Profile },
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) {
    const severity = rule.profiles && profile ? rule.profiles[profile] : rule.severity;
    if (severity === undefined || !rule.check) continue;
    for (const finding of rule.check(subject)) diagnostics.push(rule.at({ path, severity, ...finding }));
  }
  return diagnostics;
}

/** Whether the diagnostic alone makes its item invalid. */
export function isDecisive({ severity, advice }: Diagnostic, strict = false): boolean {
  return !advice && (severity === 'error' || (strict && severity === 'warning'));
}

const SEVERITY_ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** Sorts errors first, then by file and line, so the order does not depend on how the files were walked. */
export function sortDiagnostics(diagnostics: Iterable<Diagnostic>): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity] ||
      compareText(a.path, b.path) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compareText(a.code, b.code),
  );
}
