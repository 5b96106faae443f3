/** `lectern context --ask-servers` as people run it, with real servers. */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';

const SERVER = fileURLToPath(new URL('../fixtures/mcp-servers/server.mjs', import.meta.url));

test('it counts the tools of the user’s servers, names failures, and never starts servers of the project', async () => {
  using folder = project({ 'project/.git/HEAD': 'ref: refs/heads/main\n', 'marks/x': '', 'theirs/x': '' }, 'disk');
  const entry = (dir: string, ...words: string[]): object => ({
    command: process.execPath,
    args: [SERVER, folder.at(dir), ...words],
    env: { API_KEY: 'a-secret-value' },
  });
  folder.write({
    'home/.claude.json': JSON.stringify({
      mcpServers: {
        good: entry('marks'),
        crash: entry('marks', 'crash'),
        'b\u001b[2Jad': { command: 'lectern-no-such' },
      },
    }),
    'project/.mcp.json': JSON.stringify({ mcpServers: { theirs: entry('theirs') } }),
  });

  const refused = await lectern(folder, ['context', 'claude', '--ask-servers']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(SERVER);
  expect(refused.stderr).toContain('API_KEY=***');
  expect(refused.stderr).toContain('b\\x1b[2Jad: lectern-no-such');
  expect(fs.readdirSync(folder.at('marks'))).toEqual(['x']);

  const words = ['context', 'claude', '--ask-servers', '--yes'];
  const { code, stdout, stderr } = await lectern(folder, [...words, '--json']);
  expect(code).toBe(0);
  const { items, servers } = JSON.parse(stdout) as { items: Record<string, unknown>[]; servers: { name: string }[] };
  expect(servers.map(({ name }) => name)).toEqual(['good', 'crash', 'b\u001b[2Jad']);
  const asked = items.filter(({ kind }) => kind === 'mcp-server');
  expect(asked.map(({ name, status, tools }) => [name, status, tools])).toEqual([
    ['theirs', 'unknown', undefined],
    ['good', 'loaded', 12],
    ['crash', 'unknown', undefined],
    ['b\u001b[2Jad', 'unknown', undefined],
  ]);
  expect(asked[2]?.['reason']).toBe('cannot find the database');
  expect(fs.readdirSync(folder.at('theirs'))).toEqual(['x']);
  for (const text of [refused.stderr, refused.stdout, stdout, stderr]) {
    expect(text).not.toContain('a-secret-value');
    expect(text).not.toContain('\u001b[2J');
  }

  const shown = await lectern(folder, words);
  expect(shown.stdout).toContain('good (12 tools, names only)');
  expect(shown.stdout).not.toContain('\u001b[2J');
});
