/**
 * A pack file: segments of up to a thousand texts each, and the text key of each file by its stamp. Written once, never changed.
 *
 *   counts    files, then the bytes of words and vectors of each segment
 *   digest    32 bytes: the SHA-256 of the counts and everything after it
 *   files     per state of a file: 16 bytes key, 16 bytes key of its text
 *   segments  words and vectors of each
 */
import { createHash } from 'node:crypto';
import type { SegmentFiles } from '../document.ts';
import { KEY_BYTES } from '../entry.ts';
import { encodeFlat, FlatFile } from '../segments/flat-file.ts';

const MAGIC = 0x32_50_4c_4c;
const FILE_BYTES = 2 * KEY_BYTES;

export interface Pack {
  segments: readonly SegmentFiles[];
  /** Text keys, by the key of the file and its stamp. */
  files: ReadonlyMap<string, string>;
}

export function encodePack({ segments, files }: Pack): Uint8Array {
  const counts = [files.size, ...segments.flatMap(({ words, vectors }) => [words.length, vectors?.length ?? 0])];
  const table = Buffer.from([...files].map((row) => row.join('')).join(''), 'latin1');
  const contents = segments.flatMap(({ words, vectors }) => (vectors ? [words, vectors] : [words]));
  return encodeFlat(MAGIC, counts, [digestOf(counts, [table, ...contents]), table, ...contents]);
}

/** Decodes a pack, with segments as views of the bytes. Returns undefined if it is damaged or of another version. */
export function decodePack(bytes: Uint8Array): Pack | undefined {
  const file = FlatFile.open(bytes, MAGIC);
  if (!file) return undefined;
  const [fileCount = 0, ...sizes] = file.counts;
  try {
    const digest = file.uint8(32);
    const table = file.uint8(FILE_BYTES * fileCount);
    const contents = sizes.map((size) => file.uint8(size));
    if (!file.isAtEnd || !digestOf(file.counts, [table, ...contents]).equals(digest)) return undefined;
    return { files: filesIn(table), segments: segmentsIn(contents) };
  } catch (error) {
    // An array would extend beyond the end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function filesIn(table: Uint8Array): Map<string, string> {
  const text = Buffer.from(table.buffer, table.byteOffset, table.byteLength).toString('latin1');
  const files = new Map<string, string>();
  for (let at = 0; at < text.length; at += FILE_BYTES)
    files.set(text.slice(at, at + KEY_BYTES), text.slice(at + KEY_BYTES, at + FILE_BYTES));
  return files;
}

function segmentsIn(contents: readonly Uint8Array[]): SegmentFiles[] {
  const segments: SegmentFiles[] = [];
  for (let at = 0; at + 1 < contents.length; at += 2) {
    const [words, vectors] = contents.slice(at, at + 2);
    if (words) segments.push({ words, ...(vectors?.length ? { vectors } : {}) });
  }
  return segments;
}

function digestOf(counts: readonly number[], contents: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(JSON.stringify(counts));
  for (const content of contents) hash.update(content);
  return hash.digest();
}
