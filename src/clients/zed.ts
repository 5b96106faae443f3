import { type Client, fileIn, folder, LENIENT_JSON } from './client.ts';

/**
 * Zed reads `context_servers` from `settings.json` in the project's `.zed` and in `~/.config/zed` (XDG_CONFIG_HOME on
 * Linux, %APPDATA%\Zed on Windows). It sends headers as written in its file, so it cannot read a token from the
 * environment.
 */
export const zed: Client = {
  name: 'zed',
  title: 'Zed',
  basis: 'documented',
  source: 'https://zed.dev/docs/ai/mcp',
  format: 'json',
  dialect: LENIENT_JSON,
  scopes: ['user', 'project'],
  files: (scope, context) => {
    if (scope === 'project') return fileIn(context.projectDir, '.zed', 'settings.json');
    if (context.platform === 'win32')
      return fileIn(folder(context, 'APPDATA', 'AppData', 'Roaming'), 'Zed', 'settings.json');
    // On macOS Zed ignores the variable.
    const variable = context.platform === 'darwin' ? '' : 'XDG_CONFIG_HOME';
    return fileIn(folder(context, variable, '.config'), 'zed', 'settings.json');
  },
  place: (name, server) => ({
    keys: ['context_servers', name],
    entry: server.transport === 'http' ? { url: server.url } : { command: server.command, args: server.args },
  }),
};
