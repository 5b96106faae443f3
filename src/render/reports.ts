/** Findings in the formats of other programs: annotations of GitHub workflows, GitLab's Code Quality, and JUnit's XML. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { isInside } from '../core/inside.ts';
import { oneLine } from '../core/text.ts';
import type { TryOutput } from '../operations/try.ts';

type Found = Pick<Diagnostic, 'code' | 'severity' | 'message' | 'fix' | 'path' | 'line'>;

const GITHUB_COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** One workflow command per finding. Its values are escaped, because a line break would start another command. */
export function renderGithub(findings: readonly Found[], root: string): string {
  return findings
    .map(({ code, severity, message, fix, path: file, line }) => {
      const place = `file=${property(relative(root, file))},line=${line ?? 1},title=${property(`lectern: ${code}`)}`;
      return `::${GITHUB_COMMANDS[severity]} ${place}::${data(`${message}. ${fix}`)}\n`;
    })
    .join('');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

const GITLAB_SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const;

export function renderGitlab(findings: readonly Found[], root: string): string {
  const issues = findings.map(({ code, severity, message, path: file, line }) => {
    const place = relative(root, file);
    return {
      description: oneLine(message),
      check_name: code,
      fingerprint: createHash('sha256')
        .update(JSON.stringify([code, place, message]))
        .digest('hex'),
      severity: GITLAB_SEVERITIES[severity],
      location: { path: place, lines: { begin: line ?? 1 } },
    };
  });
  return `${JSON.stringify(issues, null, 2)}\n`;
}

/** A test case for each saved request and agent. A close call passes with a note. */
export function renderJunit(
  { results, failed, file, diagnostics }: NonNullable<TryOutput['checked']>,
  root: string,
): string {
  const own = diagnostics.filter(({ code, severity }) => severity === 'error' && !code.startsWith('try-'));
  const cases = results.map(({ request, agent, outcome, reason = '', expect, line }) => {
    const head = `    <testcase classname="lectern.try.${xml(agent)}" name="${xml(request)}" file="${xml(relative(root, file))}" line="${line}"`;
    if (outcome === 'pass') return `${head}/>`;
    const body =
      outcome === 'fail'
        ? `<failure message="${xml(`expected ${expect}: ${reason}`)}"/>`
        : `<system-out>${xml(`close: ${reason}`)}</system-out>`;
    return `${head}>${body}</testcase>`;
  });
  const broken = own.map(
    ({ message, line }) =>
      `    <testcase classname="lectern.try" name="${xml(`line ${line ?? 1}`)}"><error message="${xml(message)}"/></testcase>`,
  );
  const counts = `tests="${results.length + own.length}" failures="${failed}" errors="${own.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="lectern try" ${counts}>`,
    ...cases,
    ...broken,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Characters that XML cannot contain, even escaped. */
// oxlint-disable-next-line no-control-regex -- Control characters are what has to go.
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\ud800-\udfff]/gu;

function xml(text: string): string {
  return text
    .replaceAll(NOT_IN_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Code hosts know files by their path in the repository, with forward slashes. */
function relative(root: string, file: string): string {
  return (isInside(root, file) ? path.relative(root, file) : file).replaceAll('\\', '/');
}
