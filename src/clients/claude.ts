import { bearerHeader, type Client, fileIn, folder, headerWords, STRICT_JSON } from './client.ts';

/**
 * Claude Code reads `.mcp.json` in the project and `mcpServers` of `.claude.json` in the home (or in CLAUDE_CONFIG_DIR).
 * Its reader is strict: with a single comment in `.mcp.json` it ignores the whole file.
 */
export const claude: Client = {
  name: 'claude',
  title: 'Claude Code',
  basis: 'observed',
  source: 'https://code.claude.com/docs/en/mcp',
  format: 'json',
  dialect: STRICT_JSON,
  scopes: ['project', 'user'],
  files: (scope, context) =>
    scope === 'project'
      ? fileIn(context.projectDir, '.mcp.json')
      : fileIn(folder(context, 'CLAUDE_CONFIG_DIR'), '.claude.json'),
  place: (name, server) => ({
    keys: ['mcpServers', name],
    entry:
      server.transport === 'http'
        ? { type: 'http', url: server.url, ...server.auth }
        : { type: 'stdio', command: server.command, args: server.args },
  }),
  bearer: (variable) => bearerHeader(`\${${variable}}`),
  command: (name, server, scope) => [
    'claude',
    'mcp',
    'add',
    '--scope',
    scope,
    ...(server.transport === 'http'
      ? // `--header` takes all following words, so headers come last.
        ['--transport', 'http', name, server.url, ...headerWords(server.auth).flatMap((word) => ['--header', word])]
      : [name, '--', server.command, ...server.args]),
  ],
  note: (scope) =>
    scope === 'project'
      ? 'Claude Code asks once before it starts a server from .mcp.json.'
      : 'Claude Code rewrites .claude.json while it runs; close it first, or use claude mcp add.',
};
