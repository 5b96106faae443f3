import type { Server } from './client.ts';

export interface LaunchOptions {
  platform: string;
  /** The cli.cjs to start with node; without it the published package is started through npx. */
  installation?: string | undefined;
  /** Flags for `lectern mcp`. */
  flags: readonly string[];
}

/** The command with which a client starts the server over standard input and output. */
export function launchServer({ platform, installation, flags }: LaunchOptions): Server {
  if (installation !== undefined) return { transport: 'stdio', command: 'node', args: [installation, 'mcp', ...flags] };
  const args = ['-y', 'lectern', 'mcp', ...flags];
  // On Windows npx is a batch file, which a program can start only through the command interpreter.
  return platform === 'win32'
    ? { transport: 'stdio', command: 'cmd', args: ['/c', 'npx', ...args] }
    : { transport: 'stdio', command: 'npx', args };
}
