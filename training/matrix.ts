/**
 * Products of matrices in rows of floats. Nearly all the time of training is spent here, so the loops take four values at a time.
 * Every index is within bounds; the casts only avoid a check for undefined.
 */

/** out[i, j] = the sum of a[i, k] * b[j, k]; a has n rows, b has m. */
export function multiplyByRows(
  a: Float32Array,
  b: Float32Array,
  out: Float32Array,
  [n, m, width]: readonly [number, number, number],
): void {
  for (let i = 0; i < n; i++) {
    const x = i * width;
    let j = 0;
    for (; j + 3 < m; j += 4) {
      const y = j * width;
      let [s, t, u, v] = [0, 0, 0, 0];
      for (let k = 0; k < width; k++) {
        const value = a[x + k] as number;
        s += value * (b[y + k] as number);
        t += value * (b[y + width + k] as number);
        u += value * (b[y + 2 * width + k] as number);
        v += value * (b[y + 3 * width + k] as number);
      }
      out[i * m + j] = s;
      out[i * m + j + 1] = t;
      out[i * m + j + 2] = u;
      out[i * m + j + 3] = v;
    }
    for (; j < m; j++) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += (a[x + k] as number) * (b[j * width + k] as number);
      out[i * m + j] = sum;
    }
  }
}

/** out[i, k] += the sum of a[i, j] * b[j, k]; a has n rows of m values. With `across`, a[j, i] instead: a has m rows of n. */
export function addProduct(
  a: Float32Array,
  b: Float32Array,
  out: Float32Array,
  [n, m, width]: readonly [number, number, number],
  across = false,
): void {
  const [down, right] = across ? [1, n] : [m, 1];
  for (let i = 0; i < n; i++) {
    const z = i * width;
    let j = 0;
    for (; j + 3 < m; j += 4) {
      const x = i * down + j * right;
      const [p, q, r, s] = [
        a[x] as number,
        a[x + right] as number,
        a[x + 2 * right] as number,
        a[x + 3 * right] as number,
      ];
      const y = j * width;
      for (let k = 0; k < width; k++) {
        out[z + k] =
          (out[z + k] as number) +
          p * (b[y + k] as number) +
          q * (b[y + width + k] as number) +
          r * (b[y + 2 * width + k] as number) +
          s * (b[y + 3 * width + k] as number);
      }
    }
    for (; j < m; j++) {
      const value = a[i * down + j * right] as number;
      for (let k = 0; k < width; k++) out[z + k] = (out[z + k] as number) + value * (b[j * width + k] as number);
    }
  }
}
