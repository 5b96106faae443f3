import { bearerHeader, type Client, fileIn, folder, hasAuth, LENIENT_JSON } from './client.ts';

/**
 * Copilot CLI reads `mcp-config.json` in COPILOT_HOME or `~/.copilot`, and `.mcp.json` in trusted projects. It also
 * supports `.github/mcp.json`, but ignores that file if there is a `.mcp.json`, so an entry there could stop working
 * without notice.
 */
export const copilot: Client = {
  name: 'copilot',
  title: 'Copilot CLI',
  basis: 'documented',
  source: 'https://docs.github.com/en/copilot/how-tos/use-copilot-agents/use-copilot-cli',
  format: 'json',
  dialect: LENIENT_JSON,
  scopes: ['user', 'project'],
  files: (scope, context) =>
    scope === 'project'
      ? fileIn(context.projectDir, '.mcp.json')
      : fileIn(folder(context, 'COPILOT_HOME', '.copilot'), 'mcp-config.json'),
  place: (name, server, _, scope) => ({
    keys: ['mcpServers', name],
    entry: {
      // Claude Code shares the project file and accepts only `stdio`. Copilot CLI accepts both.
      ...(server.transport === 'http'
        ? { type: 'http', url: server.url, ...server.auth }
        : { type: scope === 'project' ? 'stdio' : 'local', command: server.command, args: server.args }),
      ...(scope === 'project' ? {} : { tools: ['*'] }),
    },
  }),
  bearer: (variable) => bearerHeader(`\${${variable}}`),
  command: (name, server, scope) =>
    scope === 'project' || hasAuth(server)
      ? undefined
      : [
          'copilot',
          'mcp',
          'add',
          ...(server.transport === 'http'
            ? ['--transport', 'http', name, server.url]
            : [name, '--', server.command, ...server.args]),
        ],
  note: (scope) => (scope === 'project' ? 'Copilot CLI reads .mcp.json only in trusted folders.' : undefined),
};
