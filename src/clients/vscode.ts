import path from 'node:path';
import { bearerHeader, type Client, fileIn, folder, LENIENT_JSON, type ConfigContext } from './client.ts';

/** VS Code reads `.vscode/mcp.json` and the `mcp.json` of the user's default profile; both are JSON with comments. */
export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  format: 'json',
  dialect: LENIENT_JSON,
  scopes: ['project', 'user'],
  files: (scope, context) =>
    scope === 'project'
      ? fileIn(context.projectDir, '.vscode', 'mcp.json')
      : fileIn(applicationData(context), 'Code', 'User', 'mcp.json'),
  place: (name, server) => ({
    keys: ['servers', name],
    entry:
      server.transport === 'http'
        ? { type: 'http', url: server.url, ...server.auth }
        : { type: 'stdio', command: server.command, args: server.args },
  }),
  bearer: (variable) => bearerHeader(`\${env:${variable}}`),
  command: (name, server, scope) => {
    if (scope === 'project') return undefined;
    const { entry } = vscode.place(name, server, undefined, scope);
    return ['code', '--add-mcp', JSON.stringify({ name, ...entry })];
  },
};

function applicationData(context: ConfigContext): string | undefined {
  if (context.platform === 'win32') return folder(context, 'APPDATA', 'AppData', 'Roaming');
  if (context.platform !== 'darwin') return folder(context, 'XDG_CONFIG_HOME', '.config');
  return context.userDir === undefined ? undefined : path.join(context.userDir, 'Library', 'Application Support');
}
