import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { bundledEmbedder, type BundledOptions } from '../../src/search/embed/bundled.ts';
import { BUNDLED_FLOOR, findBundledModel } from '../../src/search/embed/bundled-files.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';

let embedder: Embedder | undefined;
afterEach(async () => {
  await embedder?.close();
  embedder = undefined;
});

const open = (options: Partial<BundledOptions> = {}): Embedder =>
  (embedder = bundledEmbedder({ files: nodeFiles, workers: 1, ...options }));

const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a && b ? a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) : Number.NaN;

describe.skipIf(findBundledModel() === undefined)('the bundled model', () => {
  test('texts of one meaning are nearer than its floor, unrelated ones are not', async () => {
    const [question, answer, other] = await open().embed(
      ['how do I undo my last commit', 'revert the most recent change in git', 'bake a chocolate cake'],
      'query',
    );
    expect(question).toHaveLength(512);
    expect(cosine(question, answer)).toBeGreaterThan(BUNDLED_FLOOR);
    expect(cosine(question, other)).toBeLessThan(BUNDLED_FLOOR);
  });

  test('an empty text, and one in a script it does not know, get the zero vector and disturb nobody', async () => {
    const vectors = await open().embed(['', '数据库备份与恢复', '???', 'backup'], 'document');
    expect(vectors.map((vector) => vector.some((value) => value !== 0))).toEqual([false, false, false, true]);
  });

  test('many texts come back in their order', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `text about subject number ${i}`);
    const together = await open({ workers: 2 }).embed(texts, 'document');
    const alone = await open().embed(texts.slice(13, 14), 'document');
    expect(cosine(together[13], alone[0])).toBeGreaterThan(0.9999);
  });

  test('an idle worker ends, and the next question starts another', async () => {
    const model = open({ idleMs: 1 });
    await model.embed(['one'], 'query');
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    await expect(model.embed(['two'], 'query')).resolves.toHaveLength(1);
  });

  test('closing while it works is said, not hung', async () => {
    const model = open();
    const outcome = model.embed(['one', 'two'], 'query').catch((error: unknown) => error);
    await model.close();
    expect(await outcome).toMatchObject({ code: 'INTERRUPTED' });
  });

  test('a model whose files differ is refused', async () => {
    const tampered = {
      ...nodeFiles,
      read: (file: string, max: number) => {
        const found = nodeFiles.read(file, max);
        return file.endsWith('vocab.json')
          ? { ...found, bytes: found.bytes.map((byte, i) => (i === 5 ? byte ^ 1 : byte)) }
          : found;
      },
    };
    await expect(open({ files: tampered }).embed(['one'], 'query')).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('a different hash'),
    });
  });
});

test('a model that is not installed is a clear error with a next step', async () => {
  expect(open({}).unavailable?.()).toBeUndefined();
  expect(open({ base: pathToFileURL('/nowhere/module.js').href }).unavailable?.()).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
  });
  await expect(open({ base: pathToFileURL('/nowhere/module.js').href }).embed(['one'], 'query')).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: 'The embedding model is not installed.',
    hint: expect.stringContaining('--omit=optional'),
  });
});
