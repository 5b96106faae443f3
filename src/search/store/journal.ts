import path from 'node:path';
import { crc32 } from 'node:zlib';
import { tryRead } from '../../core/disk/answers.ts';
import { FileTrouble } from '../../core/disk/tree.ts';
import type { Disk } from '../../core/disk/writes.ts';
import type { ModelIdentity } from '../embed/embedder.ts';
import { INDEX_FILE_MAX_BYTES } from './read-file.ts';
import { HASH_BYTES, type Quantized } from '../vectors/quantized.ts';

/**
 * Stores vectors as they are computed, so that an interrupted build of an hour is not lost. Each builder has its own file: one
 * line with the model and the dimensions, then records of hash, norm, values and checksum. Reading stops at a damaged record,
 * such as an incomplete one at the end; the records before it are good.
 */
const JOURNAL = 'vectors.journal';

export interface Journal {
  add(hash: string, vector: Quantized): void;
}

function headerOf(model: ModelIdentity, dimensions: number): Uint8Array {
  return Buffer.from(`${JSON.stringify(['lectern vectors 1', model.name, model.version, dimensions])}\n`);
}

export function startJournal(disk: Disk, dir: string, model: ModelIdentity): Journal {
  const file = path.join(dir, JOURNAL);
  let isStarted = false;
  return {
    add(hash, vector) {
      if (!isStarted) disk.append(file, headerOf(model, vector.values.length));
      isStarted = true;
      const record = Buffer.alloc(recordBytes(vector.values.length));
      record.write(hash, 0, 'hex');
      record.writeFloatLE(vector.norm, HASH_BYTES);
      record.set(new Uint8Array(vector.values.buffer, vector.values.byteOffset, vector.values.length), HASH_BYTES + 4);
      record.writeUInt32LE(crc32(record.subarray(0, -4)), record.length - 4);
      disk.append(file, record);
    },
  };
}

/** Adds the vectors of a journal to `known` if it was written for the same model. */
export function readJournal(disk: Disk, dir: string, model: ModelIdentity, known: Map<string, Quantized>): void {
  const found = tryRead(disk, path.join(dir, JOURNAL), INDEX_FILE_MAX_BYTES);
  // What cannot be read is computed again.
  if (found instanceof FileTrouble) return;
  const bytes = Buffer.from(found.bytes.buffer, found.bytes.byteOffset, found.bytes.length);
  const end = bytes.indexOf(0x0a);
  const dimensions = end === -1 ? 0 : dimensionsOf(bytes.subarray(0, end + 1), model);
  if (dimensions === 0) return;
  const size = recordBytes(dimensions);
  for (let at = end + 1; at + size <= bytes.length; at += size) {
    const record = bytes.subarray(at, at + size);
    if (crc32(record.subarray(0, -4)) !== record.readUInt32LE(size - 4)) return;
    const values = new Int8Array(record.subarray(HASH_BYTES + 4, -4));
    known.set(record.toString('hex', 0, HASH_BYTES), { values, norm: record.readFloatLE(HASH_BYTES) });
  }
}

function recordBytes(dimensions: number): number {
  return HASH_BYTES + 4 + dimensions + 4;
}

/** Zero if the journal was written for another model. */
function dimensionsOf(header: Buffer, model: ModelIdentity): number {
  const dimensions = Number(/,(\d{1,5})\]\n$/u.exec(header.toString())?.[1] ?? 0);
  return header.equals(headerOf(model, dimensions)) ? dimensions : 0;
}
