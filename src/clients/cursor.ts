import { bearerHeader, type Client, fileIn, LENIENT_JSON } from './client.ts';

/** Cursor reads `.cursor/mcp.json` in the project and in the home. The keys of an entry decide its transport. */
export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  basis: 'documented',
  source: 'https://cursor.com/docs/context/mcp',
  format: 'json',
  dialect: LENIENT_JSON,
  scopes: ['project', 'user'],
  files: (scope, { projectDir, userDir }) => fileIn(scope === 'project' ? projectDir : userDir, '.cursor', 'mcp.json'),
  place: (name, server) => ({
    keys: ['mcpServers', name],
    entry:
      server.transport === 'http'
        ? { url: server.url, ...server.auth }
        : { command: server.command, args: server.args },
  }),
  bearer: (variable) => bearerHeader(`\${env:${variable}}`),
  note: () => 'If the server is listed but off, turn it on under MCP in Cursor’s settings.',
};
