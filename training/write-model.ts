import type { WordTable } from './train.ts';

const MAGIC = 0x31_56_58_4c;
const VERSION = 1;
const HEADER_BYTES = 24;
const LARGEST = 127;

/** The file that the search reads (its format is in `src/search/model/static-model.ts`), with the first words of the table. */
export function writeModel(words: readonly string[], { dimensions, rows }: WordTable, count = words.length): Buffer {
  const kept = words.slice(0, count);
  const list = Buffer.from(`${kept.join('\n')}\n`);
  const listBytes = list.length + ((4 - (list.length % 4)) % 4);
  const rowsAt = HEADER_BYTES + 4 * kept.length;
  const listAt = rowsAt + kept.length * dimensions;
  const file = Buffer.alloc(listAt + listBytes, '\n');
  [MAGIC, VERSION, kept.length, dimensions, listBytes, 0].forEach((value, i) => file.writeUInt32LE(value, 4 * i));
  kept.forEach((_, word) => {
    const row = rows.subarray(word * dimensions, (word + 1) * dimensions);
    const scale = row.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / LARGEST;
    file.writeFloatLE(scale, HEADER_BYTES + 4 * word);
    row.forEach((value, i) =>
      file.writeInt8(scale === 0 ? 0 : Math.round(value / scale), rowsAt + word * dimensions + i),
    );
  });
  list.copy(file, listAt);
  return file;
}
