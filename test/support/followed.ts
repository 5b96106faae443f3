/** A database with one source, and followers of it in this process. */
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { Follower } from '../../src/hub/follower.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { AdminStore } from '../../src/store/admin-store.ts';
import { CatalogStore, type StoredSource } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { ask } from './ask.ts';
import type { TestPostgres } from './postgres.ts';

export const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n---\n\n${body}\n`;

export interface Followed extends AsyncDisposable {
  url: string;
  database: Database;
  store: CatalogStore;
  source: StoredSource;
  disk: ReturnType<typeof memoryDisk>;
  said: string[];
  follower(database?: Database, pollMs?: number, disk?: Disk, cacheDir?: string): Follower;
  publish(body: string): Promise<number>;
}

export async function followedOn(server: TestPostgres): Promise<Followed> {
  const url = await server.database();
  const database = new Database({ url });
  const store = new CatalogStore(database);
  const admin = new AdminStore(database, 'operator');
  await admin.addTeam('a');
  await admin.addSource({ team: 'a', name: 'one' });
  await admin.addToken({ name: 'x', team: 'a', scopes: ['read'], expiresAt: new Date(Date.now() + 1_000_000) });
  const get = async (): Promise<StoredSource> => (await store.findSource('a', 'one')) as StoredSource;
  const disk = memoryDisk();
  const said: string[] = [];
  const log = {
    info: () => undefined,
    warn: (text: string) => said.push(text),
    bug: (error: unknown) => said.push(String(error)),
  };
  const followers: Follower[] = [];
  return {
    url,
    database,
    store,
    source: await get(),
    disk,
    said,
    follower(through = database, pollMs = 1_000_000, kept: Disk = disk, cacheDir = '/cache') {
      const made = new Follower({
        database: through,
        store: new CatalogStore(through),
        disk: kept,
        cacheDir,
        id: `replica-${followers.length}`,
        pollMs,
        log,
      });
      followers.push(made);
      return made;
    },
    async publish(body) {
      const content = new TextEncoder().encode(skill('pdf', body));
      const sha256 = await store.upload(content);
      const { version } = await get();
      const files = [{ path: 'skills/pdf/SKILL.md', sha256, size: content.length, executable: false }];
      return (await store.publish(await get(), version, files, { actor: 'ada' })).number;
    },
    async [Symbol.asyncDispose]() {
      for (const follower of followers) await follower.stop();
      // A test may have closed it before.
      await database.close().catch(() => undefined);
    },
  };
}

/** What a follower's catalog has in the one skill. */
export const load = async (follower: Follower): Promise<string> =>
  (await ask(loadSkill, { name: 'pdf' }, follower.current?.viewFor('a') as never)).content;
