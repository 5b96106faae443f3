import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { Follower } from '../../src/hub/follower.ts';
import { RequestContext } from '../../src/hub/request-context.ts';
import { SharedCallers } from '../../src/server/callers.ts';
import { AdminStore } from '../../src/store/admin-store.ts';
import { CatalogStore, type StoredSource } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

const SOURCE = { team: 'payments', name: 'skills' };
const ROUTE = { path: '/mcp', scope: 'read', methods: {} };

interface Opened extends AsyncDisposable {
  admin: AdminStore;
  /** What each replica lets the token see: names of skills, or the status of the refusal. */
  seen(): Promise<unknown[]>;
  tokenId: number;
  replicas: Follower[];
}

/** Three replicas that hear no notifications and ask the database only if they are told to. */
async function open(): Promise<Opened> {
  const database = new Database({ url: await postgres.database() });
  database.listen = async () => async () => undefined;
  const store = new CatalogStore(database);
  const admin = new AdminStore(database, 'operator');
  for (const team of ['payments', 'checkout']) await admin.addTeam(team);
  await admin.addSource(SOURCE);
  await admin.grant(SOURCE, 'checkout');
  const expiresAt = new Date(Date.now() + 86_400_000);
  const { id, secret } = await admin.addToken({ name: 'x', team: 'checkout', scopes: ['read'], expiresAt });
  const content = new TextEncoder().encode('---\nname: refund\ndescription: Pay back.\n---\n\nText.\n');
  const file = { path: 'skills/refund/SKILL.md', size: content.length, executable: false };
  const source = (await store.findSource(SOURCE.team, SOURCE.name)) as StoredSource;
  await store.publish(source, 0, [{ ...file, sha256: await store.upload(content) }], { actor: 'ada' });
  const log = { info: () => undefined, warn: () => undefined, bug: () => undefined };
  const replicas = [1, 2, 3].map(
    (number) =>
      new Follower({
        database,
        store,
        disk: memoryDisk(),
        cacheDir: '/cache',
        id: `replica-${number}`,
        pollMs: 86_400_000,
        log,
      }),
  );
  for (const replica of replicas) await replica.start();
  const seenBy = async (replica: Follower): Promise<unknown> => {
    const found = await new SharedCallers(replica).identify(`Bearer ${secret}`, ROUTE);
    if (found instanceof Response) return found.status;
    const { catalog, caller } = RequestContext.of(found);
    return catalog.viewFor(...caller.teams).snapshot.all.copies.map(({ name }) => name);
  };
  return {
    admin,
    tokenId: id,
    replicas,
    seen: () => Promise.all(replicas.map(seenBy)),
    async [Symbol.asyncDispose]() {
      for (const replica of replicas) await replica.stop();
      await database.close();
    },
  };
}

/** Two rounds of every replica; the first may have begun before the change. */
async function twoPolls(replicas: readonly Follower[], change: () => Promise<void>): Promise<void> {
  const under = replicas.map((replica) => replica.poll());
  await change();
  await Promise.all(under);
  await Promise.all(replicas.map((replica) => replica.poll()));
}

describe.skipIf(!hasPostgres)('within two polls, and without any notification,', () => {
  test('a token that was revoked opens nothing on any replica', async () => {
    await using opened = await open();
    expect(await opened.seen()).toEqual([['refund'], ['refund'], ['refund']]);
    await twoPolls(opened.replicas, () => opened.admin.revokeToken(opened.tokenId));
    expect(await opened.seen()).toEqual([401, 401, 401]);
  });

  test('a source whose grant was removed is seen on no replica', async () => {
    await using opened = await open();
    await twoPolls(opened.replicas, () => opened.admin.revokeGrant(SOURCE, 'checkout'));
    expect(await opened.seen()).toEqual([[], [], []]);
    await twoPolls(opened.replicas, () => opened.admin.grant(SOURCE, 'checkout'));
    expect(await opened.seen()).toEqual([['refund'], ['refund'], ['refund']]);
  });
});
