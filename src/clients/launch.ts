import type { Server } from './client.ts';

export interface LaunchOptions {
  platform: string;
  /** The cli.cjs to start with node. Without it, npx starts the published package. */
  installation?: string | undefined;
  /** Flags for `lectern mcp`. */
  flags: readonly string[];
}

/** The command that a client runs to start the server over stdio. */
export function launchServer({ platform, installation, flags }: LaunchOptions): Server {
  if (installation !== undefined) return { transport: 'stdio', command: 'node', args: [installation, 'mcp', ...flags] };
  const args = ['-y', 'lectern', 'mcp', ...flags];
  // On Windows npx is a batch file, which a program can start only through cmd.
  return platform === 'win32'
    ? { transport: 'stdio', command: 'cmd', args: ['/c', 'npx', ...args] }
    : { transport: 'stdio', command: 'npx', args };
}
