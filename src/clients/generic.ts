import { type Client, PLAIN_JSON } from './client.ts';
import { GENERIC_NAME } from './names.ts';

/** The form that most clients read. It is not specific to a client, so there is no file. */
export const generic: Client = {
  name: GENERIC_NAME,
  title: 'Any MCP client',
  basis: 'documented',
  source: 'https://modelcontextprotocol.io/quickstart/user',
  format: 'json',
  dialect: PLAIN_JSON,
  scopes: ['user'],
  files: () => undefined,
  place: (name, server) => ({
    keys: ['mcpServers', name],
    entry:
      server.transport === 'http'
        ? { type: 'http', url: server.url, ...server.auth }
        : { command: server.command, args: server.args },
  }),
  note: () => 'Most clients read this form. Some use other keys, so compare it with the documentation of the client.',
};
