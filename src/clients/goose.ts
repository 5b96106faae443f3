import { type Client, fileIn, folder, PLAIN_JSON } from './client.ts';

/** goose keeps MCP servers as extensions in its `config.yaml`. It has no file for a project. */
export const goose: Client = {
  name: 'goose',
  title: 'goose',
  basis: 'documented',
  source: 'https://block.github.io/goose/docs/guides/config-files',
  format: 'yaml',
  dialect: PLAIN_JSON,
  scopes: ['user'],
  files: (scope, context) => {
    if (scope === 'project') return undefined;
    return context.platform === 'win32'
      ? fileIn(folder(context, 'APPDATA', 'AppData', 'Roaming'), 'Block', 'goose', 'config', 'config.yaml')
      : fileIn(context.userDir, '.config', 'goose', 'config.yaml');
  },
  place: (name, server) => ({
    keys: ['extensions', name],
    entry: {
      name,
      enabled: true,
      ...(server.transport === 'http'
        ? { type: 'streamable_http', uri: server.url, ...server.auth }
        : {
            type: 'stdio',
            cmd: server.command,
            args: server.args,
            ...(server.reads ? { env_keys: server.reads } : {}),
          }),
      timeout: TIMEOUT_SECONDS,
    },
  }),
  note: () => 'goose also adds servers itself: run goose configure and choose Add Extension.',
};

/** The value in the examples of goose. */
const TIMEOUT_SECONDS = 300;
