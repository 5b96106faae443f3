/**
 * What a replica of a shared catalog costs, with real processes: `npm run bench:shared -- 100000` takes another number of skills.
 * PostgreSQL is filled, and `lectern serve` answers over HTTP beside a bare server on the same SDK and, up to 10,000 skills,
 * `lectern mcp` over the same files. They take turns. All figures are processor time of the server, and ratios are of medians.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { AdminStore } from '../src/store/admin-store.ts';
import { CatalogStore, type StoredFile, type StoredSource } from '../src/store/catalog-store.ts';
import { Database } from '../src/store/database.ts';
import { digestOfFiles, SegmentStore, type StoredSegment } from '../src/store/segment-store.ts';
import { openSharedSearch } from '../src/workspace/open-search.ts';
import { memoryDisk } from '../src/core/disk/memory-disk.ts';
import { openPublished } from '../src/hub/shared-source.ts';
import { sourceIndexOf, sharedBodies } from '../src/hub/view.ts';
import type { SegmentFiles } from '../src/search/document.ts';
import { vectorsFormat, WORDS_FORMAT } from '../src/search/segments/make-segment.ts';
import { slicesOf } from '../src/search/segments/slice.ts';
import { hasPostgres, startPostgres } from '../test/support/postgres.ts';
import { bundleBare, costOf, modern, post, startHttp } from './server.mjs';
import { type MadeSource, makeSource, PER_SOURCE, questions, teamOf } from './shared-corpus.ts';
import { indexOneChange } from './shared-index.ts';

const SOURCES = Math.ceil(Number(process.argv[2] ?? 10_000) / PER_SOURCE);
const TEAMS = 200;
/** Three of four sources are for everyone. */
const isForAll = (source: number): boolean => source % 4 !== 3;
/** The one that is changed. */
const CHANGED = 1;
/** More files than this are no project on one machine. */
const SINGLE_MAX = 10_000;
const ROUNDS = 7;
const CALLS = 200;
const SEARCHES = 20;
const SWAPS = 5;
const CONNECTIONS = 8;
const BATCH = 200;

interface Server {
  url: string;
  pid: number;
  token: string;
  stop(): void;
}
type Call = [method: string, params: Record<string, unknown>, name?: string];

