/** Reads the vectors that training starts from: 16-bit floats, one row per word, zeros for a word without a vector. */
export interface StartVectors {
  dimensions: number;
  /** Centered, of unit length; zeros stay zeros. */
  rows: Float32Array;
}

export function readStartVectors(bytes: Uint8Array, words: number): StartVectors {
  const dimensions = bytes.length / 2 / words;
  if (!Number.isInteger(dimensions)) throw new Error(`the start vectors are not rows for ${words} words`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows = new Float32Array(words * dimensions);
  for (let i = 0; i < rows.length; i++) rows[i] = fromHalf(view.getUint16(2 * i, true));
  center(rows, dimensions);
  return { dimensions, rows };
}

/** All vectors share a large part, which says nothing about any of them. */
export function center(rows: Float32Array, dimensions: number): void {
  const mean = new Float64Array(dimensions);
  let known = 0;
  const each = (use: (row: Float32Array) => void): void => {
    for (let at = 0; at < rows.length; at += dimensions) {
      const row = rows.subarray(at, at + dimensions);
      if (row.some((value) => value !== 0)) use(row);
    }
  };
  each((row) => {
    known += 1;
    row.forEach((value, i) => (mean[i] = (mean[i] ?? 0) + value));
  });
  each((row) => {
    row.forEach((value, i) => (row[i] = value - (mean[i] ?? 0) / known));
    const length = Math.hypot(...row) || 1;
    row.forEach((value, i) => (row[i] = value / length));
  });
}

/**
 * Start vectors for these words from a text file of vectors (`word 0.1 -0.2 …` per line, as GloVe has them). The rows are in the
 * order of the words; zeros for a word that the file does not have.
 */
export async function startVectorsFrom(
  lines: AsyncIterable<string>,
  words: readonly string[],
): Promise<{ bytes: Uint8Array; found: number }> {
  const numbers = new Map(words.map((word, index) => [word, index]));
  let [rows, dimensions, found] = [new Uint16Array(), 0, 0];
  for await (const line of lines) {
    const [word = '', ...values] = line.split(' ');
    const row = numbers.get(word);
    if (row === undefined) continue;
    if (dimensions === 0) [dimensions, rows] = [values.length, new Uint16Array(words.length * values.length)];
    if (values.length !== dimensions) throw new Error(`the vector of "${word}" has ${values.length} values`);
    values.forEach((value, i) => (rows[row * dimensions + i] = toHalf(Number(value))));
    found += 1;
  }
  return { bytes: new Uint8Array(rows.buffer), found };
}

/** The nearest 16-bit float. What is too small becomes 0. */
function toHalf(value: number): number {
  const sign = value < 0 ? 0x80_00 : 0;
  const size = Math.abs(value);
  if (!(size >= 2 ** -14)) return sign;
  const exponent = Math.min(15, Math.floor(Math.log2(size)));
  const fraction = Math.min(0x3_ff, Math.round((size / 2 ** exponent - 1) * 1024));
  return sign | ((exponent + 15) << 10) | fraction;
}

function fromHalf(bits: number): number {
  const sign = bits & 0x80_00 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3_ff;
  if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024);
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}
