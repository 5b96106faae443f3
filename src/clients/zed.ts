import { type Client, fileIn, folder, LENIENT_JSON } from './client.ts';

/** Zed reads `context_servers` of `settings.json`: `~/.config/zed` (XDG_CONFIG_HOME on Linux, %APPDATA%\Zed on Windows) and `.zed` in the project. */
export const zed: Client = {
  name: 'zed',
  title: 'Zed',
  format: 'json',
  dialect: LENIENT_JSON,
  scopes: ['user', 'project'],
  files: (scope, surroundings) => {
    if (scope === 'project') return fileIn(surroundings.projectDir, '.zed', 'settings.json');
    if (surroundings.platform === 'win32')
      return fileIn(folder(surroundings, 'APPDATA', 'AppData', 'Roaming'), 'Zed', 'settings.json');
    // On macOS Zed does not ask for the variable.
    const variable = surroundings.platform === 'darwin' ? '' : 'XDG_CONFIG_HOME';
    return fileIn(folder(surroundings, variable, '.config'), 'zed', 'settings.json');
  },
  place: (name, server) => ({
    keys: ['context_servers', name],
    entry: server.transport === 'http' ? { url: server.url } : { command: server.command, args: server.args },
  }),
};