if (!hasPostgres) throw new Error('this needs PostgreSQL');
const root = process.cwd();
const cli = path.join(root, 'dist/cli.cjs');
const work = mkdtempSync(path.join(os.tmpdir(), 'lectern-bench-shared-'));
const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const postgres = await startPostgres();
const url = await postgres.database();
const database = new Database({ url });
const store = new CatalogStore(database);
const admin = new AdminStore(database, 'bench');
const engine = openSharedSearch(memoryDisk(), '/cache');
const indexer = engine.openIndexer(say);
/** Of the source that is changed. */
const indexed = new Map<number, SegmentFiles[]>();
let segmentBytes = 0;
const running: Server[] = [];
try {
  await run();
} finally {
  for (const server of running) server.stop();
  agent.destroy();
  await database.close();
  await postgres[Symbol.asyncDispose]();
  rmSync(work, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const tokens = await fill();
  const first = tokens[0] ?? '';
  const visible = Array.from({ length: SOURCES }, (_, source) => source).filter(isForAll).length * PER_SOURCE;
  say(`${SOURCES * PER_SOURCE} skills in ${SOURCES} sources; the caller sees ${visible}`);
  say(`${(segmentBytes / SOURCES / PER_SOURCE).toFixed(0)} bytes a skill are stored for search\n`);

  const cache = path.join(work, 'cache');
  const fresh = await startReplica(cache, first);
  const loading = costOf(fresh.pid);
  show('load everything from the database', loading.cpu, loading.now);
  const loaded = await settled(fresh);
  show('and everything for search', loaded.cpu - loading.cpu, loaded.now);
  fresh.stop();
  const replica = await startReplica(cache, first);
  const starting = costOf(replica.pid);
  show('start from the cache folder', starting.cpu, starting.now);
  const started = await settled(replica);
  show('and everything for search', started.cpu - starting.cpu, started.now);

  const wanted = texts(15);
  const bytes = wanted.reduce((sum, { length }) => sum + length, 0) / wanted.length;
  const bare = await start([await bundleBare(root, path.join(work, 'bare')), 'http'], { TEXT_BYTES: String(bytes) });
  const single = SOURCES * PER_SOURCE <= SINGLE_MAX ? await startSingle() : undefined;
  const load = (at: number): Call => tool('skill', { name: wanted[at % wanted.length]?.name });
  const asking = questions(50);
  const find =
    (mode: string) =>
    (at: number): Call =>
      tool('skills_search', { query: asking[at % asking.length], mode });
  const list = (): Call => ['tools/list', {}];

  await once('first skill of a view', replica, load);
  await once('first tools/list of a view', replica, list);
  const beforeSearch = costOf(replica.pid).now;
  await once('first search of a view', replica, find('auto'));
  await once('first search by keywords', replica, find('keyword'));

  const figures = await inTurns({
    'skill, bare': () => each(bare, CALLS, load),
    'skill, lectern serve': () => each(replica, CALLS, load),
    ...(single ? { 'skill, lectern mcp': () => each(single, CALLS, load) } : {}),
    'tools/list, bare': () => each(bare, CALLS, list),
    'tools/list, lectern serve': () => each(replica, CALLS, list),
    'search, lectern serve': () => each(replica, SEARCHES, find('auto')),
    'keywords, lectern serve': () => each(replica, SEARCHES, find('keyword')),
  });
  const afterCalls = costOf(replica.pid).now;
  const idle = costOf(bare.pid).now;
  const words = await wordsAlone(cache, first, find('auto'));
  const changes = await swaps(replica, load);
  const indexing = await indexOneChange();

  const of = (name: string): number => median(figures[name] ?? []);
  say('\nmilliseconds a call: median (quartiles)');
  for (const [name, values] of Object.entries(figures))
    say(`  ${name.padEnd(30)}${of(name).toFixed(3).padStart(10)} (${quartiles(values)})`);
  say(
    `  ${'search by words'.padEnd(30)}${median(words.searches).toFixed(3).padStart(10)} (${quartiles(words.searches)})`,
  );
  say('\nratios');
  ratio('skill / bare', of('skill, lectern serve') / of('skill, bare'), 1.25);
  if (single) ratio('skill / lectern mcp', of('skill, lectern serve') / of('skill, lectern mcp'), 1.15);
  ratio('tools/list / bare', of('tools/list, lectern serve') / of('tools/list, bare'));
  ratio('search by words / skill of bare', median(words.searches) / of('skill, bare'), 4.5);
  ratio('search / skill of bare', of('search, lectern serve') / of('skill, bare'));
  ratio('keywords / skill of bare', of('keywords, lectern serve') / of('skill, bare'));
  ratio('memory without vectors / bare', words.memory / idle, 6);
  ratio('memory before a search / bare', beforeSearch / idle);
  ratio('memory after searches / bare', afterCalls / idle);
  ratio('a swap / load everything', changes.swap / loading.cpu, 0.05);
  ratio('a swap, search and first skill / load', changes.swapAndCall / loading.cpu);
  ratio('index one change of 500 / all', indexing.change / indexing.all, 0.35);
  say(`\nbare ${idle.toFixed(0)} MB; serve ${beforeSearch.toFixed(0)} MB, after searches ${afterCalls.toFixed(0)} MB`);
  const views = await manyViews(replica, tokens);
  say(
    `${TEAMS} views: ${views.cpu.toFixed(0)} ms, ${views.before.toFixed(0)} MB before, ${views.after.toFixed(0)} MB after`,
  );
}

/** The database, with one team and source after the other; tokens for many teams. */
async function fill(): Promise<string[]> {
  for (let source = 0; source < SOURCES; source++) {
    const made = makeSource(source);
    await admin.addTeam(made.team);
    await admin.addSource({ team: made.team, name: 'skills' });
    if (isForAll(source)) await admin.grant({ team: made.team, name: 'skills' }, '*');
    await publish(made);
  }
  const tokens: string[] = [];
  for (let team = 0; team < TEAMS; team++) {
    if (team >= SOURCES) await admin.addTeam(teamOf(team));
    const expiresAt = new Date(Date.now() + 86_400_000);
    tokens.push((await admin.addToken({ name: 'bench', team: teamOf(team), scopes: ['read'], expiresAt })).secret);
  }
  return tokens;
}

async function publish({ team, files }: MadeSource): Promise<number> {
  const stored: StoredFile[] = [];
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH).map(({ path: name, text }) => {
      const content = Buffer.from(text);
      const hash = createHash('sha256').update(content).digest();
      stored.push({ path: name, sha256: hash.toString('hex'), size: content.length, executable: false });
      return { hash, content };
    });
    await database.query(
      `insert into blob (sha256, size, content)
       select hash, length(content), content from unnest($1::bytea[], $2::bytea[]) as b (hash, content) on conflict do nothing`,
      [batch.map(({ hash }) => hash), batch.map(({ content }) => content)],
    );
  }
  const source = (await store.findSource(team, 'skills')) as StoredSource;
  await storeSegments(source, stored, new Map(files.map(({ text }, index) => [stored[index]?.sha256 ?? '', text])));
  return (await store.publish(source, source.version, stored, { actor: 'bench' })).number;
}

