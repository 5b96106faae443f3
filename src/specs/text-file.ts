/** One Markdown or YAML file of a spec or a change, as text. It is reread only after it has changed. */
import { isUtf8 } from 'node:buffer';
import type { Diagnostic } from '../core/diagnostics.ts';
import { findEntry, tryRead } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, sameStamp, type Stamp } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { troubleWith } from './trouble.ts';

export interface TextFile {
  path: string;
  text: string;
  /** False if invalid bytes were replaced. */
  isUtf8: boolean;
  stamp: Stamp;
  /** True if the file changed so shortly before it was read that another write could have the same timestamp. */
  racy: boolean;
}

/** File timestamps have a resolution of a few milliseconds. A file read this soon after a change is reread next time. */
const RACY_MS = 100;

export type TextRead =
  | { kind: 'text'; file: TextFile }
  | { kind: 'missing' }
  | { kind: 'trouble'; diagnostic: Diagnostic };

/** `path` is displayed, `readFrom` is opened. They differ for links that may be followed. */
export function readTextFile(files: FileTree, path: string, readFrom: string = path, before?: TextFile): TextRead {
  const look = before && !before.racy ? findEntry(files, readFrom) : undefined;
  if (before && look?.kind === 'file' && sameStamp(look.stamp, before.stamp)) return { kind: 'text', file: before };
  const read = tryRead(files, readFrom, LIMITS.specFileBytes.value);
  if (read instanceof FileTrouble)
    return read.isMissing ? { kind: 'missing' } : { kind: 'trouble', diagnostic: troubleWith(read, path) };
  const { bytes, stamp } = read;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  // Without a replacement character in the text, the bytes are valid.
  const isValid = !text.includes('\uFFFD') || isUtf8(buffer);
  const racy = Math.abs(Date.now() - stamp.mtimeMs) < RACY_MS;
  if (before && before.text === text && before.isUtf8 === isValid && sameStamp(stamp, before.stamp)) {
    before.racy = racy;
    return { kind: 'text', file: before };
  }
  return { kind: 'text', file: { path, text, stamp, isUtf8: isValid, racy } };
}
