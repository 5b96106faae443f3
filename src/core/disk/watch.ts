import fs from 'node:fs';

export interface FolderWatch {
  close(): void;
}

/**
 * Watches the entries of one folder, not those below it. `changed` gets the entry's name where the system tells it.
 * Returns why it is not possible instead of a watch: `no-room` when the system's watches are used up, else `gone`.
 */
export type WatchFolder = (
  dir: string,
  changed: (name: string | undefined) => void,
) => FolderWatch | 'no-room' | 'gone';

const NO_ROOM = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM']);

export const watchNodeFolder: WatchFolder = (dir, changed) => {
  try {
    const watcher = fs.watch(dir, { persistent: false }, (_event, name) => changed(name ?? undefined));
    // A folder that is removed under its watch may end as an error; the next look finds out what became of it.
    watcher.on('error', () => changed(undefined));
    return watcher;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return NO_ROOM.has(code) ? 'no-room' : 'gone';
  }
};

/**
 * Whether a change is waiting to be delivered before anything that happens after it can be noticed. Linux queues it in
 * the writer's own system call; elsewhere changes are told some time later.
 */
export const WATCHES_ARE_PROMPT: boolean = process.platform === 'linux';

/** Resolves after everything that was waiting to be delivered has been: one whole turn of the event loop. */
export async function deliverPending(): Promise<void> {
  // The first ends the turn that is under way, the second stands behind a full round of polling.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
