/** How long the list of skills may be depends on who reads it. */
import { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { connect, startServer } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const MANY = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [
    `project/skills/skill-number-${index}/SKILL.md`,
    skillText({ name: `skill-number-${index}`, description: `Does thing ${index} and `.repeat(30) }),
  ]),
);

describe.each(['memory', 'memory, modern'] as const)('over %s', (way) => {
  test.each([
    ['claude-code', 4_000],
    ['codex-mcp-client', 16_000],
    ['opencode', 16_000],
    ['gemini-cli-mcp-client', 16_000],
    ['gemini-cli-mcp-client-lectern', 16_000],
    ['an agent nobody knows', 4_000],
  ])('%s gets a description of up to %i characters', async (client, budget) => {
    await using session = await connect(way, MANY, { client });
    const { length } = await session.description();
    expect(length).toBeLessThanOrEqual(budget);
    expect(length).toBeGreaterThan(budget * 0.9);
  });

  test('--description-budget holds for every client', async () => {
    await using session = await connect(way, MANY, {
      client: 'codex-mcp-client',
      flags: ['--description-budget', '3000'],
    });
    const { length } = await session.description();
    expect(length).toBeLessThanOrEqual(3_000);
  });
});

test('clients of one server get their own lengths', async () => {
  using folder = project(MANY, 'disk');
  const server = await startServer(folder, 'http');
  const lengths = [];
  for (const name of ['claude-code', 'codex-mcp-client', 'claude-code']) {
    const client = new Client({ name, version: '1.0.0' });
    await client.connect(server.transport());
    lengths.push((await client.listTools()).tools.find((tool) => tool.name === 'skill')?.description?.length ?? 0);
    await client.close();
  }
  await server.stop();
  expect(lengths.map((length) => length > 4_000)).toEqual([false, true, false]);
});
