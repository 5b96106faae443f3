import {
  bearerHeader,
  type Client,
  fileIn,
  folder,
  headerWords,
  namesVariables,
  passedOn,
  type Server,
} from './client.ts';

/** Returns the command line of Gemini CLI, and of agents that derive from it, that adds an entry. */
export function addCommand(program: string, name: string, server: Server, scope: string): string[] | undefined {
  if (namesVariables(server)) return undefined;
  const headers = server.transport === 'http' ? headerWords(server.auth).flatMap((word) => ['--header', word]) : [];
  const entry =
    server.transport === 'http'
      ? ['--transport', 'http', ...headers, name, server.url]
      : [name, server.command, '--', ...server.args];
  return [program, 'mcp', 'add', '--scope', scope, ...entry];
}

/**
 * Gemini CLI reads `.gemini/settings.json` in the project and in the home (or below GEMINI_CLI_HOME). It accepts comments but
 * no trailing commas and no byte order mark. A URL needs `type: "http"`; without it Gemini CLI may try the older SSE transport.
 */
export const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  basis: 'observed',
  source: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
  format: 'json',
  dialect: { comments: true, trailingCommas: false },
  refusesMark: true,
  scopes: ['project', 'user'],
  files: (scope, context) =>
    fileIn(scope === 'project' ? context.projectDir : folder(context, 'GEMINI_CLI_HOME'), '.gemini', 'settings.json'),
  place: (name, server) => ({
    keys: ['mcpServers', name],
    entry:
      server.transport === 'http'
        ? { url: server.url, type: 'http', ...server.auth }
        : {
            command: server.command,
            args: server.args,
            // Gemini CLI hides variables whose names look like secrets from servers unless the entry names them.
            ...passedOn('env', server.reads, (variable) => `\${${variable}}`),
          },
  }),
  bearer: (variable) => bearerHeader(`\${${variable}}`),
  command: (...entry) => addCommand('gemini', ...entry),
  note: () => 'Gemini CLI starts servers only in trusted folders.',
};
