import type { Diagnostic, Severity } from '../core/diagnostics.ts';
import { count } from '../core/text.ts';
import type { Style } from './style.ts';

export function severityMark(severity: Severity, style: Style): string {
  if (severity === 'error') return style.red('error');
  return severity === 'warning' ? style.yellow('warning') : style.dim('info');
}

export function renderDiagnostic(diagnostic: Diagnostic, style: Style): string {
  const { severity, code, path, line, message, fix } = diagnostic;
  return `${severityMark(severity, style)} ${style.dim(code)} ${style.place(path, line)}\n    ${style.say(message)}\n    ${style.dim('fix:')} ${style.say(fix)}`;
}

/** Returns `3 errors, 2 warnings`; empty if there are none. */
export function problemCounts(diagnostics: readonly Diagnostic[]): string {
  const of = (wanted: Severity): number => diagnostics.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [of('error'), of('warning')];
  return [...(errors > 0 ? [count(errors, 'error')] : []), ...(warnings > 0 ? [count(warnings, 'warning')] : [])].join(
    ', ',
  );
}

/** More lines would push the result off the screen. */
const NOTICES_MAX = 20;

/**
 * Renders one line per diagnostic, for standard error next to a result. The rest is counted, with a pointer to doctor.
 */
export function renderNotices(diagnostics: readonly Diagnostic[], style: Style, unlisted = 0): string {
  const worth = diagnostics.filter(({ severity }) => severity !== 'info');
  const lines = worth.slice(0, NOTICES_MAX).map(({ severity, code, path, line, message }) => {
    return `lectern: ${severityMark(severity, style)} [${code}] ${style.place(path, line)}: ${style.say(message)}`;
  });
  if (worth.length > NOTICES_MAX)
    lines.push(`lectern: and ${problemCounts(worth.slice(NOTICES_MAX))} more; run lectern doctor to see them all`);
  if (unlisted > 0)
    lines.push(
      `lectern: ${count(unlisted, 'error or warning', 'errors and warnings')} about skills that are not listed; run lectern doctor to see them all`,
    );
  return lines.map((line) => `${line}\n`).join('');
}
