/** `lectern serve`: one replica of a shared catalog. */
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import type { Disk } from '../core/disk/writes.ts';
import { within } from '../core/within.ts';
import { listen, type Service } from '../http/listen.ts';
import { Follower } from '../hub/follower.ts';
import { Publishing } from '../hub/publishing.ts';
import { RequestContext } from '../hub/request-context.ts';
import { UseCounter } from '../hub/use-counter.ts';
import { CatalogStore, type HistoryEntry } from '../store/catalog-store.ts';
import { Database, DatabaseFailure } from '../store/database.ts';
import { MCP_PATH } from '../mcp/http/service.ts';
import { servedViews } from '../mcp/http/served-views.ts';
import { sharedMcpService } from '../mcp/http/stateless.ts';
import type { ServerLog } from '../mcp/log.ts';
import { catalogPage } from '../web/catalog/catalog-page.ts';
import type { ReadHistory } from '../web/catalog/source-history.ts';
import { SharedCallers } from './callers.ts';
import { listingApi } from './listing-api.ts';
import { Metrics } from './metrics.ts';
import type { OAuth, OAuthOptions } from './oauth/oauth.ts';
import { operationsApi } from './operations-api.ts';
import { publishApi } from './publish-api.ts';
import { readiness } from './readiness.ts';
import { recordOf, type RequestRecord } from './request-record.ts';

export interface ReplicaOptions {
  databaseUrl: string;
  cacheDir: string;
  disk: Disk;
  host: string;
  port: number;
  allowedHosts: readonly string[];
  /** Public URL of the catalog. */
  publicUrl: string | undefined;
  /** Authorization server whose tokens are accepted in addition to catalog tokens. */
  oauth: OAuthOptions | undefined;
  /** Time without the database before `/readyz` returns 503. */
  maxStaleMs: number;
  pollMs: number;
  /** How long an idle connection stays open. */
  keepAliveMs: number;
  embeddings: 'bundled' | 'none';
  serverName: string;
  log: ServerLog & { request(record: RequestRecord): void };
}

export interface RunningReplica {
  url: string;
  closed: Promise<void>;
  close(): Promise<void>;
  /** Reports not ready to load balancers, keeps serving for this long, then closes. */
  drain(ms: number): Promise<void>;
}

/** How long the page waits for the history of a source. */
const HISTORY_MS = 3_000;
/** Shutdown waits at most this long for the last counts. */
const LEAVING_MS = 2_000;

/** Listens before the catalog is loaded, so that probes get answers meanwhile. */
export async function serveReplica(options: ReplicaOptions): Promise<RunningReplica> {
  const { log, disk, cacheDir, pollMs } = options;
  const oauth = options.oauth && (await openOAuth(options.oauth, options));
  const database = new Database({ url: options.databaseUrl });
  const store = new CatalogStore(database);
  const { embeddings } = options;
  const id = replicaName(options.port);
  log.info(`this is replica ${id}`);
  const follower = new Follower({ database, store, disk, cacheDir, id, pollMs, embeddings, log });
  try {
    return await serveFrom({ ...options, database, store, follower, oauth });
  } catch (error) {
    // A replica that serves nothing must not stay registered as alive.
    await follower.stop();
    await database.close();
    throw error;
  }
}

/** Parts of a replica before it listens. */
interface Parts extends Omit<ReplicaOptions, 'oauth'> {
  database: Database;
  store: CatalogStore;
  follower: Follower;
  oauth: { oauth: OAuth; services: Service[] } | undefined;
}

async function serveFrom(options: Parts): Promise<RunningReplica> {
  const { log, serverName, database, store, follower, oauth } = options;
  const metrics = new Metrics(follower);
  const uses = new UseCounter(store, () => follower.clock.now());
  const served = servedViews({ log, serverName, uses });
  const draining = new AbortController();
  const services = [
    sharedMcpService({ served, metrics }),
    listingApi(),
    operationsApi({ served, metrics }),
    publishApi(new Publishing(store, follower), metrics, log),
    readiness({ follower, maxStaleMs: options.maxStaleMs, draining: draining.signal }),
    metrics.service(),
    catalogPage({
      follower,
      readHistory: (...asked) => readHistory(store, asked, { metrics, log }),
      publicUrl: options.publicUrl,
      log,
    }),
    ...(oauth?.services ?? []),
  ];
  const listening = await listen(services, {
    host: options.host,
    port: options.port,
    tokens: [],
    callers: new SharedCallers(follower, oauth?.oauth, options.publicUrl?.startsWith('https:')),
    allowedHosts: options.allowedHosts,
    anyAddress: true,
    keepAliveMs: options.keepAliveMs,
    bug: (error) => log.bug(error),
    warn: (text) => log.warn(text),
    answered: (request) => {
      metrics.answered(request);
      const { tokenId } = request.who instanceof RequestContext ? request.who.caller : {};
      if (tokenId !== undefined) uses.used(tokenId);
      const record = recordOf(request);
      if (record) log.request(record);
    },
  });
  log.info(`listening at ${listening.url}; loading the catalog`);
  const stop = async (): Promise<void> => {
    await listening.close();
    await within(LEAVING_MS, uses.close());
    await follower.stop();
    await database.close();
  };
  let stopping: Promise<void> | undefined;
  const close = (): Promise<void> => (stopping ??= stop());
  const drain = async (ms: number): Promise<void> => {
    draining.abort();
    listening.drain();
    await new Promise((resolve) => setTimeout(resolve, ms));
    await close();
  };
  let failure: { error: unknown } | undefined;
  const loaded = (): void => {
    if (stopping) return;
    log.info(`the page is at ${listening.url}/`);
    log.info(`serving the shared catalog at ${listening.url}${MCP_PATH}`);
  };
  follower.start().then(loaded, (error: unknown) => {
    failure = { error };
    void close();
  });
  const ended = async (): Promise<void> => {
    await listening.closed;
    await close();
    if (failure) throw failure.error;
  };
  return { url: listening.url, close, drain, closed: ended() };
}

/** Readable and unique, so that a dead replica is not confused with its successor. */
function replicaName(port: number): string {
  return `${os.hostname()}${port === 0 ? '' : `:${port}`}-${randomBytes(4).toString('hex')}`;
}

async function readHistory(
  store: CatalogStore,
  asked: Parameters<ReadHistory>,
  { metrics, log }: { metrics: Metrics; log: ServerLog },
): Promise<HistoryEntry[] | undefined> {
  const read = store.history(...asked).catch((error: unknown) => {
    if (!(error instanceof DatabaseFailure)) throw error;
    metrics.databaseFailed();
    log.warn(`a history cannot be read: ${error.message}`);
    return undefined;
  });
  return within(HISTORY_MS, read);
}

/** Loads the code for authorization servers on demand. */
async function openOAuth(
  options: OAuthOptions,
  { publicUrl, serverName, log }: ReplicaOptions,
): Promise<{ oauth: OAuth; services: Service[] }> {
  const [{ OAuth }, { resourceMetadataService }] = await Promise.all([
    import('./oauth/oauth.ts'),
    import('./oauth/resource-metadata.ts'),
  ]);
  const oauth = new OAuth(options, publicUrl, log);
  return { oauth, services: [resourceMetadataService(oauth, serverName)] };
}
