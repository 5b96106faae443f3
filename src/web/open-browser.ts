/** Opens an address in the default browser. */
import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, [command: string, ...rest: string[]]>> = {
  darwin: ['open'],
  // `start` takes its first quoted argument as the window title.
  win32: ['cmd', '/c', 'start', ''],
};

/** The address is built by the server, so it has no characters that a shell would interpret. */
export function openBrowser(url: string, failed: () => void): void {
  const [command, ...rest] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...rest, url], { stdio: 'ignore', detached: true });
  child.on('error', failed);
  child.on('exit', (code) => {
    if (code !== 0) failed();
  });
  child.unref();
}
