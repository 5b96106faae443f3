/** Shows an address in the browser of the person at this machine. */
import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, [command: string, ...rest: string[]]>> = {
  darwin: ['open'],
  // The empty word is the title of the window, which comes first.
  win32: ['cmd', '/c', 'start', ''],
};

/** The address is ours, so no shell can find anything in it. */
export function openBrowser(url: string, failed: () => void): void {
  const [command, ...rest] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...rest, url], { stdio: 'ignore', detached: true });
  child.on('error', failed);
  child.on('exit', (code) => {
    if (code !== 0) failed();
  });
  child.unref();
}
