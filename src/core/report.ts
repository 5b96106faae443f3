/** The result of every validation: of skills, specs or changes, alone or together. */
import { type Diagnostic, isDecisive, sortDiagnostics } from './diagnostics.ts';
import { count } from './text.ts';

type ItemType = 'skill' | 'spec' | 'change';

/** One item with all its findings. */
export interface Judged {
  type: ItemType;
  id: string;
  diagnostics: readonly Diagnostic[];
  /** Set for a file that did not become an item. It counts as one only if it has an error; a dangling link does not. */
  unread?: true;
}

/** A diagnostic with the keys of the public JSON. */
export interface ReportedFinding extends Omit<Diagnostic, 'severity' | 'advice' | 'message' | 'path'> {
  /** The id of the skill, spec or change. */
  item: string;
  file: string;
  description: string;
}

export interface Report {
  /** The verdict under the given flags: with strict, warnings make it false. */
  valid: boolean;
  errors: ReportedFinding[];
  warnings: ReportedFinding[];
  info: ReportedFinding[];
  summary: string;
  items: { type: ItemType; id: string; valid: boolean }[];
}

/** Omit `noun` if there may be items of several types. `others` are findings about no item, which decide no verdict. */
export function reportOf(
  judged: Iterable<Judged>,
  { strict, noun, others = [] }: { strict: boolean; noun?: ItemType; others?: readonly Diagnostic[] },
): Report {
  const found: Record<Diagnostic['severity'], ReportedFinding[]> = { error: [], warning: [], info: [] };
  const items: Report['items'] = [];
  let isValid = true;
  for (const { type, id, diagnostics, unread } of judged) {
    for (const diagnostic of sortDiagnostics(diagnostics)) found[diagnostic.severity].push(reported(diagnostic, id));
    const valid = !diagnostics.some((diagnostic) => isDecisive(diagnostic, strict));
    isValid &&= valid;
    if (!unread || diagnostics.some(({ severity }) => severity === 'error')) items.push({ type, id, valid });
  }
  for (const diagnostic of sortDiagnostics(others))
    found[diagnostic.severity].push(reported(diagnostic, diagnostic.path));
  const { error: errors, warning: warnings, info } = found;
  return { valid: isValid, errors, warnings, info, summary: summaryOf(items, isValid, noun), items };
}

/** Creates an item for each file that did not become one, named by its path. */
export function unreadItems(type: ItemType, diagnostics: readonly Diagnostic[]): Judged[] {
  const byPath = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const group = byPath.get(diagnostic.path);
    if (group) group.push(diagnostic);
    else byPath.set(diagnostic.path, [diagnostic]);
  }
  return [...byPath].map(([id, group]) => ({ type, id, diagnostics: group, unread: true }));
}

function reported(diagnostic: Diagnostic, item: string): ReportedFinding {
  const { code, severity: _severity, message, fix, docs, path, advice: _advice, ...more } = diagnostic;
  return { code, item, file: path, ...more, description: message, fix, docs };
}

function summaryOf(items: Report['items'], isValid: boolean, noun: ItemType | undefined): string {
  const invalid = items.filter(({ valid }) => !valid).length;
  const all = count(items.length, noun ?? 'item');
  if (invalid > 0) return `${invalid} of ${all} not valid.`;
  const none = noun ? `No ${noun}s to validate` : 'Nothing to validate';
  // With strict, a warning about something that is not an item, such as a filter, fails the report too.
  return `${items.length === 0 ? none : `${all} valid`}${isValid ? '.' : ', but there are warnings.'}`;
}
