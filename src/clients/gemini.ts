import { bearerHeader, type Client, type Entry, fileIn, folder, headerWords, namesVariables } from './client.ts';

/**
 * Gemini CLI reads `.gemini/settings.json` in the project and in the home (or below GEMINI_CLI_HOME). It accepts comments but
 * no trailing commas and no byte order mark. A URL needs `type: "http"`; without it Gemini CLI may try the older SSE transport.
 */
export const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
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
        : { command: server.command, args: server.args, ...environmentOf(server.reads) },
  }),
  bearer: (variable) => bearerHeader(`\${${variable}}`),
  command: (name, server, scope) =>
    namesVariables(server)
      ? undefined
      : [
          'gemini',
          'mcp',
          'add',
          '--scope',
          scope,
          ...(server.transport === 'http'
            ? [
                '--transport',
                'http',
                ...headerWords(server.auth).flatMap((word) => ['--header', word]),
                name,
                server.url,
              ]
            : [name, server.command, '--', ...server.args]),
        ],
  note: () => 'Gemini CLI starts servers only in trusted folders.',
};

/** Gemini CLI hides variables whose names look like secrets from servers unless the entry names them. */
function environmentOf(variables: readonly string[] | undefined): Entry {
  return variables ? { env: Object.fromEntries(variables.map((each) => [each, `\${${each}}`])) } : {};
}
