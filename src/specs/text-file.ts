/** One Markdown or YAML file of a spec or a change, as text; read once for as long as it does not change. */
import { isUtf8 } from 'node:buffer';
import type { Diagnostic } from '../core/diagnostics.ts';
import { findEntry, tryRead } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, sameStamp, type Stamp } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { troubleWith } from './trouble.ts';

export interface TextFile {
  path: string;
  text: string;
  /** False when bytes had to be replaced to make it text. */
  isUtf8: boolean;
  stamp: Stamp;
  /** The file changed so shortly before it was read that another write might bear the same stamp. */
  racy: boolean;
}

/** File systems stamp in steps of some milliseconds; a file read within this time of its change is read again next time. */
const RACY_MS = 100;

export type TextRead =
  | { kind: 'text'; file: TextFile }
  | { kind: 'missing' }
  | { kind: 'trouble'; diagnostic: Diagnostic };

/** `path` is what people see, `readFrom` what is opened; they differ for a link that may be followed. */
export function readTextFile(files: FileTree, path: string, readFrom: string = path, before?: TextFile): TextRead {
  const look = before && !before.racy ? findEntry(files, readFrom) : undefined;
  if (before && look?.kind === 'file' && sameStamp(look.stamp, before.stamp)) return { kind: 'text', file: before };
  const read = tryRead(files, readFrom, LIMITS.specFileBytes.value);
  if (read instanceof FileTrouble)
    return read.isMissing ? { kind: 'missing' } : { kind: 'trouble', diagnostic: troubleWith(read, path) };
  const { bytes, stamp } = read;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  // Text that was replaced has the replacement character; only then the bytes are worth a second look.
  const isSound = !text.includes('\uFFFD') || isUtf8(buffer);
  const racy = Math.abs(Date.now() - stamp.mtimeMs) < RACY_MS;
  if (before && before.text === text && before.isUtf8 === isSound && sameStamp(stamp, before.stamp)) {
    before.racy = racy;
    return { kind: 'text', file: before };
  }
  return { kind: 'text', file: { path, text, stamp, isUtf8: isSound, racy } };
}
