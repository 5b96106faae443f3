import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../src/core/disk/answers.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { openIndex } from '../../src/search/store/open.ts';

/** Real processes on a real disk: what only shows when a builder dies or is not alone. */
const root = path.resolve(import.meta.dirname, '../..');
let scratch = '';
let script = '';

beforeAll(async () => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'lectern-builders-'));
  const bundle = await rolldown({
    cwd: root,
    input: { builder: 'test/support/builder-process.ts' },
    platform: 'node',
    external: [/^node:/u],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    logLevel: 'silent',
  });
  await bundle.write({ dir: scratch, format: 'esm', entryFileNames: '[name].mjs' });
  await bundle.close();
  script = path.join(scratch, 'builder.mjs');
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Builder {
  child: ChildProcess;
  started: Promise<void>;
  ended: Promise<{ code: number | null; out: string; err: string }>;
}

function startBuilder(
  dir: string,
  count: number,
  edition: string,
  { delayMs = 0, batches = Number.POSITIVE_INFINITY } = {},
): Builder {
  const child = spawn(process.execPath, [script, dir, String(count), edition, String(delayMs), String(batches)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const started = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, out, err })),
  );
  return { child, started, ended };
}

/** The number of documents and whether every text has a vector; anything but a whole index is a word. */
function look(dir: string): string {
  const opened = openIndex(nodeDisk, dir, { vectors: true });
  if (opened.state !== 'ready') return opened.state;
  return `${opened.content.documents.length} documents`;
}

describe('builders in processes of their own', () => {
  test('killed at any moment, a builder leaves the old index or the new one, and the next one finishes the work', async () => {
    const dir = path.join(scratch, 'killed');
    expect((await startBuilder(dir, 40, 'first').ended).code).toBe(0);
    const seen = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const builder = startBuilder(dir, 300, `edition${round % 3}`, { delayMs: 2 });
      await builder.started;
      await new Promise((resolve) => {
        setTimeout(resolve, round * 20);
      });
      builder.child.kill('SIGKILL');
      await builder.ended;
      seen.add(look(dir));
    }
    expect([...seen].filter((state) => state !== '40 documents' && state !== '300 documents')).toEqual([]);
    const last = await startBuilder(dir, 300, 'edition0').ended;
    expect(last).toMatchObject({ code: 0, err: '' });
    expect(look(dir)).toBe('300 documents');
    expect(readdirSync(dir).filter((name) => name.startsWith('building-'))).toEqual([]);
  });

  test('a builder takes over what a killed one has computed', async () => {
    const dir = path.join(scratch, 'resumed');
    // This one computes ten batches and then waits for a model that does not answer.
    const builder = startBuilder(dir, 150, 'same', { batches: 10 });
    await expect
      .poll(() =>
        entriesOf(nodeDisk, dir).some(
          ({ name }) => (nodeDisk.look(path.join(dir, name, 'vectors.journal'))?.stamp.size ?? 0) > 1_000,
        ),
      )
      .toBe(true);
    builder.child.kill('SIGKILL');
    await builder.ended;
    const { out } = await startBuilder(dir, 150, 'same').ended;
    expect(JSON.parse(out.split('\n')[1] ?? '').embedded).toBeLessThan(300);
  });

  test('two at once both succeed, and a whole index of one of them is in place', async () => {
    const dir = path.join(scratch, 'together');
    const ends = await Promise.all(
      ['a', 'b', 'c'].map((edition, i) => startBuilder(dir, 100 + i, edition, { delayMs: 1 }).ended),
    );
    expect(ends.map(({ code, err }) => ({ code, err }))).toEqual(
      Array.from({ length: 3 }, () => ({ code: 0, err: '' })),
    );
    expect(['100 documents', '101 documents', '102 documents']).toContain(look(dir));
  });

  test('a folder that cannot be written is a clear error', async () => {
    const dir = path.join(script, 'inside-a-file');
    const { code, err } = await startBuilder(dir, 3, 'x').ended;
    expect(code).toBe(1);
    expect(err).toContain('Cannot write the search index: a file is in the way of a folder');
  });
});