/** What a replica that publishes does before. */
async function storeSegments(
  source: StoredSource,
  files: readonly StoredFile[],
  contents: ReadonlyMap<string, string>,
): Promise<void> {
  const opened = await openPublished(source, files, ({ sha256 }) => Buffer.from(contents.get(sha256) ?? ''));
  const part = sourceIndexOf(opened, { search: engine.search, bodies: sharedBodies() });
  const made = await indexer.make(slicesOf(await part.documents()), indexed.get(source.id) ?? []);
  if (source.team === teamOf(CHANGED)) indexed.set(source.id, made);
  const formats = [WORDS_FORMAT, vectorsFormat(engine.model ?? '')];
  const segments: StoredSegment[] = [];
  for (const [position, { words, vectors }] of made.entries())
    for (const [index, content] of [words, vectors ?? words].entries()) {
      segmentBytes += content.length;
      const sha256 = await store.upload(content);
      segments.push({ format: formats[index] ?? '', position, sha256, size: content.length });
    }
  await new SegmentStore(database).add({ sourceId: source.id, files: digestOfFiles(files) }, segments);
}

async function start(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = work,
  token = '',
): Promise<Server> {
  const { child, url: at } = await startHttp([...args], cwd, env);
  const server = { url: at, pid: child.pid ?? 0, token, stop: () => void child.kill('SIGKILL') };
  running.push(server);
  return server;
}

function startReplica(cache: string, token: string, dir = work): Promise<Server> {
  return start(
    [cli, 'serve', '--cache', cache, '--port', '0'],
    { LECTERN_DATABASE_URL: url, ...passedOn() },
    dir,
    token,
  );
}

/** For a profile of the replica: BENCH_NODE_OPTIONS='--cpu-prof --cpu-prof-dir=DIR'. */
function passedOn(): Record<string, string> {
  const options = process.env['BENCH_NODE_OPTIONS'];
  return options === undefined ? {} : { NODE_OPTIONS: options };
}

/** A replica without vectors, after the same calls. */
async function wordsAlone(cache: string, token: string, find: (at: number) => Call) {
  const home = path.join(work, 'words');
  mkdirSync(path.join(home, '.config/lectern'), { recursive: true });
  writeFileSync(path.join(home, '.config/lectern/config.json'), JSON.stringify({ search: { embeddings: 'none' } }));
  const replica = await startReplica(cache, token, home);
  const searches: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) searches.push(await each(replica, SEARCHES, find));
  const memory = costOf(replica.pid).now;
  replica.stop();
  return { searches: searches.slice(1), memory };
}

/** The same skills as a project, in a folder for each source. */
function startSingle(): Promise<Server> {
  const project = path.join(work, 'project');
  for (let source = 0; source < SOURCES; source++) {
    if (!isForAll(source)) continue;
    for (const { path: name, text } of makeSource(source).files) {
      if (!name.startsWith('skills/')) continue;
      const place = path.join(project, '.claude/skills', teamOf(source), name.slice('skills/'.length));
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text);
    }
  }
  return start([cli, 'mcp', '--transport', 'http', '--port', '0'], {}, project);
}

