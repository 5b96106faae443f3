/**
 * Counts how often each skill was loaded through the server, if enabled: a count for each skill and day, in a file that stays on
 * this machine. Several servers may count concurrently.
 */
import path from 'node:path';
import { tryToWrite } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { localDay } from '../core/local-day.ts';
import type { WorkspaceOptions } from './settings.ts';
import { stateFolder } from './state-folder.ts';

/** Loads by day and by the folder of the skill. */
export type Counts = Map<string, Map<string, number>>;

/** Another process holds the lock only while it writes a small file. */
const RETRY_MS = 20;
const CLOSE_WITHIN_MS = 2_000;

/** Returns `usage.json` in the user's state folder, or undefined if there is no home. */
export function usageFile(tree: FileTree, options: WorkspaceOptions): string | undefined {
  const folder = stateFolder(tree, options);
  return folder && path.join(folder, 'usage.json');
}

/** Reads the counts. Invalid parts of the file are ignored. */
export function readUsage(tree: FileTree, file: string): Counts {
  const counts: Counts = new Map();
  const read = readJsonFile(tree, file);
  const days = read.kind === 'value' && isRecord(read.value) ? read.value['days'] : undefined;
  for (const [day, loads] of isRecord(days) ? Object.entries(days) : []) {
    if (!/^\d{4}-\d\d-\d\d$/u.test(day) || !isRecord(loads)) continue;
    for (const [dir, number] of Object.entries(loads))
      if (typeof number === 'number' && Number.isSafeInteger(number) && number > 0) add(counts, day, dir, number);
  }
  return counts;
}

export class LoadCounter {
  readonly #disk: Disk;
  readonly #file: string;
  #waiting: Counts = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor(disk: Disk, file: string) {
    this.#disk = disk;
    this.#file = file;
  }

  /** Never fails, because a skill must load even if it cannot be counted. */
  count(dir: string): void {
    add(this.#waiting, localDay(), dir, 1);
    this.#tryToWrite();
  }

  /** Writes the pending counts. */
  async close(): Promise<void> {
    for (let waited = 0; this.#waiting.size > 0 && waited < CLOSE_WITHIN_MS; waited += RETRY_MS) {
      this.#tryToWrite();
      if (this.#waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    clearTimeout(this.#timer);
  }

  #tryToWrite(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0 || this.#write()) return;
    this.#timer = setTimeout(() => this.#tryToWrite(), RETRY_MS).unref();
  }

  /** Returns false if another process is writing. */
  #write(): boolean {
    const lock = `${this.#file}.lock`;
    let isFree = true;
    // Retrying after a failure does not help: a read-only folder stays read-only.
    tryToWrite(() => {
      isFree = this.#disk.lock(lock) === undefined;
      if (!isFree) return;
      try {
        const counts = readUsage(this.#disk, this.#file);
        for (const [day, loads] of this.#waiting) for (const [dir, number] of loads) add(counts, day, dir, number);
        this.#disk.replace(this.#file, textOf(counts), undefined, { strict: false });
      } finally {
        this.#disk.remove(lock);
      }
    });
    if (isFree) this.#waiting = new Map();
    return isFree;
  }
}

function add(counts: Counts, day: string, dir: string, number: number): void {
  const loads = counts.get(day) ?? new Map<string, number>();
  loads.set(dir, (loads.get(dir) ?? 0) + number);
  counts.set(day, loads);
}

/** Formats the counts. The oldest days are dropped. */
function textOf(counts: Counts): string {
  const days = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-LIMITS.usageDays.value);
  return `${JSON.stringify({ days: Object.fromEntries(days.map(([day, loads]) => [day, Object.fromEntries(loads)])) }, undefined, 1)}\n`;
}

/** Returns the number of loads of each skill, by its folder. */
export function loadsByFolder(counts: Counts, since = ''): Map<string, { loads: number; last: string }> {
  const found = new Map<string, { loads: number; last: string }>();
  for (const [day, loads] of counts) {
    if (day < since) continue;
    for (const [dir, number] of loads) {
      const before = found.get(dir) ?? { loads: 0, last: day };
      found.set(dir, { loads: before.loads + number, last: day > before.last ? day : before.last });
    }
  }
  return found;
}
