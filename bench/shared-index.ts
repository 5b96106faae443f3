/** What indexing one source costs: all of it, and again after one of its skills changed. In this process, without the rest. */
import { createHash } from 'node:crypto';
import { memoryDisk } from '../src/core/disk/memory-disk.ts';
import { SharedCatalog } from '../src/hub/shared-catalog.ts';
import { openSource } from '../src/hub/shared-source.ts';
import { sharedBodies } from '../src/hub/view.ts';
import { openSharedSearch } from '../src/workspace/open-search.ts';
import { corpusToSearch } from '../src/workspace/search-documents.ts';
import { makeSource } from './shared-corpus.ts';

const ROUNDS = 5;

export async function indexOneChange(): Promise<{ all: number; change: number }> {
  const [all, change]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const shared = { search: openSharedSearch(memoryDisk(), '/cache'), bodies: sharedBodies() };
    const search = async (version: number): Promise<number> => {
      const made = makeSource(1, version);
      const contents = new Map<string, Uint8Array>();
      const files = made.files.map(({ path, text }) => {
        const bytes = new TextEncoder().encode(text);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        contents.set(sha256, bytes);
        return { path, sha256, size: bytes.length, executable: false };
      });
      const stored = { id: 1, team: made.team, name: 'skills', version };
      const source = await openSource(stored, files, ({ sha256 }) => contents.get(sha256));
      const catalog = new SharedCatalog(
        { number: version, teams: [], sources: [source], grants: [], tokens: [] },
        shared,
      );
      const view = catalog.viewFor(made.team);
      const before = process.cpuUsage();
      const { documents } = await corpusToSearch(view, 'enabled', ['skill']);
      await (await view.search()).search(documents, { query: 'refund ledger', mode: 'auto', limit: 10 });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    const [first, second] = [await search(1), await search(2)];
    if (round > 0) {
      all.push(first);
      change.push(second);
    }
  }
  const median = (values: number[]): number =>
    values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  return { all: median(all), change: median(change) };
}
