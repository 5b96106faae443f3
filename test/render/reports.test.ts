import { describe, expect, test } from 'vitest';
import type { Findings } from '../../src/render/hosted.ts';
import { renderGithub, renderGitlab, renderJunit } from '../../src/render/reports.ts';

const BASE = { root: '/repo', realPath: (file: string) => file };
const FINDING = {
  code: 'try-failed',
  item: 'x',
  description: 'a, b: 100 %\n::set-output name=x::y\u0007',
  fix: 'Fix it.',
  docs: '',
  file: '/repo/a,b:c/skills.requests.yaml',
  line: 3,
};
const report = (found: Partial<Findings>): Findings => ({ errors: [], warnings: [], info: [], ...found });

describe('reports for other programs', () => {
  test('text of a file cannot start a second workflow command', () => {
    const text = renderGithub(report({ errors: [FINDING], info: [FINDING] }), BASE);
    expect(text.trimEnd().split('\n')).toHaveLength(2);
    expect(text).toMatch(
      /^::error file=a%2Cb%3Ac\/skills\.requests\.yaml,line=3,title=lectern%3A try-failed::a, b: 100 %25%0A::/u,
    );
    expect(text).toContain('\n::notice ');
  });

  test('a Code Quality report has a stable fingerprint per finding, a severity and a place', () => {
    const [issue] = JSON.parse(renderGitlab(report({ errors: [FINDING] }), BASE)) as { fingerprint: string }[];
    const [moved] = JSON.parse(renderGitlab(report({ errors: [{ ...FINDING, line: 9 }] }), BASE)) as {
      fingerprint: string;
    }[];
    expect(issue).toMatchObject({
      check_name: 'try-failed',
      severity: 'major',
      location: { path: 'a,b:c/skills.requests.yaml', lines: { begin: 3 } },
    });
    expect(moved?.fingerprint).toBe(issue?.fingerprint);
  });

  test('a file outside the repository is named in the message for GitHub, and left out for GitLab', () => {
    const found = report({ warnings: [{ ...FINDING, file: '/home/me/SKILL.md', description: 'Bad.' }] });
    expect(renderGithub(found, BASE)).toBe('::warning title=lectern%3A try-failed::/home/me/SKILL.md: Bad. Fix it.\n');
    expect(renderGitlab(found, BASE)).toBe('[]\n');
  });

  test('a finding of the scan has the severity of its level in a Code Quality report', () => {
    const found = report({ errors: [{ ...FINDING, level: 'critical' }], info: [{ ...FINDING, level: 'low' }] });
    const severities = (JSON.parse(renderGitlab(found, BASE)) as { severity: string }[]).map(
      ({ severity }) => severity,
    );
    expect(severities).toEqual(['critical', 'info']);
  });

  test('a JUnit report is valid XML whatever the requests contain', () => {
    const result = { request: '<a & "b">\u0000\ud800', line: 2, expect: 'pdf', agent: 'claude', margin: 0 } as const;
    const text = renderJunit(
      {
        file: '/repo/skills.requests.yaml',
        passed: 0,
        close: 1,
        failed: 1,
        results: [
          { ...result, outcome: 'fail', reason: 'x ]]> y' },
          { ...result, outcome: 'close', reason: '<b>' },
        ],
        diagnostics: [],
      },
      BASE,
    );
    expect(text).toContain('<testsuite name="lectern try" tests="2" failures="1" errors="0">');
    expect(text).toContain('name="&lt;a &amp; &quot;b&quot;&gt;\ufffd\ufffd"');
    expect(text).toContain('<system-out>close: &lt;b&gt;</system-out>');
    expect(text).not.toMatch(/[^\t\n\x20-\x7e\ufffd]/u);
  });
});
