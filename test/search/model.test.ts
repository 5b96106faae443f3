import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { BUNDLED_SHA256, openBundledModel } from '../../src/search/model/bundled.ts';
import { openStaticModel, readStaticModel } from '../../src/search/model/static-model.ts';
import { quantize } from '../../src/search/vector.ts';
import { cosine } from '../support/cosine.ts';
import { stem } from '../../src/search/words/stem.ts';
import { STOP_WORDS } from '../../src/search/words/stop-words.ts';
import { PACKAGE_DIR } from '../support/run-lectern.ts';

const file = fs.readFileSync(path.join(PACKAGE_DIR, 'model/words.bin'));
const model = openBundledModel(nodeFiles);

/** The vector of plain lower-case words, read from the file in the most obvious way. */
function reference(words: readonly string[]): number[] | undefined {
  const [count, dimensions] = [file.readUInt32LE(8), file.readUInt32LE(12)];
  const rowsAt = 24 + 4 * count;
  const list = file
    .subarray(rowsAt + count * dimensions)
    .toString('utf8')
    .split('\n');
  const sum = Array.from({ length: dimensions }, () => 0);
  let found = false;
  for (const word of words) {
    if (STOP_WORDS.has(word)) continue;
    let row = list.indexOf(word);
    if (row === -1) row = list.slice(0, count).findIndex((each) => stem(each) === stem(word));
    if (row === -1) continue;
    found = true;
    for (let i = 0; i < dimensions; i++)
      sum[i] = (sum[i] ?? 0) + file.readFloatLE(24 + 4 * row) * file.readInt8(rowsAt + row * dimensions + i);
  }
  const length = Math.hypot(...sum);
  return found ? sum.map((value) => value / length) : undefined;
}

describe('the bundled model', () => {
  test('gives a thousand texts the vectors that reading the file in the plainest way gives', () => {
    const texts = Array.from({ length: 1_000 }, (_, i) =>
      Array.from({ length: 1 + (i % 9) }, (__, j) => model.words[(i * 7919 + j * 104_729) % model.words.length] ?? ''),
    ).map((words) => words.filter((word) => /^[a-z]+$/u.test(word)));
    for (const words of texts) {
      const [mine, plain] = [model.embed(words.join(' ')), reference(words)];
      expect(mine === undefined).toBe(plain === undefined);
      if (mine && plain)
        expect(Math.max(...plain.map((value, i) => Math.abs(value - (mine[i] ?? 0))))).toBeLessThan(1e-3);
    }
  });

  test('places related texts closer together', () => {
    const near = (a: string, b: string): number => {
      const [x, y] = [model.embed(a), model.embed(b)];
      return x && y ? cosine(quantize(x), quantize(y)) : 0;
    };
    const question = 'my docker image is huge';
    expect(near(question, 'reduce the size of a container')).toBeGreaterThan(
      near(question, 'pivot tables in a spreadsheet') + 0.2,
    );
  });

  test('has no vector for a text without a known word', () => {
    expect(model.embed('')).toBeUndefined();
    expect(model.embed('the of and')).toBeUndefined();
    expect(model.embed('zzzqqqxx')).toBeUndefined();
  });

  test('is refused if a single byte differs, is missing or too many', () => {
    const changed = Uint8Array.from(file);
    changed[100_000] = (changed[100_000] ?? 0) ^ 1;
    for (const bytes of [changed, file.subarray(0, -1), Buffer.concat([file, Buffer.alloc(4)]), Buffer.alloc(0)])
      expect(() => openStaticModel(bytes, BUNDLED_SHA256)).toThrow(
        expect.objectContaining({ code: 'MODEL_UNAVAILABLE' }),
      );
    for (const bytes of [file.subarray(0, 12), Buffer.alloc(24), file.subarray(0, -1)])
      expect(() => readStaticModel(bytes, '')).toThrow(expect.objectContaining({ code: 'MODEL_UNAVAILABLE' }));
  });
});
