import { bearerHeader, type Client, fileIn, passedOn, PLAIN_JSON } from './client.ts';
import { addCommand } from './gemini.ts';

/** Qwen Code reads `mcpServers` from `.qwen/settings.json` in the home and in the project. */
export const qwen: Client = {
  name: 'qwen',
  title: 'Qwen Code',
  basis: 'documented',
  source: 'https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/',
  format: 'json',
  dialect: PLAIN_JSON,
  scopes: ['user', 'project'],
  files: (scope, { projectDir, userDir }) =>
    fileIn(scope === 'project' ? projectDir : userDir, '.qwen', 'settings.json'),
  place: (name, server) => ({
    keys: ['mcpServers', name],
    entry:
      server.transport === 'http'
        ? { httpUrl: server.url, ...server.auth }
        : {
            command: server.command,
            args: server.args,
            ...passedOn('env', server.reads, (variable) => `\${${variable}}`),
          },
  }),
  bearer: (variable) => bearerHeader(`\${${variable}}`),
  command: (...entry) => addCommand('qwen', ...entry),
};
