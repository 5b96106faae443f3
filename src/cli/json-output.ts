/** Writes a document as JSON on one line, a list of ten thousand items a few of them at a time: nobody ever holds all of it. */
import { LongList } from '../core/long-list.ts';
import { escapeJson } from '../core/text.ts';

const ITEMS_A_PIECE = 32;
/** A pipe holds as much. */
const BLOCK_BYTES = 64 * 1024;
const MAX_BYTES_A_UNIT = 3;
const COMMA = 0x2c;
const DELETE = 0x7f;

/** `write` must be done with the bytes when it returns. */
export function writeJson(document: object, write: (bytes: Uint8Array) => void): void {
  const block = new Block(write);
  let before = '{';
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined) continue;
    block.add(`${before}${JSON.stringify(key)}:`);
    before = ',';
    if ((Array.isArray(value) || value instanceof LongList) && value.length > ITEMS_A_PIECE) {
      for (let at = 0; at < value.length; at += ITEMS_A_PIECE)
        block.addItems(JSON.stringify(value.slice(at, at + ITEMS_A_PIECE)), at > 0);
      block.add(']');
    } else {
      block.add(JSON.stringify(value));
    }
  }
  block.add(before === '{' ? '{}\n' : '}\n');
  block.flush();
}

class Block {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #bytes = Buffer.allocUnsafe(BLOCK_BYTES);
  #filled = 0;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  add(text: string): void {
    if (this.#encode(text) === undefined) this.#pass(text);
  }

  /** A list without its closing bracket; one that continues another has a comma for the opening one. */
  addItems(list: string, continues: boolean): void {
    const start = this.#encode(list);
    if (start === undefined) return this.#pass(continues ? `,${list.slice(1, -1)}` : list.slice(0, -1));
    if (continues) this.#bytes[start] = COMMA;
    this.#filled -= 1;
  }

  flush(): void {
    if (this.#filled > 0) this.#write(this.#bytes.subarray(0, this.#filled));
    this.#filled = 0;
  }

  /** Where the text begins in the block; undefined where it is too long for it or has to be escaped. */
  #encode(text: string): number | undefined {
    const needed = text.length * MAX_BYTES_A_UNIT;
    if (this.#filled + needed > BLOCK_BYTES) this.flush();
    if (needed > BLOCK_BYTES) return undefined;
    const start = this.#filled;
    const end = start + this.#bytes.write(text, start);
    // Only ASCII has a byte for every unit: then there is nothing to escape but one character, and no need to search for others.
    const isPlain = end - start === text.length && !this.#bytes.subarray(start, end).includes(DELETE);
    if (!isPlain && escapeJson(text) !== text) return undefined;
    this.#filled = end;
    return start;
  }

  #pass(text: string): void {
    this.flush();
    this.#write(Buffer.from(escapeJson(text)));
  }
}
