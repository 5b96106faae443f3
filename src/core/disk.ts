/** What everything that writes shares: flushing, and saying what is wrong with the disk. */
import fs from 'node:fs';
import { Failure } from './failure.ts';
import { systemCode } from './disk/system-code.ts';

const FREE_SPACE = 'Free some space on the disk and run the command again.';
const CHECK_PERMISSIONS = 'Check who owns the folder and what its permissions allow.';

const REASONS: Record<string, { reason: string; hint?: string }> = {
  ENOSPC: { reason: 'the disk is full', hint: FREE_SPACE },
  EDQUOT: { reason: 'the quota is used up', hint: FREE_SPACE },
  EROFS: { reason: 'the disk is read-only', hint: 'The disk is mounted read-only.' },
  EACCES: { reason: 'permission denied', hint: CHECK_PERMISSIONS },
  EPERM: { reason: 'permission denied', hint: CHECK_PERMISSIONS },
  ENOTDIR: { reason: 'a file is in the way of a folder' },
  EEXIST: { reason: 'a file is in the way of a folder' },
  ENOENT: { reason: 'it was removed by somebody else meanwhile' },
  EFBIG: { reason: 'the file would be larger than is allowed' },
};

/** Why something cannot be written, in a few words. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  return REASONS[code]?.reason ?? (code || 'unknown error');
}

/** What went wrong with the disk, as a sentence and a next step. */
export function unwritable(what: string, error: unknown, place: string): Failure {
  if (error instanceof Failure) return error;
  const hint = REASONS[systemCode(error)]?.hint;
  return new Failure('UNWRITABLE', `Cannot write ${what}: ${reasonOf(error)}`, {
    path: place,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** A rename is on the disk only when the folder is. Not every system lets a folder be flushed; there the rename alone has to do. */
export function flushFolder(dir: string): void {
  try {
    const fd = fs.openSync(dir, 'r');
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP', 'EBADF', 'ENOENT'].includes(systemCode(error))) throw error;
  }
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
