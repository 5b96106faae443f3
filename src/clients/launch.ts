import type { Server } from './client.ts';
import { TOKEN_VARIABLE } from './names.ts';

export interface LaunchOptions {
  platform: string;
  /** The cli.cjs to start with node. If undefined, npx starts the published package. */
  installation?: string | undefined;
  /** Flags for `lectern mcp`. */
  flags: readonly string[];
}

/** Returns the command that a client runs to start the server over stdio. */
export function launchServer({ platform, installation, flags }: LaunchOptions): Server {
  const joins = flags.some((flag) => flag === '--catalog' || flag.startsWith('--catalog='));
  const stdio = { transport: 'stdio' as const, ...(joins ? { reads: [TOKEN_VARIABLE] } : {}) };
  if (installation !== undefined) return { ...stdio, command: 'node', args: [installation, 'mcp', ...flags] };
  const args = ['-y', 'lectern', 'mcp', ...flags];
  // On Windows npx is a batch file, which programs can start only through cmd.
  return platform === 'win32'
    ? { ...stdio, command: 'cmd', args: ['/c', 'npx', ...args] }
    : { ...stdio, command: 'npx', args };
}
