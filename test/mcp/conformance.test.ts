/** The official conformance suite, against the server as people start it. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { type StartedServer, startServer } from '../support/connect.ts';
import { project } from '../support/project.ts';

const run = promisify(execFile);
const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const ON_THIS_NODE = fileURLToPath(new URL('../support/conformance-on-node-20.mjs', import.meta.url));

/** Checks that need a tool, a prompt or a change made for the suite. A skill server has none, and the suite calls that a failure. */
const NOT_TESTABLE: Readonly<Record<string, readonly string[]>> = {
  'server-stateless': ['ServerRejectsUndeclaredCapability', 'MissingCapabilityHttp400'],
};

const SCENARIOS: readonly (readonly [version: string, scenario: string])[] = [
  ...[
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
  ].map((name) => ['2025-11-25', name] as const),
  ...[
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
  ].map((name) => ['2026-07-28', name] as const),
  ...['sep-2640-skills-enumeration', 'sep-2640-skills-manifest', 'sep-2640-skills-directory'].map(
    (name) => ['2026-07-28', name] as const,
  ),
];

describe('conformance', () => {
  const folder = project(
    {
      'project/.claude/skills/alpha/SKILL.md': skillText({ name: 'alpha' }),
      'project/.claude/skills/alpha/references/guide.md': '# Guide\n',
      'project/.claude/skills/beta/SKILL.md': skillText({ name: 'beta' }),
    },
    'disk',
  );
  let server: StartedServer;
  beforeAll(async () => void (server = await startServer(folder, 'http')));
  afterAll(async () => {
    await server.stop();
    folder[Symbol.dispose]();
  });

  test.concurrent.each(SCENARIOS)('%s %s', async (version, scenario) => {
    const args = [
      '--import',
      ON_THIS_NODE,
      SUITE,
      'server',
      '--url',
      server.url,
      '--scenario',
      scenario,
      '--spec-version',
      version,
      '--force',
    ];
    const { stdout } = await run(process.execPath, args, { cwd: folder.dir }).catch(
      (error: { stdout: string }) => error,
    );
    const [, passed = '0', all = '1'] = /Passed: (\d+)\/(\d+)/u.exec(stdout) ?? [];
    const failed = [...stdout.matchAll(/^ {2}- (\w+): .*\n {4}Error: (.*)$/gmu)].map(([, check = '', reason = '']) => ({
      check,
      reason,
    }));
    for (const { check, reason } of failed)
      expect([check, reason]).toEqual([check, expect.stringMatching(/^Not testable/u)]);
    expect(failed.map(({ check }) => check)).toEqual(expect.arrayContaining([...(NOT_TESTABLE[scenario] ?? [])]));
    expect(Number(passed) + failed.length).toBe(Number(all));
  });
});