/** Skills of all visible sources that one name finds. */
function texts(perSource: number): { name: string; length: number }[] {
  return Array.from({ length: Math.min(SOURCES, 40) }, (_, source) => source)
    .filter(isForAll)
    .flatMap((source) => {
      const { names, files } = makeSource(source);
      return names
        .filter((name) => !name.startsWith('common-'))
        .filter((_, index) => index % Math.floor(PER_SOURCE / perSource) === 0)
        .map((name) => ({
          name,
          length: files.find((file) => file.path === `skills/${name}/SKILL.md`)?.text.length ?? 0,
        }));
    });
}

function tool(name: string, args: Record<string, unknown>): Call {
  return ['tools/call', { name, arguments: args }, name];
}

async function ask({ url: at, token }: Server, call: Call): Promise<string> {
  const [headers, body] = modern(...call);
  const send = (): ReturnType<typeof post> => post(at, { ...headers, authorization: `Bearer ${token}` }, body, agent);
  // A server may close a connection that was idle, while the others had their turn, just when it is used again.
  const { status, text } = await send().catch(send);
  if (status !== 200 || text.includes('"isError":true')) throw new Error(`${status}: ${text.slice(0, 500)}`);
  return text;
}

/** When a replica has done what it does in the background. */
async function settled({ pid }: Server): Promise<ReturnType<typeof costOf>> {
  for (let before = -Infinity; ;) {
    const now = cpuOf(pid);
    if (now - before < 25) return costOf(pid);
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Processor time of the server for each of so many calls. */
async function each(server: Server, count: number, call: (at: number) => Call): Promise<number> {
  const before = cpuOf(server.pid);
  let at = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (at < count) await ask(server, call(at++));
    }),
  );
  return (cpuOf(server.pid) - before) / count;
}

/** Milliseconds of all threads that run now. Finer than the ticks of `costOf`, but threads that ended are missing. */
function cpuOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
    .reduce((sum, each) => sum + each, 0);
}

async function once(what: string, server: Server, call: (at: number) => Call): Promise<void> {
  const cpu = await each(server, 1, call);
  show(what, cpu, costOf(server.pid).now);
}

async function inTurns(kinds: Record<string, () => Promise<number>>): Promise<Record<string, number[]>> {
  const samples: Record<string, number[]> = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, measure] of Object.entries(kinds)) {
      const sample = await measure();
      // The first warms up.
      if (round > 0) samples[name]?.push(sample);
    }
  return samples;
}

/** One skill changes several times; the replica is asked for its number until it serves the change. */
async function swaps(replica: Server, call: (at: number) => Call): Promise<{ swap: number; swapAndCall: number }> {
  const [swap, swapAndCall]: [number[], number[]] = [[], []];
  for (let version = 2; version < 2 + SWAPS; version++) {
    const made = makeSource(CHANGED, version);
    const before = cpuOf(replica.pid);
    const number = await publish(made);
    while ((await snapshotOf(replica)) < number) await new Promise((resolve) => setTimeout(resolve, 100));
    swap.push(cpuOf(replica.pid) - before);
    await settled(replica);
    await ask(replica, call(0));
    swapAndCall.push(cpuOf(replica.pid) - before);
  }
  return { swap: median(swap), swapAndCall: median(swapAndCall) };
}

async function snapshotOf({ url: at }: Server): Promise<number> {
  const answer = await fetch(new URL('/readyz', at));
  return ((await answer.json()) as { snapshot: number }).snapshot;
}

async function manyViews(replica: Server, tokens: readonly string[]) {
  const [wanted] = texts(1);
  const before = costOf(replica.pid);
  for (const token of tokens) {
    await ask({ ...replica, token }, ['tools/list', {}]);
    await ask({ ...replica, token }, tool('skills_list', {}));
    await ask({ ...replica, token }, tool('skill', { name: wanted?.name }));
  }
  const after = costOf(replica.pid);
  return { cpu: after.cpu - before.cpu, before: before.now, after: after.now };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function quartiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return [0.25, 0.75].map((part) => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(3)).join(' to ');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function show(what: string, cpu: number, memory: number): void {
  say(`${what.padEnd(36)}${cpu.toFixed(0).padStart(8)} ms ${memory.toFixed(0).padStart(6)} MB`);
}

function ratio(what: string, value: number, most?: number): void {
  const verdict = most === undefined ? '' : value <= most ? `  at most ${most}` : `  OVER ${most}`;
  say(`  ${what.padEnd(36)}${value.toFixed(3).padStart(8)}${verdict}`);
}
