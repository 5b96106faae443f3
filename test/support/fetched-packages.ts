/**
 * Programs for a few tests that are large or that ask for a newer Node.js than Lectern does. They are not dependencies: npm installs
 * them from the lock files in `fetched/` before the tests that use them, so a clone installs without them and without their warnings.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FETCHED = ['conformance', 'inspector'] as const;
type Fetched = (typeof FETCHED)[number];

const INSTALLED_WITHIN_MS = 300_000;
const LOCKS = fileURLToPath(new URL('fetched', import.meta.url));
const STORE = fileURLToPath(new URL('../../node_modules/.lectern', import.meta.url));

/** Installs what is missing or out of date, and prints why if that fails. Called once, before all tests. */
export function fetchPackages(): void {
  for (const name of FETCHED) {
    const trouble = fetchPackage(name);
    if (trouble !== undefined) process.stdout.write(`The MCP ${name} package could not be installed: ${trouble}\n`);
  }
}

/** Returns a file of an installed package, or undefined if the package could not be installed. */
export function findFetched(name: Fetched, file: string): string | undefined {
  const found = path.join(STORE, name, 'node_modules/@modelcontextprotocol', name, file);
  if (fs.existsSync(found)) return found;
  if (process.env['CI']) throw new Error(`The MCP ${name} package is missing, and CI is set.`);
  return undefined;
}

function fetchPackage(name: Fetched): string | undefined {
  const lock = fs.readFileSync(path.join(LOCKS, name, 'package-lock.json'));
  const dir = path.join(STORE, name);
  const done = path.join(dir, 'installed-lock.json');
  if (fs.existsSync(done) && fs.readFileSync(done).equals(lock)) return undefined;
  try {
    fs.cpSync(path.join(LOCKS, name), dir, { recursive: true });
    const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    execFileSync('npm', words, {
      cwd: dir,
      stdio: 'pipe',
      timeout: INSTALLED_WITHIN_MS,
      shell: process.platform === 'win32',
    });
    fs.writeFileSync(done, lock);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}
