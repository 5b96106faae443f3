/** Why a file could not be read or written. One table maps the system's codes to our reasons. */
export type Reason =
  | 'missing'
  | 'exists'
  | 'changed'
  | 'not-permitted'
  | 'read-only'
  | 'read-only-file'
  | 'several-names'
  | 'full'
  | 'quota'
  | 'not-a-folder'
  | 'not-a-regular-file'
  | 'outside'
  | 'git-folder'
  | 'not-private'
  | 'other-disk'
  | 'busy'
  | 'too-many-links'
  | 'too-large'
  | 'no-handles'
  | 'failing'
  | 'io';

const REASONS: Record<string, Reason> = {
  ENOENT: 'missing',
  EEXIST: 'exists',
  ENOTEMPTY: 'exists',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  EROFS: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'quota',
  ENOTDIR: 'not-a-folder',
  EISDIR: 'not-a-regular-file',
  ERR_FS_EISDIR: 'not-a-regular-file',
  EAGAIN: 'not-a-regular-file',
  // A pipe without a reader, or a device without a driver.
  ENXIO: 'not-a-regular-file',
  ELOOP: 'too-many-links',
  EFBIG: 'too-large',
  EMFILE: 'no-handles',
  ENFILE: 'no-handles',
  EIO: 'failing',
  EXDEV: 'other-disk',
  EBUSY: 'busy',
};

/** Returns the system's code of an error (`ENOENT`), or an empty text if the error has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function reasonOf(error: unknown): Reason {
  return REASONS[systemCode(error)] ?? 'io';
}

const FREE_SPACE = 'Free some space on the disk and run the command again.';

/** Messages and hints for failed writes, by reason. */
const WHEN_WRITING: Partial<Record<Reason, { text: string; hint?: string }>> = {
  full: { text: 'the disk is full', hint: FREE_SPACE },
  quota: { text: 'the quota is used up', hint: FREE_SPACE },
  'read-only': { text: 'the disk is read-only', hint: 'Mount the disk with write access, or use another folder.' },
  'not-permitted': {
    text: 'permission denied',
    hint: 'Check the owner and the permissions of the folder.',
  },
  'not-a-folder': { text: 'a part of the path is a file, not a folder' },
  'not-a-regular-file': { text: 'the path is not a regular file' },
  'too-many-links': { text: 'a link is in the way of a file' },
  missing: { text: 'another program removed it in the meantime' },
  'too-large': { text: 'the file would be larger than is allowed' },
  'no-handles': { text: 'too many files are open' },
  failing: { text: 'the disk reports an error' },
  'not-private': { text: 'another user owns the folder, or can write to it' },
  'other-disk': { text: 'it would have to be moved to another disk or mount' },
  busy: { text: 'it is in use, or another disk is mounted there' },
};

export function explainWriteError(error: unknown, reason: Reason = reasonOf(error)): { text: string; hint?: string } {
  return WHEN_WRITING[reason] ?? { text: systemCode(error) || 'unknown error' };
}
