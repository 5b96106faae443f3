#!/usr/bin/env node
// Must run on old Node.js versions to say which version is needed, so it imports nothing that they cannot parse.
import { VERSION } from '../core/version.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`lectern needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  void import('./main.ts').then(({ main }) => main());
}
