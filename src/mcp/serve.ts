/** Starts a server: opens the workspace, keeps it fresh, and carries it over the transport that was asked for. */
import type { Readable, Writable } from 'node:stream';
import { Refresher } from '../workspace/refresh.js';
import type { Settings } from '../workspace/settings.js';
import type { Workspace } from '../workspace/workspace.js';
import { Announcer } from './announce.js';
import { Catalogue, type Serving } from './catalogue.js';
import type { HttpOptions } from './http/server.js';
import { IndexKeeper } from './index-keeper.js';
import type { ServerLog } from './log.js';
import { Reporter } from './report.js';
import { type Running, serveLines } from './stdio.js';

export interface ServeOptions {
  /** Begins to open the workspace. Its failure ends the server. */
  open: () => Promise<Workspace>;
  settings: Settings;
  log: ServerLog;
  transport: ServeTransport;
}

export type ServeTransport = { kind: 'stdio'; input: Readable; output: Writable } | ({ kind: 'http' | 'sse' } & HttpOptions);

function servingOf(settings: Settings): Serving {
  return {
    serverName: settings.serverName.value,
    tools: new Set(settings.tools.value),
    toolNames: settings.toolNames.value,
    descriptionBudget: settings.descriptionBudget.value,
    refreshIntervalMs: settings.autoRefresh.value ? settings.refreshInterval.value : undefined,
    watch: settings.autoRefresh.value && settings.watch.value,
    autoIndex: settings.autoIndex.value,
  };
}

/** Resolves when it serves; `closed` settles when it is over, with the error where the workspace could not be opened. */
export async function serve(options: ServeOptions): Promise<Running> {
  const { log } = options;
  const serving = servingOf(options.settings);
  let startScan = (): void => undefined;
  const asked = new Promise<void>((resolve) => void (startScan = resolve));
  const opening = asked.then(options.open);
  const catalogue = new Catalogue(opening, serving, log);
  const announcer = new Announcer(catalogue);
  const carrier = await carry(options.transport, catalogue, announcer);
  // The client's first message is answered before the disk is read: it may already be waiting in the pipe.
  setImmediate(startScan);
  const keeping: Keeping = {};
  const settle = async (): Promise<void> => {
    announcer.stop();
    keeping.refresher?.stop();
    await Promise.all([carrier.close(), keeping.indexKeeper?.stop()]);
  };
  const failed = keepFresh(catalogue, keeping);
  return {
    close: settle,
    closed: Promise.race([carrier.closed, failed]).finally(settle),
  };
}

/** What works on beside the requests, once the workspace is open. */
interface Keeping {
  refresher?: Refresher;
  indexKeeper?: IndexKeeper;
}

async function carry(transport: ServeTransport, catalogue: Catalogue, announcer: Announcer): Promise<Running> {
  const { log, serving } = catalogue;
  const what = `looking for ${catalogue.servesSkills ? 'skills' : 'specs'}`;
  if (transport.kind === 'stdio') {
    log.info(`serving over stdio as "${serving.serverName}"; ${what}`);
    return serveLines(catalogue, announcer, transport);
  }
  // Half of the start-up time of a stdio server would go into code it never runs.
  const { listen } = await import('./http/server.js');
  const { isLoopback } = await import('./http/guards.js');
  const running = await listen(catalogue, announcer, transport);
  log.info(`serving over ${transport.kind} as "${serving.serverName}" at ${running.url}; ${what}`);
  if (!isLoopback(transport.host)) {
    log.warn(
      'other machines can reach this server: everybody who knows the token can read the skills and specs, and the connection is not encrypted',
    );
  }
  return running;
}

/** Never resolves; rejects when the workspace cannot be opened. */
async function keepFresh(catalogue: Catalogue, keeping: Keeping): Promise<never> {
  const workspace = await catalogue.workspace();
  const reporter = new Reporter(catalogue.log, { skills: catalogue.servesSkills });
  if (catalogue.servesSkills) reporter.opened(workspace.snapshot);
  const indexKeeper = new IndexKeeper(workspace, catalogue.log);
  let listChanged: string | undefined;
  catalogue.onChange(({ lists, reason }) => {
    if (lists.length > 0) listChanged = reason;
    indexKeeper.changed();
  });
  workspace.observe({ openedSpecs: (specs) => void specs.settled().then(() => reporter.openedSpecs(workspace.snapshot)) });
  const refresher = new Refresher(workspace, {
    intervalMs: catalogue.serving.refreshIntervalMs,
    watch: catalogue.serving.watch,
    notice: (event) => {
      reporter.refresh(event, listChanged);
      if (event.kind === 'refreshed') listChanged = undefined;
    },
  });
  Object.assign(keeping, { refresher, indexKeeper });
  refresher.start();
  // A server for specs alone looks for them at once; otherwise whoever asks first does.
  if (!catalogue.servesSkills) await workspace.freshSpecs();
  if (catalogue.serving.autoIndex) indexKeeper.build();
  return new Promise(() => undefined);
}
