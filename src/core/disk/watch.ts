import fs from 'node:fs';
import { systemCode } from './reasons.ts';

export interface FolderWatch {
  close(): void;
}

/**
 * Watches the entries of one folder, not those below it. `changed` receives the entry's name if the system reports it. If the
 * folder cannot be watched, returns the reason: `no-room` if the system's watches are used up, otherwise `gone`.
 */
export type WatchFolder = (
  dir: string,
  changed: (name: string | undefined) => void,
) => FolderWatch | 'no-room' | 'gone';

const NO_ROOM = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM']);

export const watchNodeFolder: WatchFolder = (dir, changed) => {
  try {
    const watcher = fs.watch(dir, { persistent: false }, (_event, name) => changed(name ?? undefined));
    // Removing a watched folder may cause an error. The next scan handles it.
    watcher.on('error', () => changed(undefined));
    return watcher;
  } catch (error) {
    return NO_ROOM.has(systemCode(error)) ? 'no-room' : 'gone';
  }
};

/**
 * Whether the event of a change is queued before the writer's system call returns. This is the case on Linux. On other systems,
 * events arrive some time later.
 */
export const WATCHES_ARE_PROMPT: boolean = process.platform === 'linux';

/** Resolves once every queued change has been delivered, after one full turn of the event loop. */
export async function deliverPending(): Promise<void> {
  // The first await ends the current turn. The second one resolves after a full round of polling.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
