import { bearerHeader, type Client, fileIn, passedOn, PLAIN_JSON } from './client.ts';

/** Kiro, the editor and the CLI, reads `.kiro/settings/mcp.json` in the home and in the project. */
export const kiro: Client = {
  name: 'kiro',
  title: 'Kiro',
  basis: 'documented',
  source: 'https://kiro.dev/docs/mcp/configuration',
  format: 'json',
  dialect: PLAIN_JSON,
  scopes: ['user', 'project'],
  files: (scope, { projectDir, userDir }) =>
    fileIn(scope === 'project' ? projectDir : userDir, '.kiro', 'settings', 'mcp.json'),
  place: (name, server) => ({
    keys: ['mcpServers', name],
    entry:
      server.transport === 'http'
        ? { url: server.url, ...server.auth }
        : {
            command: server.command,
            args: server.args,
            ...passedOn('env', server.reads, (variable) => `\${${variable}}`),
          },
  }),
  bearer: (variable) => bearerHeader(`\${${variable}}`),
};
