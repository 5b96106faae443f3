// Measures the index at several sizes: npm run bench:search-scale [-- 100 1000 10000]
// Each step runs in a process of its own, so that its memory and processor time are its own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeDisk } from '../src/core/disk/node-disk.ts';
import { bundledEmbedder } from '../src/search/embed/bundled.ts';
import type { Embedder } from '../src/search/embed/embedder.ts';
import { Search } from '../src/search/search.ts';
import { instantEmbedder, syntheticDocuments } from './search/corpus.ts';
import { readFixture } from './search/fixture.ts';

const QUERIES = [
  'how do I post a message',
  'kalo terminal draposne',
  'corfi surban',
  'vi ne',
  'zenyar wis unver talstolam',
  'karim',
];

interface Measured {
  wallMs: number;
  /** User and system time of the whole process, from its start. */
  cpuMs: number;
  peakMb: number;
  [more: string]: number;
}

async function step(name: string, count: number, dir: string): Promise<Record<string, number>> {
  const open = (embedder: Embedder | undefined): Search =>
    new Search({ disk: nodeDisk, dir, embedder: embedder && (() => embedder) });
  const documents = syntheticDocuments(count, name === 'refresh' ? 1 : 0);
  if (name === 'build' || name === 'refresh') {
    const { manifest } = await open(instantEmbedder()).build({ documents, pid: process.pid, now: Date.now });
    const { documents: table, postings, vectors } = manifest.files;
    return {
      units: manifest.counts.units,
      indexMb: (table.bytes + postings.bytes + (vectors?.bytes ?? 0)) / 1e6,
      postingsMb: postings.bytes / 1e6,
    };
  }
  if (name === 'words-cold') {
    const { total } = await open(undefined).search(documents, { query: QUERIES[1] ?? '', mode: 'hybrid', limit: 10 });
    return { total };
  }
  if (name === 'hybrid-cold') {
    const embedder = bundledEmbedder({ files: nodeDisk, workers: 1 });
    const { total } = await open(embedder).search(documents, { query: QUERIES[0] ?? '', mode: 'hybrid', limit: 10 });
    await embedder.close();
    return { total };
  }
  if (name === 'warm') {
    const search = open(instantEmbedder());
    const times: number[] = [];
    for (let round = 0; round < 60; round++) {
      const start = performance.now();
      await search.search(documents, {
        query: `${QUERIES[round % QUERIES.length] ?? ''} ${round % 7}`,
        mode: 'hybrid',
        limit: 10,
      });
      if (round >= 12) times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    return { p50: times[Math.floor(times.length / 2)] ?? 0, p95: times[Math.floor(times.length * 0.95)] ?? 0 };
  }
  // The model itself, on English of the fixture, by processor time: that stays true on a busy machine.
  const embedder = bundledEmbedder({ files: nodeDisk });
  const words = readFixture('test/fixtures/search').documents.flatMap(
    (document) => `${document.description} ${document.body()}`.match(/[\x21-\x7e]+/gu) ?? [],
  );
  const texts = (length: number): string[] =>
    Array.from({ length: 60 }, (_, i) => words.slice(i * 40, i * 40 + length).join(' '));
  const costOf = async (items: readonly string[]): Promise<number> => {
    const before = process.cpuUsage();
    await embedder.embed(items, 'document');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / items.length;
  };
  await embedder.embed(
    Array.from({ length: 64 }, () => 'warm up'),
    'query',
  );
  const headMs = await costOf(texts(40));
  const chunkMs = await costOf(texts(60));
  const queryMs = await costOf(Array.from({ length: 20 }, () => 'which revision broke the feature'));
  await embedder.close();
  return { headMs, chunkMs, queryMs };
}

function measure(name: string, count: number, dir: string): Measured {
  const started = performance.now();
  const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'step', name, String(count), dir], {
    encoding: 'utf8',
  });
  return { ...JSON.parse(output), wallMs: performance.now() - started };
}

const [first = '', ...rest] = process.argv.slice(2);
if (first === 'step') {
  const [name = '', count = '0', dir = ''] = rest;
  const result = await step(name, Number(count), dir);
  const { user, system } = process.cpuUsage();
  console.log(
    JSON.stringify({ ...result, cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024 }),
  );
} else {
  const sizes = [first, ...rest].filter((text) => text !== '').map(Number);
  const bare = (() => {
    const start = performance.now();
    execFileSync(process.execPath, ['-e', '0']);
    return performance.now() - start;
  })();
  console.log(`${os.availableParallelism()} cores; a bare Node process takes ${bare.toFixed(0)} ms\n`);
  for (const count of sizes.length > 0 ? sizes : [100, 1_000, 10_000]) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'lectern-scale-'));
    const show = (label: string, result: Measured, extra = ''): void =>
      console.log(
        `  ${label.padEnd(38)} ${result.wallMs.toFixed(0).padStart(7)} ms wall ${result.cpuMs.toFixed(0).padStart(7)} ms CPU ${result.peakMb.toFixed(0).padStart(5)} MB peak${extra}`,
      );
    console.log(`${count} documents`);
    const built = measure('build', count, dir);
    show(
      'build, without the model',
      built,
      `   ${built['units']} texts, index ${built['indexMb']?.toFixed(1)} MB, of it words ${built['postingsMb']?.toFixed(1)} MB`,
    );
    show('refresh after one change', measure('refresh', count, dir));
    show('first query by words, new process', measure('words-cold', count, dir));
    show('first hybrid query, new process', measure('hybrid-cold', count, dir));
    const warm = measure('warm', count, dir);
    console.log(
      `  warm hybrid query without the model    p50 ${warm['p50']?.toFixed(1)} ms, p95 ${warm['p95']?.toFixed(1)} ms; ${warm.peakMb.toFixed(0)} MB peak`,
    );
    rmSync(dir, { recursive: true });
    console.log('');
  }
  const model = measure('model', 100, '');
  const headMs = model['headMs'] ?? 0;
  const chunkMs = model['chunkMs'] ?? 0;
  const minutes = (ms: number): string => (ms / os.availableParallelism() / 60_000).toFixed(1);
  console.log(
    `the model: ${headMs.toFixed(0)} ms CPU a head of 40 words, ${chunkMs.toFixed(0)} ms a chunk of 60 words, ${model['queryMs']?.toFixed(0)} ms a query; ${model.peakMb.toFixed(0)} MB peak`,
  );
  console.log(
    `10,000 documents with three chunks each on these cores: heads in ${minutes(headMs * 10_000)} min, all in ${minutes(headMs * 10_000 + chunkMs * 30_000)} min`,
  );
}
