/**
 * What a replica of a shared catalog costs: loading everything, a swap after one change, and searching, without the database.
 * Prints milliseconds of processor time, and the ratios that matter. `npm run bench:shared -- 100000` takes another number of skills.
 */
import { createHash } from 'node:crypto';
import { memoryDisk } from '../src/core/disk/memory-disk.ts';
import { SharedCatalog } from '../src/hub/shared-catalog.ts';
import { openSource, type SharedSource } from '../src/hub/shared-source.ts';
import { sharedBodies, type View } from '../src/hub/view.ts';
import { loadSkill } from '../src/operations/load-skill.ts';
import { openSharedSearch } from '../src/workspace/open-search.ts';
import { corpusToSearch } from '../src/workspace/search-documents.ts';

const PER_SOURCE = 50;
const SOURCES = Math.ceil(Number(process.argv[2] ?? 10_000) / PER_SOURCE);
const WORDS =
  'invoice refund ledger customer export order payment tax audit report stock search cart price book schema deploy'.split(
    ' ',
  );
const word = (index: number): string => WORDS[index % WORDS.length] ?? '';
const contents = new Map<string, Uint8Array>();

function skillFile(source: number, index: number, version: number) {
  const name = `${word(index)}-${source}-${index}`;
  const body = Array.from({ length: 120 }, (_, at) => word(at * (source + 3) + index * 7 + version)).join(' ');
  const description = `About ${word(index)} and ${word(source + index)} in team ${source}.`;
  const bytes = new TextEncoder().encode(`---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  contents.set(sha256, bytes);
  return { path: `skills/${name}/SKILL.md`, sha256, size: bytes.length, executable: false };
}

function open(source: number, version: number): Promise<SharedSource> {
  // One of its skills changes with the version.
  const files = Array.from({ length: PER_SOURCE }, (_, index) => skillFile(source, index, index === 0 ? version : 1));
  const stored = { id: source, team: `team-${source}`, name: 'skills', version };
  return openSource(stored, files, ({ sha256 }) => contents.get(sha256));
}

async function measured(what: string, work: () => Promise<unknown>, times = 1): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) await work();
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000 / times;
  process.stdout.write(`${what.padEnd(44)}${ms.toFixed(2).padStart(10)} ms\n`);
  return ms;
}

const sources: SharedSource[] = [];
const loading = await measured(`load ${SOURCES * PER_SOURCE} skills in ${SOURCES} sources`, async () => {
  for (let source = 0; source < SOURCES; source++) sources.push(await open(source, 1));
});
const grants = sources.map(({ stored }) => ({ sourceId: stored.id, reader: '*' }));
const tokens = [{ id: 1, name: 'bench', hash: '', team: 'team-0', scopes: ['read'] as const, expiresAt: Infinity }];
const shared = { search: openSharedSearch(memoryDisk(), '/cache'), bodies: sharedBodies() };
const catalog = new SharedCatalog({ number: 1, teams: [], sources, grants, tokens }, shared);

const load = (view: View, name: string): Promise<unknown> => loadSkill.run({ name }, view, {});
const search = async (view: View): Promise<unknown> => {
  const { documents } = await corpusToSearch(view, 'enabled', ['skill']);
  return (await view.search()).search(documents, { query: 'refund ledger export', mode: 'auto', limit: 10 });
};
const name = `${word(1)}-1-1`;
await measured('a view of all, and its first skill', () => load(catalog.viewFor('team-0'), name));
await measured('skill', () => load(catalog.viewFor('team-0'), name), 500);
const indexing = await measured('index everything, and search', () => search(catalog.viewFor('team-0')));
await measured('search', () => search(catalog.viewFor('team-0')), 20);

let next = catalog;
const swap = await measured('a swap after one change', async () => {
  const changed = await open(1, 2);
  const all = sources.map((source, index) => (index === 1 ? changed : source));
  next = new SharedCatalog({ number: 2, teams: [], sources: all, grants, tokens }, shared, catalog);
});
await measured('the next view, and its first skill', () => load(next.viewFor('team-0'), name));
const again = await measured('index one change, and search', () => search(next.viewFor('team-0')));

const { rss } = process.memoryUsage();
process.stdout.write(
  `\nswap / load ${(swap / loading).toFixed(4)}; index one change / all ${(again / indexing).toFixed(3)}; memory ${Math.round(rss / 1e6)} MB\n`,
);
