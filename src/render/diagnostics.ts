import type { Diagnostic, Severity } from '../core/diagnostics.ts';
import { count } from '../core/text.ts';
import { safe, type Style } from './style.ts';

export function severityMark(severity: Severity, style: Style): string {
  if (severity === 'error') return style.red('error');
  return severity === 'warning' ? style.yellow('warning') : style.dim('info');
}

export function renderDiagnostic(diagnostic: Diagnostic, style: Style): string {
  const place = diagnostic.line === undefined ? diagnostic.path : `${diagnostic.path}:${diagnostic.line}`;
  return `${severityMark(diagnostic.severity, style)} ${style.dim(diagnostic.code)} ${safe(place)}\n    ${safe(diagnostic.message)}\n    ${style.dim('fix:')} ${safe(diagnostic.fix)}`;
}

/** `3 errors, 2 warnings`; empty if there are neither. */
export function problemCounts(diagnostics: readonly Diagnostic[]): string {
  const of = (wanted: Severity): number => diagnostics.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [of('error'), of('warning')];
  return [...(errors > 0 ? [count(errors, 'error')] : []), ...(warnings > 0 ? [count(warnings, 'warning')] : [])].join(
    ', ',
  );
}

/** More lines than this push the result off the screen. */
const NOTICES_MAX = 20;

/** One line each, for standard error beside a result. The rest is counted, with a pointer to doctor. */
export function renderNotices(diagnostics: readonly Diagnostic[], style: Style, unlisted = 0): string {
  const worth = diagnostics.filter(({ severity }) => severity !== 'info');
  const lines = worth.slice(0, NOTICES_MAX).map(({ severity, code, path, line, message }) => {
    const place = line === undefined ? path : `${path}:${line}`;
    return `lectern: ${severityMark(severity, style)} [${code}] ${safe(place)}: ${safe(message)}`;
  });
  if (worth.length > NOTICES_MAX)
    lines.push(`lectern: and ${problemCounts(worth.slice(NOTICES_MAX))} more; run lectern doctor to see them all`);
  if (unlisted > 0)
    lines.push(
      `lectern: ${count(unlisted, 'error or warning', 'errors and warnings')} about skills that are not listed; run lectern doctor to see them all`,
    );
  return lines.map((line) => `${line}\n`).join('');
}
