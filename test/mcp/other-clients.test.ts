/** The same server through clients of other makers: the first SDK, and the one of the Vercel AI SDK. */
import { createMCPClient } from '@ai-sdk/mcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import { folderFlags, startServer } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { CLI } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';

const FILES = Object.fromEntries(
  Array.from({ length: 120 }, (_, index) => {
    const name = `skill-${String(index).padStart(3, '0')}`;
    return [`project/skills/${name}/SKILL.md`, skillText({ name, description: `Does thing ${index} well.` })];
  }),
);

describe.each(['stdio', 'http', 'sse'] as const)('the first SDK over %s', (way) => {
  test('lists within the budget, pages, loads text, and reads a failure', async () => {
    using folder = project(FILES, 'disk');
    const server = way === 'stdio' ? undefined : await startServer(folder, way);
    const url = new URL(server?.url ?? 'http://127.0.0.1');
    const transport =
      way === 'stdio'
        ? new StdioClientTransport({
            command: process.execPath,
            args: [CLI, 'mcp', ...folderFlags(folder)],
            stderr: 'ignore',
          })
        : way === 'http'
          ? new StreamableHTTPClientTransport(url)
          : new SSEClientTransport(url);
    const client = new Client({ name: 'claude-code', version: '1.0.0' });
    // The optional properties of this SDK are not exact.
    await client.connect(transport as Parameters<Client['connect']>[0]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['skill', 'skills_list', 'skills_search', 'skill_file']);
    expect(tools[0]?.description?.length).toBeLessThanOrEqual(4_000);
    expect(tools[0]?.description).toContain('skill-119');
    const first = await client.callTool({ name: 'skills_list', arguments: {} });
    expect(first.structuredContent).toMatchObject({ total: 120, nextCursor: expect.any(String) });
    const loaded = await client.callTool({ name: 'skill', arguments: { name: '/skill 007/SKILL.md' } });
    expect([loaded.structuredContent, loaded.content]).toMatchObject([
      undefined,
      [{ type: 'text', text: expect.stringMatching(/^Loading: skill-007\n/u) }],
    ]);
    const failed = await client.callTool({ name: 'skill', arguments: { name: 'zzz' } });
    expect(failed).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('Available skills:\n- skill-000') }],
      _meta: { 'lectern/error': { code: 'NOT_FOUND' } },
    });
    await client.close();
    await server?.stop();
  });
});

describe.each(['http', 'sse'] as const)('the Vercel AI SDK over %s', (type) => {
  test('connects, lists the tools and loads a skill', async () => {
    using folder = project(FILES, 'disk');
    const server = await startServer(folder, type);
    const client = await createMCPClient({ transport: { type, url: server.url } });
    const tools = await client.tools();
    expect(Object.keys(tools)).toEqual(['skill', 'skills_list', 'skills_search', 'skill_file']);
    const result = await tools['skill']?.execute({ name: 'skill-007' }, { toolCallId: '1', messages: [] });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: expect.stringMatching(/^Loading: skill-007\n/u) }],
    });
    await client.close();
    await server.stop();
  });
});
