import { bearerHeader, type Client, fileIn, hasAuth, namesVariables, passedOn, PLAIN_JSON } from './client.ts';

/** Amp reads `amp.mcpServers` from `~/.config/amp/settings.json` on every system, and from `.amp/settings.json` in the project. */
export const amp: Client = {
  name: 'amp',
  title: 'Amp',
  basis: 'documented',
  source: 'https://ampcode.com/manual',
  format: 'json',
  dialect: PLAIN_JSON,
  scopes: ['user', 'project'],
  files: (scope, { projectDir, userDir }) =>
    scope === 'project'
      ? fileIn(projectDir, '.amp', 'settings.json')
      : fileIn(userDir, '.config', 'amp', 'settings.json'),
  place: (name, server) => ({
    keys: ['amp.mcpServers', name],
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
  command: (name, server, scope) =>
    hasAuth(server) || namesVariables(server)
      ? undefined
      : [
          'amp',
          'mcp',
          'add',
          ...(scope === 'project' ? ['--workspace'] : []),
          name,
          ...(server.transport === 'http' ? [server.url] : ['--', server.command, ...server.args]),
        ],
};
