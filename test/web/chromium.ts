/**
 * Finds Chromium: from LECTERN_CHROMIUM, on the PATH, or in the usual places. On Debian, root may install it. If it is missing,
 * browser tests are skipped with a message, or fail if `CI` is set.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
];

function find(): string | undefined {
  const named = process.env['LECTERN_CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const onPath = folders.flatMap((dir) => NAMES.map((name) => path.join(dir, name)));
  return [...onPath, ...PLACES, ...ofPlaywright()].find((file) => fs.existsSync(file) && starts(file));
}

/** A Chromium that another test file is still installing exists, but does not start yet. */
function starts(file: string): boolean {
  return process.platform !== 'linux' || spawnSync(file, ['--version'], { timeout: 60_000 }).status === 0;
}

/** Where `playwright install` puts browsers. */
function ofPlaywright(): string[] {
  const cache = path.join(os.homedir(), '.cache', 'ms-playwright');
  if (!fs.existsSync(cache)) return [];
  return fs
    .readdirSync(cache)
    .filter((name) => /^chromium-\d+$/u.test(name))
    .map((name) => path.join(cache, name, 'chrome-linux', 'chrome'));
}

/** Several test files may try at the same time; apt-get serializes them. */
function install(): void {
  if (process.getuid?.() !== 0 || !fs.existsSync('/etc/debian_version')) return;
  const aptGet = (...args: string[]): boolean =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-qq', '-y', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 600_000,
    }).status === 0;
  if (!aptGet('install', 'chromium') && aptGet('update')) aptGet('install', 'chromium');
}

function findOrInstall(): string | undefined {
  const found = find();
  if (found !== undefined) return found;
  install();
  const installed = find();
  if (installed !== undefined) return installed;
  const message =
    'No Chromium was found: set LECTERN_CHROMIUM to one, or put one on the PATH. The tests in the browser are skipped.';
  if (process.env['CI']) throw new Error(message);
  process.stdout.write(`${message}\n`);
  return undefined;
}

/** Undefined if there is none; browser tests are then skipped. */
export const chromiumPath: string | undefined = findOrInstall();
