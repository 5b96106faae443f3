import { type Client, fileIn, folder, LENIENT_JSON } from './client.ts';

/**
 * Zed sends headers as they are in its file, so it has no way to take a token from the environment. It reads `context_servers` of `settings.json` in `.zed` of the project and in `~/.config/zed` (XDG_CONFIG_HOME on Linux,
 * %APPDATA%\Zed on Windows).
 */
export const zed: Client = {
  name: 'zed',
  title: 'Zed',
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
