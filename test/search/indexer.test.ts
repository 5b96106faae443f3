import path from 'node:path';
import { expect, test } from 'vitest';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import type { SearchDocument, SegmentFiles } from '../../src/search/document.ts';
import { Indexer } from '../../src/search/segments/indexer.ts';
import { slicesOf } from '../../src/search/segments/slice.ts';
import { doc } from '../support/documents.ts';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { tempFolder } from '../support/temp-folder.ts';

const THREAD = path.join(PACKAGE_DIR, 'dist/index-thread.cjs');

const documents = (version: number): SearchDocument[] =>
  Array.from({ length: 40 }, (_, index) =>
    doc(`skill-${index}`, {
      description: `Fills form ${index}`,
      body: `Reads invoices and tables.\n\nVersion ${index === 0 ? version : 1}`,
    }),
  );

function open(thread: string | undefined, withVectors = true) {
  const said: string[] = [];
  const indexer = new Indexer({ withVectors, files: nodeFiles, warn: (text) => said.push(text), thread });
  return { indexer, said };
}

const plain = (made: readonly SegmentFiles[]): SegmentFiles[] =>
  made.map(({ words, vectors }) => ({ words: Uint8Array.from(words), vectors: vectors && Uint8Array.from(vectors) }));

test.each([true, false])('a thread makes the same bytes as this process; with vectors: %s', async (withVectors) => {
  const here = open(undefined, withVectors);
  const there = open(THREAD, withVectors);
  const first = await here.indexer.make(slicesOf(documents(1)), []);
  expect(first[0]?.vectors === undefined).toBe(!withVectors);
  expect(plain(await there.indexer.make(slicesOf(documents(1)), []))).toEqual(plain(first));
  const next = plain(await here.indexer.make(slicesOf(documents(2)), []));
  expect(next).not.toEqual(plain(first));
  // Also with what the version before had, and several at once.
  const both = [here, there].map(({ indexer }) => indexer.make(slicesOf(documents(2)), first));
  for (const made of await Promise.all(both)) expect(plain(made)).toEqual(next);
  expect([...here.said, ...there.said]).toEqual([]);
  await there.indexer.close();
});

test('a thread that dies is replaced, and then done without', async () => {
  using folder = tempFolder();
  folder.write({
    'dies.cjs': `require('node:worker_threads').parentPort.on('message', () => process.exit(1));`,
    'throws.cjs': `require('node:worker_threads').parentPort.on('message', () => { throw new Error('out of luck'); });`,
  });
  const expected = plain(await open(undefined).indexer.make(slicesOf(documents(1)), []));
  for (const thread of ['dies.cjs', 'throws.cjs', 'missing.cjs']) {
    const { indexer, said } = open(folder.at(thread));
    expect(plain(await indexer.make(slicesOf(documents(1)), []))).toEqual(expected);
    expect(said).toHaveLength(2);
    await indexer.close();
  }
});

test('a closed indexer builds nothing more, and pending requests are rejected', async () => {
  const { indexer, said } = open(THREAD);
  const pending = indexer.make(slicesOf(documents(1)), []);
  await indexer.close();
  await expect(pending).rejects.toThrow();
  await expect(indexer.make(slicesOf(documents(1)), [])).rejects.toThrow();
  expect(said).toEqual([]);
});
