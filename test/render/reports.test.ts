import { describe, expect, test } from 'vitest';
import { renderGithub, renderGitlab, renderJunit } from '../../src/render/reports.ts';

const ROOT = '/repo';
const FINDING = {
  code: 'try-failed',
  severity: 'error' as const,
  message: 'a, b: 100 %\n::set-output name=x::y\u0007',
  fix: 'Fix it.',
  path: '/repo/a,b:c/skills.requests.yaml',
  line: 3,
};

describe('reports for other programs', () => {
  test('text of a file cannot start a second workflow command', () => {
    const text = renderGithub([FINDING, { ...FINDING, severity: 'info' }], ROOT);
    expect(text.trimEnd().split('\n')).toHaveLength(2);
    expect(text).toMatch(
      /^::error file=a%2Cb%3Ac\/skills\.requests\.yaml,line=3,title=lectern%3A try-failed::a, b: 100 %25%0A::/u,
    );
    expect(text).toContain('\n::notice ');
  });

  test('a Code Quality report has a stable fingerprint per finding, a severity and a place', () => {
    const [issue] = JSON.parse(renderGitlab([FINDING], ROOT)) as { fingerprint: string }[];
    const [moved] = JSON.parse(renderGitlab([{ ...FINDING, line: 9 }], ROOT)) as { fingerprint: string }[];
    expect(issue).toMatchObject({
      check_name: 'try-failed',
      severity: 'major',
      location: { path: 'a,b:c/skills.requests.yaml', lines: { begin: 3 } },
    });
    expect(moved?.fingerprint).toBe(issue?.fingerprint);
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
      ROOT,
    );
    expect(text).toContain('<testsuite name="lectern try" tests="2" failures="1" errors="0">');
    expect(text).toContain('name="&lt;a &amp; &quot;b&quot;&gt;\ufffd\ufffd"');
    expect(text).toContain('<system-out>close: &lt;b&gt;</system-out>');
    expect(text).not.toMatch(/[^\t\n\x20-\x7e\ufffd]/u);
  });
});
