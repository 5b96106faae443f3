/** What indexing one source costs: all of it, and again after one of its skills changed. In this process, without the rest. */
import { nodeFiles } from '../src/core/disk/node-tree.ts';
import type { SegmentFiles } from '../src/search/document.ts';
import type { Text } from '../src/search/texts.ts';
import { openBundledModel } from '../src/search/model/bundled.ts';
import { knownEntries, makeSegment } from '../src/search/segments/make-segment.ts';
import { makeSource } from './shared-corpus.ts';

const ROUNDS = 5;
const ID = 'bench'.padEnd(16);

export async function indexOneChange(): Promise<{ all: number; change: number; bytes: number }> {
  const model = openBundledModel(nodeFiles);
  const [before, after] = [textsOf(1), textsOf(2)];
  const make = (texts: readonly Text[], previous: readonly SegmentFiles[]): Promise<SegmentFiles> =>
    makeSegment(ID, texts, (text) => model.embed(text), knownEntries(previous, true));
  const [all, change]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const start = process.cpuUsage();
    const made = await make(before, []);
    const first = cpuSince(start);
    const next = process.cpuUsage();
    await make(after, [made]);
    const second = cpuSince(next);
    bytes = made.words.length + (made.vectors?.length ?? 0);
    if (round === 0) continue;
    all.push(first);
    change.push(second);
  }
  return { all: median(all), change: median(change), bytes };
}

function textsOf(version: number): Text[] {
  return makeSource(1, version)
    .files.filter(({ path }) => path.endsWith('/SKILL.md'))
    .map(({ path, text }) => {
      const [, header = '', body = ''] = /^---\n(.*?)---\n(.*)$/su.exec(text) ?? [];
      const name = path.split('/')[1] ?? '';
      return { names: [name, name], description: /^description: (.*)$/mu.exec(header)?.[1] ?? '', body };
    });
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
