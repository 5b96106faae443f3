/** Starts a server: opens the workspace, keeps it fresh, and carries it over the transport that was asked for. */
import type { Readable, Writable } from 'node:stream';
import { IndexKeeper } from '../workspace/index-keeper.ts';
import { Refresher } from '../workspace/refresh.ts';
import type { Settings } from '../workspace/settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { Announcer } from './announce.ts';
import { Catalog, type Serving } from './catalog.ts';
import type { HttpOptions } from './http/server.ts';
import type { ServerLog } from './log.ts';
import { Reporter } from './report.ts';
import { type Running, serveLines } from './stdio.ts';

export interface ServeOptions {
  /** Begins to open the workspace. Its failure ends the server. */
  open: () => Promise<Workspace>;
  settings: Settings;
  log: ServerLog;
  transport: ServeTransport;
}

export type ServeTransport =
  | { kind: 'stdio'; input: Readable; output: Writable }
  | ({ kind: 'http' | 'sse' } & HttpOptions);

/** Setting ten thousand watches takes a moment; the first replies do not wait for it. */
const WATCH_DELAY_MS = 100;

function servingOf(settings: Settings): Serving {
  return {
    serverName: settings.serverName.value,
    tools: new Set(settings.tools.value),
    toolNames: settings.toolNames.value,
    descriptionBudget: settings.descriptionBudget.value,
    refreshIntervalMs: settings.autoRefresh.value ? settings.refreshInterval.value : undefined,
    watch: settings.autoRefresh.value && settings.watch.value,
  };
}

/** Resolves when it serves; `closed` settles when it is over, with the error where the workspace could not be opened. */
export async function serve(options: ServeOptions): Promise<Running> {
  const { log } = options;
  const serving = servingOf(options.settings);
  let startScan = (): void => undefined;
  const asked = new Promise<void>((resolve) => void (startScan = resolve));
  const opening = asked.then(options.open);
  const catalog = new Catalog(opening, serving, log);
  const announcer = new Announcer(catalog);
  const carrier = await carry(options.transport, catalog, announcer);
  // The client's first message is answered before the disk is read: it may already be waiting in the pipe.
  setImmediate(startScan);
  let kept: Kept | undefined;
  const over = new AbortController();
  const settle = async (): Promise<void> => {
    over.abort();
    announcer.stop();
    kept?.refresher.stop();
    await carrier.close();
    await kept?.keeper.stop();
    await kept?.workspace.close();
  };
  const failed = keepFresh(catalog, options.settings.autoIndex.value, over.signal, (started) => void (kept = started));
  return {
    close: settle,
    closed: Promise.race([carrier.closed, failed]).finally(settle),
  };
}

async function carry(transport: ServeTransport, catalog: Catalog, announcer: Announcer): Promise<Running> {
  const { log, serving } = catalog;
  const what = `looking for ${catalog.servesSkills ? 'skills' : 'specs'}`;
  if (transport.kind === 'stdio') {
    log.info(`serving over stdio as "${serving.serverName}"; ${what}`);
    return serveLines(catalog, announcer, transport);
  }
  // Half of the start-up time of a stdio server would go into code it never runs.
  const { listen } = await import('./http/server.ts');
  const { isLoopback } = await import('./http/guards.ts');
  const running = await listen(catalog, announcer, transport);
  log.info(`serving over ${transport.kind} as "${serving.serverName}" at ${running.url}; ${what}`);
  log.info(`try it: ${tryLine(running.url, transport.tokens.length > 0)}`);
  if (!isLoopback(transport.host)) {
    log.warn(
      'other machines can reach this server: everybody who knows the token can read the skills and specs, and the connection is not encrypted',
    );
  }
  return running;
}

/** What runs beside the requests and ends with the server. */
interface Kept {
  workspace: Workspace;
  refresher: Refresher;
  keeper: IndexKeeper;
}

/** A line that a shell can run as it stands. */
function tryLine(url: string, needsToken: boolean): string {
  const body =
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}';
  const token = needsToken ? ' -H "Authorization: Bearer $LECTERN_TOKEN"' : '';
  return `curl -s ${url} -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'${token} -d '${body}'`;
}

/** Never resolves; rejects when the workspace cannot be opened. */
async function keepFresh(
  catalog: Catalog,
  autoIndex: boolean,
  over: AbortSignal,
  started: (kept: Kept) => void,
): Promise<never> {
  const workspace = await catalog.workspace();
  // The client may have left while the files were read.
  if (over.aborted) return new Promise(() => undefined);
  const reporter = new Reporter(catalog.log, { skills: catalog.servesSkills });
  if (catalog.servesSkills) reporter.opened(workspace.snapshot);
  let listChanged: string | undefined;
  catalog.onChange(({ lists, reason }) => {
    if (lists.length > 0) listChanged = reason;
  });
  workspace.observe({
    openedSpecs: (specs) => void specs.settled().then(() => reporter.openedSpecs(workspace.snapshot)),
  });
  const refresher = new Refresher(workspace, {
    intervalMs: catalog.serving.refreshIntervalMs,
    watch: catalog.serving.watch,
    notice: (event) => {
      reporter.refresh(event, listChanged);
      if (event.kind === 'refreshed') listChanged = undefined;
    },
  });
  const keeper = new IndexKeeper(workspace, {
    autoIndex,
    notice: (text, kind) => catalog.log[kind](text),
    bug: (error) => catalog.log.bug(error),
  });
  started({ workspace, refresher, keeper });
  // Whoever waited for the scan is answered before the watches are set.
  await new Promise((resolve) => void setTimeout(resolve, WATCH_DELAY_MS).unref());
  if (!over.aborted) refresher.start();
  // A server for specs alone looks for them at once; otherwise whoever asks first does.
  if (!over.aborted && !catalog.servesSkills) await workspace.freshSpecs();
  if (!over.aborted) {
    if (autoIndex && !workspace.hasIndex()) catalog.log.info('search index: being built in the background');
    keeper.start();
  }
  return new Promise(() => undefined);
}
