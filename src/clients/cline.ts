import path from 'node:path';
import { type Client, fileIn, PLAIN_JSON } from './client.ts';

/**
 * Cline reads `~/.cline/data/settings/cline_mcp_settings.json`, or the file that CLINE_MCP_SETTINGS_PATH names. Its
 * documentation mentions no references to environment variables in this file.
 */
export const cline: Client = {
  name: 'cline',
  title: 'Cline',
  basis: 'documented',
  source: 'https://docs.cline.bot/mcp/mcp-overview',
  format: 'json',
  dialect: PLAIN_JSON,
  hidesVariables: true,
  scopes: ['user'],
  files: (scope, { userDir, environment }) => {
    if (scope === 'project') return undefined;
    const given = environment['CLINE_MCP_SETTINGS_PATH'];
    if (given !== undefined && path.isAbsolute(given)) return [given];
    return fileIn(userDir, '.cline', 'data', 'settings', 'cline_mcp_settings.json');
  },
  place: (name, server) => ({
    keys: ['mcpServers', name],
    entry:
      server.transport === 'http'
        ? { type: 'streamableHttp', url: server.url, ...server.auth }
        : { command: server.command, args: server.args },
  }),
  note: () =>
    'An extension may keep its own cline_mcp_settings.json: open MCP Servers, Configure, and add the entry there.',
};
