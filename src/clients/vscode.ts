import path from 'node:path';
import { type Client, fileIn, folder, LENIENT_JSON, type Surroundings } from './client.ts';

/** VS Code reads `.vscode/mcp.json` and the `mcp.json` of the user's default profile; both are JSON with comments. */
export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  format: 'json',
  dialect: LENIENT_JSON,
  scopes: ['project', 'user'],
  files: (scope, surroundings) =>
    scope === 'project'
      ? fileIn(surroundings.projectDir, '.vscode', 'mcp.json')
      : fileIn(applicationData(surroundings), 'Code', 'User', 'mcp.json'),
  place: (name, server) => ({
    keys: ['servers', name],
    entry:
      server.transport === 'http'
        ? { type: 'http', url: server.url }
        : { type: 'stdio', command: server.command, args: server.args },
  }),
  command: (name, server, scope) => {
    if (scope === 'project') return undefined;
    const { transport, ...rest } = server;
    return ['code', '--add-mcp', JSON.stringify({ name, type: transport, ...rest })];
  },
};

function applicationData(surroundings: Surroundings): string | undefined {
  if (surroundings.platform === 'win32') return folder(surroundings, 'APPDATA', 'AppData', 'Roaming');
  if (surroundings.platform !== 'darwin') return folder(surroundings, 'XDG_CONFIG_HOME', '.config');
  return surroundings.userDir === undefined
    ? undefined
    : path.join(surroundings.userDir, 'Library', 'Application Support');
}
