import { bearerHeader, type Client, fileIn, passedOn, PLAIN_JSON } from './client.ts';

/** Windsurf reads `~/.codeium/windsurf/mcp_config.json` on every system. It has no file for a project. */
export const windsurf: Client = {
  name: 'windsurf',
  title: 'Windsurf',
  basis: 'documented',
  source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  format: 'json',
  dialect: PLAIN_JSON,
  scopes: ['user'],
  files: (scope, { userDir }) =>
    scope === 'project' ? undefined : fileIn(userDir, '.codeium', 'windsurf', 'mcp_config.json'),
  place: (name, server) => ({
    keys: ['mcpServers', name],
    entry:
      server.transport === 'http'
        ? { serverUrl: server.url, ...server.auth }
        : {
            command: server.command,
            args: server.args,
            ...passedOn('env', server.reads, (variable) => `\${env:${variable}}`),
          },
  }),
  bearer: (variable) => bearerHeader(`\${env:${variable}}`),
  note: () => 'Refresh the servers in Cascade’s MCP panel afterwards.',
};
