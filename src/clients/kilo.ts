import path from 'node:path';
import { bearerHeader, type Client, passedOn, PLAIN_JSON } from './client.ts';

/**
 * Kilo Code, the extension and the CLI, reads `kilo.json` or `kilo.jsonc`: in `~/.config/kilo`, in the project, and in the
 * project's `.kilo`.
 */
export const kilo: Client = {
  name: 'kilo',
  title: 'Kilo Code',
  basis: 'documented',
  source: 'https://kilo.ai/docs/automate/mcp/using-in-kilo-code',
  format: 'json',
  dialect: PLAIN_JSON,
  scopes: ['user', 'project'],
  files: (scope, { projectDir, userDir }) => {
    if (scope === 'user' && userDir === undefined) return undefined;
    const folders =
      scope === 'project'
        ? [projectDir, path.join(projectDir, '.kilo')]
        : [path.join(userDir ?? '', '.config', 'kilo')];
    return folders.flatMap((dir) => [path.join(dir, 'kilo.jsonc'), path.join(dir, 'kilo.json')]);
  },
  place: (name, server) => ({
    keys: ['mcp', name],
    entry: {
      ...(server.transport === 'http'
        ? { type: 'remote', url: server.url, ...server.auth }
        : {
            type: 'local',
            command: [server.command, ...server.args],
            ...passedOn('environment', server.reads, (variable) => `{env:${variable}}`),
          }),
      enabled: true,
    },
  }),
  // With a token, Kilo Code must not try to sign in.
  bearer: (variable) => ({ ...bearerHeader(`{env:${variable}}`), oauth: false }),
};
