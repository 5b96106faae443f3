import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/all.ts';
import type { Server, ConfigContext } from '../../src/clients/client.ts';
import { launchServer } from '../../src/clients/launch.ts';
import { CLIENT_NAMES, SCOPES } from '../../src/clients/names.ts';
import { snippetFor } from '../../src/clients/snippet.ts';

const here: ConfigContext = { projectDir: '/p', userDir: '/h', environment: {}, platform: 'linux' };
const stdio: Server = launchServer({ platform: 'linux', flags: [] });
const http: Server = { transport: 'http', url: 'http://127.0.0.1:3000/mcp' };

describe('where a client keeps its configuration', () => {
  test.each([
    ['claude', 'project', ['/p/.mcp.json']],
    ['claude', 'user', ['/h/.claude.json']],
    ['codex', 'project', ['/p/.codex/config.toml']],
    ['codex', 'user', ['/h/.codex/config.toml']],
    ['cursor', 'project', ['/p/.cursor/mcp.json']],
    ['cursor', 'user', ['/h/.cursor/mcp.json']],
    ['vscode', 'project', ['/p/.vscode/mcp.json']],
    ['vscode', 'user', ['/h/.config/Code/User/mcp.json']],
    ['gemini', 'project', ['/p/.gemini/settings.json']],
    ['gemini', 'user', ['/h/.gemini/settings.json']],
    ['zed', 'project', ['/p/.zed/settings.json']],
    ['zed', 'user', ['/h/.config/zed/settings.json']],
    ['opencode', 'project', ['/p/opencode.jsonc', '/p/opencode.json']],
    ['opencode', 'user', ['/h/.config/opencode/opencode.jsonc', '/h/.config/opencode/opencode.json']],
    ['copilot', 'project', ['/p/.mcp.json']],
    ['copilot', 'user', ['/h/.copilot/mcp-config.json']],
  ] as const)('%s, %s', (client, scope, files) => {
    expect(CLIENTS[client].files(scope, here)).toEqual(files);
  });

  test.each([
    ['claude', 'CLAUDE_CONFIG_DIR', '/e/.claude.json'],
    ['codex', 'CODEX_HOME', '/e/config.toml'],
    ['copilot', 'COPILOT_HOME', '/e/mcp-config.json'],
    ['gemini', 'GEMINI_CLI_HOME', '/e/.gemini/settings.json'],
    ['zed', 'XDG_CONFIG_HOME', '/e/zed/settings.json'],
    ['vscode', 'XDG_CONFIG_HOME', '/e/Code/User/mcp.json'],
    ['opencode', 'XDG_CONFIG_HOME', '/e/opencode/opencode.json'],
  ] as const)('%s follows %s, and ignores it when it is not an absolute path', (client, variable, file) => {
    expect(CLIENTS[client].files('user', { ...here, environment: { [variable]: '/e' } })?.at(-1)).toBe(file);
    const relative = CLIENTS[client].files('user', { ...here, environment: { [variable]: 'e' } });
    expect(relative).toEqual(CLIENTS[client].files('user', here));
  });

  test.each([
    ['vscode', 'darwin', '/h/Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'win32', '/a/Code/User/mcp.json'],
    ['zed', 'darwin', '/h/.config/zed/settings.json'],
    ['zed', 'win32', '/a/Zed/settings.json'],
  ] as const)('%s on %s', (client, platform, file) => {
    const environment = { APPDATA: '/a', ...(platform === 'darwin' ? { XDG_CONFIG_HOME: '/x' } : {}) };
    expect(CLIENTS[client].files('user', { ...here, platform, environment })).toEqual([file]);
  });

  test('without a home there is no user scope', () => {
    for (const name of CLIENT_NAMES)
      expect(CLIENTS[name].files('user', { ...here, userDir: undefined })).toBeUndefined();
  });
});

describe.each(CLIENT_NAMES)('the snippet for %s', (name) => {
  const client = CLIENTS[name];
  test.each(SCOPES)('parses in its format and contains the entry, scope %s', (scope) => {
    for (const server of [stdio, http]) {
      const snippet = snippetFor(client, 'lectern', server, scope);
      const { keys, entry } = client.place('lectern', server, undefined, scope);
      const document: unknown = client.format === 'toml' ? parseToml(snippet) : JSON.parse(snippet);
      const found = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
      expect({ ...(found as object) }).toEqual(entry);
    }
  });

  test('starts the published package, wrapped for Windows', () => {
    const words = (platform: string) =>
      JSON.stringify(client.place('lectern', launchServer({ platform, flags: ['--x'] }), undefined, 'user').entry);
    expect(words('linux').replaceAll(/"args":|[[\]]/gu, '')).toContain('"npx","-y","lectern","mcp","--x"');
    expect(words('win32').replaceAll(/"args":|[[\]]/gu, '')).toContain('"cmd","/c","npx","-y","lectern","mcp","--x"');
  });
});

test('each client gets entries in its own format', () => {
  const entries = Object.fromEntries(
    CLIENT_NAMES.map((name) => [
      name,
      [stdio, http].map((server) => CLIENTS[name].place('lectern', server, undefined, 'user').entry),
    ]),
  );
  const command = { command: 'npx', args: ['-y', 'lectern', 'mcp'] };
  const { url } = http as { url: string };
  expect(entries).toEqual({
    claude: [
      { type: 'stdio', ...command },
      { type: 'http', url },
    ],
    codex: [command, { url }],
    cursor: [command, { url }],
    vscode: [
      { type: 'stdio', ...command },
      { type: 'http', url },
    ],
    gemini: [command, { url, type: 'http' }],
    zed: [command, { url }],
    opencode: [
      { type: 'local', command: ['npx', '-y', 'lectern', 'mcp'], enabled: true },
      { type: 'remote', url, enabled: true },
    ],
    copilot: [
      { type: 'local', ...command, tools: ['*'] },
      { type: 'http', url, tools: ['*'] },
    ],
  });
});

test('opencode: a file in the new format keeps that format', () => {
  const { place } = CLIENTS.opencode;
  expect(place('l', stdio, { mcp: { servers: {} } }, 'user')).toEqual({
    keys: ['mcp', 'servers', 'l'],
    entry: { type: 'local', command: ['npx', '-y', 'lectern', 'mcp'] },
  });
  expect(place('l', stdio, { mcp: { servers: { type: 'local', command: ['x'] } } }, 'user').keys).toEqual(['mcp', 'l']);
});

test('a local installation is started with node', () => {
  expect(launchServer({ platform: 'win32', installation: 'C:\\l\\dist\\cli.js', flags: ['--no-watch'] })).toEqual({
    transport: 'stdio',
    command: 'node',
    args: ['C:\\l\\dist\\cli.js', 'mcp', '--no-watch'],
  });
});
