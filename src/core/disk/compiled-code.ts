/**
 * Keeps the compiled code of this program between runs, which saves a sixth of the CPU time of a short command. Node.js runs
 * code from this folder, so no other user may be able to write there.
 */
import fs from 'node:fs';
import nodeModule from 'node:module';
import path from 'node:path';
import { userCacheFolder, type Variables } from '../user-cache.ts';

/** Number of versions of Lectern whose code is kept. */
const VERSIONS_MAX = 3;

type Enable = (dir: string) => unknown;

/** Added in Node.js 22.1. */
const { enableCompileCache } = nodeModule as { enableCompileCache?: Enable };

export interface CodeOwner {
  environment: Variables;
  home: string | undefined;
  /** The version of this program. */
  version: string;
}

/** Has no effect if Node.js cannot keep code, or if the folder cannot be made private to this user. */
export function keepCompiledCode(
  { environment, home, version }: CodeOwner,
  enable: Enable | undefined = enableCompileCache,
): void {
  if (!enable) return;
  const cacheDir = userCacheFolder(environment, () => (home !== undefined && fs.existsSync(home) ? home : undefined));
  if (cacheDir === undefined) return;
  const all = path.join(cacheDir, 'compiled');
  const own = path.join(all, version);
  try {
    fs.mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
    const isNew = fs.mkdirSync(own, { recursive: true, mode: 0o700 }) !== undefined;
    if (!isOurs(cacheDir, 0o022) || !isOurs(all, 0o077) || !isOurs(own, 0o077)) return;
    fs.accessSync(own, fs.constants.W_OK);
    if (isNew) removeOldVersions(all);
    enable(own);
  } catch {
    // Commands are only slower without it.
  }
}

/** Whether a folder belongs to this user and grants none of the forbidden permissions. False for a link, which may be moved. */
function isOurs(dir: string, forbidden: number): boolean {
  const stats = fs.lstatSync(dir);
  if (!stats.isDirectory()) return false;
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & forbidden) === 0);
}

function removeOldVersions(dir: string): void {
  const versions = fs.readdirSync(dir).map((name) => path.join(dir, name));
  const byAge = versions
    .map((place) => ({ place, mtimeMs: fs.lstatSync(place).mtimeMs }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  for (const { place } of byAge.slice(VERSIONS_MAX)) fs.rmSync(place, { recursive: true, force: true });
}
