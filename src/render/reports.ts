/** Findings in the formats of other programs: annotations of GitHub workflows, GitLab's Code Quality, and JUnit's XML. */
import { createHash } from 'node:crypto';
import type { Level } from '../core/diagnostics.ts';
import type { ReportedFinding } from '../core/report.ts';
import { jsonText, oneLine } from '../core/text.ts';
import type { TryOutput } from '../operations/try.ts';
import { type Findings, type HostedBase, placeIn } from './hosted.ts';

interface Placed {
  severity: keyof Findings;
  finding: ReportedFinding;
  /** Undefined for a file outside the repository. */
  place: string | undefined;
}

function placed(report: Findings, base: HostedBase): Placed[] {
  return (['errors', 'warnings', 'info'] as const).flatMap((severity) =>
    report[severity].map((finding) => ({ severity, finding, place: placeIn(base, finding.file)?.join('/') })),
  );
}

const GITHUB_COMMANDS = { errors: 'error', warnings: 'warning', info: 'notice' } as const;

/** One workflow command per finding. Its values are escaped, because a line break would start another command. */
export function renderGithub(report: Findings, base: HostedBase): string {
  return placed(report, base)
    .map(({ severity, finding: { code, description, fix, file, line }, place }) => {
      const at = place === undefined ? '' : `file=${property(place)},line=${line ?? 1},`;
      // GitHub shows no file outside the repository, so the message has to.
      const where = place === undefined ? `${file}: ` : '';
      const text = `${where}${sentence(description)} ${fix}`;
      return `::${GITHUB_COMMANDS[severity]} ${at}title=${property(`lectern: ${code}`)}::${data(text)}\n`;
    })
    .join('');
}

function sentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

const GITLAB_SEVERITIES = { errors: 'major', warnings: 'minor', info: 'info' } as const;
const GITLAB_LEVELS: Readonly<Record<Level, string>> = {
  critical: 'critical',
  high: 'major',
  medium: 'minor',
  low: 'info',
  info: 'info',
};

/** Findings outside the repository are left out, because GitLab refuses a report with them. */
export function renderGitlab(report: Findings, base: HostedBase): string {
  const issues = placed(report, base).flatMap(({ severity, finding, place }) => {
    if (place === undefined) return [];
    const { code, description, line, level } = finding;
    return {
      description: oneLine(description),
      check_name: code,
      fingerprint: createHash('sha256')
        .update(JSON.stringify([code, place, description]))
        .digest('hex'),
      severity: level === undefined ? GITLAB_SEVERITIES[severity] : GITLAB_LEVELS[level],
      location: { path: place, lines: { begin: line ?? 1 } },
    };
  });
  return `${jsonText(issues, 2)}\n`;
}

/** A test case for each saved request and agent. A close call passes with a note. */
export function renderJunit(
  { results, failed, file, diagnostics }: NonNullable<TryOutput['checked']>,
  base: HostedBase,
): string {
  const place = placeIn(base, file)?.join('/') ?? file;
  const own = diagnostics.filter(({ code, severity }) => severity === 'error' && !code.startsWith('try-'));
  const cases = results.map(({ request, agent, outcome, reason = '', expect, line }) => {
    const head = `    <testcase classname="lectern.try.${xml(agent)}" name="${xml(request)}" file="${xml(place)}" line="${line}"`;
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
