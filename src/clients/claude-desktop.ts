import { applicationData, type Client, fileIn, PLAIN_JSON } from './client.ts';

/**
 * Claude Desktop reads `claude_desktop_config.json` in its data folder. The file can only start commands; remote servers
 * are added as connectors in its settings. The documentation names no folder for Linux. This is the usual one for desktop applications.
 */
export const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  basis: 'documented',
  source: 'https://modelcontextprotocol.io/quickstart/user',
  format: 'json',
  dialect: PLAIN_JSON,
  hidesVariables: true,
  startsOnly: true,
  scopes: ['user'],
  files: (scope, context) =>
    scope === 'project' ? undefined : fileIn(applicationData(context), 'Claude', 'claude_desktop_config.json'),
  place: (name, server) => ({
    keys: ['mcpServers', name],
    entry: server.transport === 'http' ? { url: server.url } : { command: server.command, args: server.args },
  }),
  note: () => 'Claude Desktop reads the file when it starts: quit it completely and open it again.',
};
