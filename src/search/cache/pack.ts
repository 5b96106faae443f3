/**
 * A pack file: entries by text key, and the text key of each file by its stamp. Written once, never changed.
 *
 *   header    4 x uint32: magic, version, entries, files
 *   digest    32 bytes: the SHA-256 of everything after it
 *   entries   per entry: 16 bytes key, uint32 offset, uint32 bytes
 *   files     per state of a file: 16 bytes key, 16 bytes key of its text
 *   data      the entries, each at a multiple of four
 */
import { createHash } from 'node:crypto';
import { KEY_BYTES } from '../entry.ts';

const MAGIC = 0x31_50_4c_4c;
const VERSION = 1;
const HEADER_BYTES = 16;
const DIGEST_BYTES = 32;
const ENTRY_BYTES = KEY_BYTES + 8;
const FILE_BYTES = 2 * KEY_BYTES;

export interface Pack {
  entries: Map<string, Uint8Array>;
  /** Text keys, by the key of the file and its stamp. */
  files: Map<string, string>;
}

export function encodePack({ entries, files }: Pack): Uint8Array {
  const tables = HEADER_BYTES + DIGEST_BYTES + entries.size * ENTRY_BYTES + files.size * FILE_BYTES;
  const size = [...entries.values()].reduce((sum, bytes) => sum + bytes.length, tables);
  const pack = Buffer.alloc(size);
  [MAGIC, VERSION, entries.size, files.size].forEach((value, index) => pack.writeUInt32LE(value, 4 * index));
  let at = HEADER_BYTES + DIGEST_BYTES;
  let dataAt = tables;
  for (const [key, bytes] of entries) {
    pack.write(key, at, 'latin1');
    pack.writeUInt32LE(dataAt, at + KEY_BYTES);
    pack.writeUInt32LE(bytes.length, at + KEY_BYTES + 4);
    pack.set(bytes, dataAt);
    at += ENTRY_BYTES;
    dataAt += bytes.length;
  }
  for (const [key, text] of files) {
    pack.write(key + text, at, 'latin1');
    at += FILE_BYTES;
  }
  pack.set(digestOf(pack), HEADER_BYTES);
  return pack;
}

/** Decodes a pack, with entries as views of the bytes. Returns undefined if it is damaged or of another version. */
export function decodePack(bytes: Uint8Array): Pack | undefined {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const pack = Buffer.from(aligned.buffer, aligned.byteOffset, aligned.byteLength);
  if (pack.length < HEADER_BYTES + DIGEST_BYTES) return undefined;
  const [magic, version, entryCount = 0, fileCount = 0] = [0, 4, 8, 12].map((at) => pack.readUInt32LE(at));
  if (magic !== MAGIC || version !== VERSION) return undefined;
  if (!digestOf(pack).equals(pack.subarray(HEADER_BYTES, HEADER_BYTES + DIGEST_BYTES))) return undefined;
  const entries = new Map<string, Uint8Array>();
  const files = new Map<string, string>();
  let at = HEADER_BYTES + DIGEST_BYTES;
  for (let i = 0; i < entryCount; i++, at += ENTRY_BYTES) {
    const offset = pack.readUInt32LE(at + KEY_BYTES);
    entries.set(keyAt(pack, at), pack.subarray(offset, offset + pack.readUInt32LE(at + KEY_BYTES + 4)));
  }
  for (let i = 0; i < fileCount; i++, at += FILE_BYTES) files.set(keyAt(pack, at), keyAt(pack, at + KEY_BYTES));
  return { entries, files };
}

function keyAt(pack: Buffer, at: number): string {
  return pack.toString('latin1', at, at + KEY_BYTES);
}

function digestOf(pack: Buffer): Buffer {
  const hash = createHash('sha256').update(pack.subarray(0, HEADER_BYTES));
  return hash.update(pack.subarray(HEADER_BYTES + DIGEST_BYTES)).digest();
}
