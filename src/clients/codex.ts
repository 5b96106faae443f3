import { type Client, type Entry, fileIn, folder, LENIENT_JSON, namesVariables } from './client.ts';

/** Codex reads `config.toml` in CODEX_HOME or `~/.codex`, and `.codex/config.toml` in projects that the user trusts. */
export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  basis: 'observed',
  source: 'https://developers.openai.com/codex/mcp',
  format: 'toml',
  dialect: LENIENT_JSON,
  scopes: ['user', 'project'],
  files: (scope, context) =>
    scope === 'project'
      ? fileIn(context.projectDir, '.codex', 'config.toml')
      : fileIn(folder(context, 'CODEX_HOME', '.codex'), 'config.toml'),
  place: (name, server) => ({
    keys: ['mcp_servers', name],
    entry:
      server.transport === 'http'
        ? { url: server.url, ...server.auth }
        : { command: server.command, args: server.args, ...(server.reads ? { env_vars: server.reads } : {}) },
  }),
  bearer: (variable) => ({ [TOKEN_KEY]: variable }),
  command: (name, server, scope) =>
    scope === 'project' || namesVariables(server)
      ? undefined
      : [
          'codex',
          'mcp',
          'add',
          name,
          ...(server.transport === 'http'
            ? ['--url', server.url, ...tokenFlag(server.auth)]
            : ['--', server.command, ...server.args]),
        ],
  note: (scope, name) =>
    [
      ...(scope === 'project' ? ['Codex reads a project’s .codex/config.toml only if the project is trusted.'] : []),
      `Its newer models see tools only after a search. To show these from the start, set direct_only_tool_namespaces = ["${namespaceOf(name)}"] under [features.code_mode].`,
    ].join(' '),
};

const TOKEN_KEY = 'bearer_token_env_var';

function tokenFlag(auth: Entry = {}): string[] {
  const variable = auth[TOKEN_KEY];
  return typeof variable === 'string' ? ['--bearer-token-env-var', variable] : [];
}

/** Returns the namespace that Codex gives to a server's tools. */
function namespaceOf(server: string): string {
  return `mcp__${server.replaceAll(/[^A-Za-z0-9_]/gu, '_')}`;
}
