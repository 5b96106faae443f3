import os from 'node:os';
import path from 'node:path';

/** Returns the home of the user who runs the command, or undefined if there is none. */
export function homeFolder(): string | undefined {
  const home = process.env['HOME'] ?? process.env['USERPROFILE'];
  if (home !== undefined) return path.isAbsolute(home) ? home : undefined;
  try {
    return os.homedir();
  } catch {
    return undefined;
  }
}
