import { applicationData, bearerHeader, type Client, fileIn, LENIENT_JSON } from './client.ts';

/** VS Code reads `.vscode/mcp.json` and the `mcp.json` of the user's default profile; both are JSON with comments. */
export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  basis: 'documented',
  source: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
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
