#!/usr/bin/env node
// Must run on old Node.js versions to report the required version, so it imports nothing that they cannot parse.
import { keepCompiledCode } from '../core/disk/compiled-code.ts';
import { VERSION } from '../core/version.ts';
import { homeFolder } from './home-folder.ts';

/** The first words of server commands. */
const SERVERS = new Set(['mcp', 'mcp-server', 'web', 'serve']);

// Runs first, so that a server shuts down cleanly even if a signal arrives during startup.
const signals = process.argv.some((word) => SERVERS.has(word)) ? holdSignals() : undefined;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`lectern needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  // First, because it applies only to files that are loaded later.
  keepCompiledCode({ environment: process.env, home: homeFolder(), version: VERSION });
  void import('./main.ts').then(({ main }) => main(process.argv.slice(2), signals));
}

/** Holds signals until the command is known. Commands that do not serve are then terminated by them as usual. */
function holdSignals() {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let held: NodeJS.Signals | undefined;
  let listener: ((signal: NodeJS.Signals) => void) | undefined;
  const receive = (signal: NodeJS.Signals): void => {
    if (listener) listener(signal);
    else held ??= signal;
  };
  for (const name of names) process.on(name, receive);
  return {
    passTo(next: (signal: NodeJS.Signals) => void): void {
      listener = next;
      if (held) next(held);
      held = undefined;
    },
    async release(): Promise<void> {
      // A signal that has arrived is delivered in the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      for (const name of names) process.off(name, receive);
      if (held) process.kill(process.pid, held);
    },
  };
}
