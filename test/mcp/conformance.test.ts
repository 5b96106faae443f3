/** The official conformance suite, against the server as people start it. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { CONFORMANCE_SUITE, expectConformance } from '../support/conformance.ts';
import { skillText } from '../support/skill-text.ts';
import { type StartedServer, startServer } from '../support/connect.ts';
import { project } from '../support/project.ts';

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

describe.skipIf(CONFORMANCE_SUITE === undefined)('conformance', () => {
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
    await expectConformance(server.url, folder.dir, version, scenario);
  });
});
