import { isUtf8 } from 'node:buffer';
import { exists, tryReadTarget } from '../disk/answers.ts';
import { type FileTree, FileTrouble, reasonText, type Stamp } from '../disk/tree.ts';
import { Failure } from '../failure.ts';
import { LIMITS } from '../limits.ts';
import type { Broken } from './edits.ts';

export const BYTE_ORDER_MARK = '\ufeff';

export interface ConfigFile {
  text: string;
  realPath: string;
  stamp: Stamp;
}

/** Reads the configuration file of another program, to change it. Returns undefined if there is none. */
export function readConfigFile(
  disk: FileTree,
  file: string,
  {
    title,
    refusesMark,
    verdict = 'was not changed',
  }: {
    title: string;
    /** The program cannot read a file that starts with a byte order mark. */
    refusesMark: boolean;
    /** Used in the message if the file is unusable. */
    verdict?: string;
  },
): ConfigFile | undefined {
  const refuse = (reason: string): Failure => new Failure('REFUSED', `${file} ${verdict}: ${reason}.`, { path: file });
  const read = tryReadTarget(disk, file, LIMITS.jsonFileBytes.value);
  if (!read && exists(disk, file)) throw refuse('it is a broken link');
  if (!read) return undefined;
  if (read instanceof FileTrouble) {
    if (read.reason === 'not-a-regular-file') throw refuse('it is not a regular file');
    if (read.reason === 'outside') throw refuse('it is a link to a file outside the project');
    throw new Failure('UNREADABLE', `${file} cannot be read: ${reasonText(read)}.`, { path: file, cause: read });
  }
  if (!isUtf8(read.bytes)) throw refuse('it is not UTF-8');
  const text = Buffer.from(read.bytes).toString('utf8');
  if (refusesMark && text.startsWith(BYTE_ORDER_MARK))
    throw refuse(`it starts with a byte order mark, which ${title} cannot read`);
  return { text, realPath: read.realPath, stamp: read.stamp };
}

/** Returns the failure for a file that cannot be changed safely. */
export function brokenFile(file: string, { reason, line, column }: Broken, hint: string): Failure {
  const place = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  return new Failure('INVALID_CONFIG', `${file} was not changed: ${reason}${place}.`, {
    path: file,
    ...(line === undefined ? {} : { line }),
    hint,
  });
}
