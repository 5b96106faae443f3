import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
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
    ['claude-desktop', 'user', ['/h/.config/Claude/claude_desktop_config.json']],
    ['windsurf', 'user', ['/h/.codeium/windsurf/mcp_config.json']],
    ['kiro', 'project', ['/p/.kiro/settings/mcp.json']],
    ['kiro', 'user', ['/h/.kiro/settings/mcp.json']],
    ['goose', 'user', ['/h/.config/goose/config.yaml']],
    ['amp', 'project', ['/p/.amp/settings.json']],
    ['amp', 'user', ['/h/.config/amp/settings.json']],
    ['qwen', 'project', ['/p/.qwen/settings.json']],
    ['qwen', 'user', ['/h/.qwen/settings.json']],
    ['kilo', 'project', ['/p/kilo.jsonc', '/p/kilo.json', '/p/.kilo/kilo.jsonc', '/p/.kilo/kilo.json']],
    ['kilo', 'user', ['/h/.config/kilo/kilo.jsonc', '/h/.config/kilo/kilo.json']],
    ['cline', 'user', ['/h/.cline/data/settings/cline_mcp_settings.json']],
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
    ['claude-desktop', 'XDG_CONFIG_HOME', '/e/Claude/claude_desktop_config.json'],
    ['cline', 'CLINE_MCP_SETTINGS_PATH', '/e'],
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
    ['claude-desktop', 'darwin', '/h/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'win32', '/a/Claude/claude_desktop_config.json'],
    ['goose', 'darwin', '/h/.config/goose/config.yaml'],
    ['goose', 'win32', '/a/Block/goose/config/config.yaml'],
    ['windsurf', 'win32', '/h/.codeium/windsurf/mcp_config.json'],
  ] as const)('%s on %s', (client, platform, file) => {
    const environment = { APPDATA: '/a', ...(platform === 'darwin' ? { XDG_CONFIG_HOME: '/x' } : {}) };
    expect(CLIENTS[client].files('user', { ...here, platform, environment })).toEqual([file]);
  });

  test('a client without a scope has no file there, and every client has one for the user', () => {
    for (const name of CLIENT_NAMES) {
      expect(CLIENTS[name].scopes).toContain('user');
      const found = SCOPES.filter((scope) => CLIENTS[name].files(scope, here) !== undefined);
      expect(found).toEqual(SCOPES.filter((scope) => CLIENTS[name].scopes.includes(scope)));
    }
  });

  test('every client names the document its format was taken from', () => {
    for (const name of CLIENT_NAMES) expect(CLIENTS[name].source).toMatch(/^https:\/\/\S+$/u);
  });

  test('without a home there is no user scope', () => {
    for (const name of CLIENT_NAMES)
      expect(CLIENTS[name].files('user', { ...here, userDir: undefined })).toBeUndefined();
  });
});

const PARSERS: Record<'json' | 'toml' | 'yaml', (text: string) => unknown> = {
  json: JSON.parse,
  toml: parseToml,
  yaml: parseYaml,
};

describe.each(CLIENT_NAMES)('the snippet for %s', (name) => {
  const client = CLIENTS[name];
  test.each(client.scopes)('parses in its format and contains the entry, scope %s', (scope) => {
    for (const server of [stdio, http]) {
      const snippet = snippetFor(client, 'lectern', server, scope);
      const { keys, entry } = client.place('lectern', server, undefined, scope);
      const document: unknown = PARSERS[client.format](snippet);
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
    'claude-desktop': [command, { url }],
    windsurf: [command, { serverUrl: url }],
    kiro: [command, { url }],
    goose: [
      { name: 'lectern', enabled: true, type: 'stdio', cmd: command.command, args: command.args, timeout: 300 },
      { name: 'lectern', enabled: true, type: 'streamable_http', uri: url, timeout: 300 },
    ],
    amp: [command, { url }],
    qwen: [command, { httpUrl: url }],
    kilo: [
      { type: 'local', command: ['npx', '-y', 'lectern', 'mcp'], enabled: true },
      { type: 'remote', url, enabled: true },
    ],
    cline: [command, { type: 'streamableHttp', url }],
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
