/** Requests to the web interface of a shared catalog in memory: no process, port or database. */
import type { Context } from '../../src/http/routes.ts';
import { RouteTable } from '../../src/http/routes.ts';
import { RequestContext } from '../../src/hub/request-context.ts';
import type { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import type { HistoryEntry } from '../../src/store/catalog-store.ts';
import { catalogPage } from '../../src/web/catalog/catalog-page.ts';

export interface Asking extends Disposable {
  warnings: readonly string[];
  get(path: string): Promise<{ status: number; headers: Headers; body: string }>;
}

/** Acts as a caller in these teams. `history` replaces the database. */
export function asking(catalog: SharedCatalog, teams: readonly string[], history: HistoryEntry[] | Error = []): Asking {
  const caller = { tokenId: 1, actor: 'test', teams, scopes: ['read'] as const, expiresAt: Infinity };
  const bugs: unknown[] = [];
  const warnings: string[] = [];
  const page = catalogPage({
    follower: { current: catalog, clock: { now: () => 0 } as never, staleMs: () => 0, publicTrouble: undefined },
    readHistory: async () => {
      if (history instanceof Error) throw history;
      return history;
    },
    publicUrl: 'https://skills.example.com',
    log: { warn: (line) => warnings.push(line), bug: (error) => error === history || bugs.push(error) },
  });
  const table = new RouteTable(page.routes);
  return {
    warnings,
    async get(path) {
      const url = new URL(path, 'https://skills.example.com');
      const found = table.find(url.pathname);
      if (!found?.route.methods.GET) throw new Error(`nothing at ${path}`);
      const who = new RequestContext(caller, catalog);
      const context = { params: found.params, who } as unknown as Context;
      const reply = await found.route.methods.GET(new Request(url), context);
      const body = await reply.text();
      if (bugs.length > 0) throw bugs[0];
      return { status: reply.status, headers: reply.headers, body };
    },
    [Symbol.dispose]: () => void page.close(),
  };
}
