/** Opens a workspace, keeps it current and serves it over the selected transport. */
import type { Readable, Writable } from 'node:stream';
import type { FileTrouble } from '../core/disk/tree.ts';
import { isLoopback } from '../core/loopback.ts';
import type { ListenOptions } from '../http/listen.ts';
import type { CachedListing } from '../workspace/cached-listing.ts';
import { Refresher } from '../workspace/refresh.ts';
import { AUTO_TOOLSETS, type Settings, TOOLSETS } from '../workspace/settings-table.ts';
import type { LoadCounter } from '../workspace/usage.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { Announcer } from '../mcp/announce.ts';
import { type JoinableCatalog, ServedWorkspace, type ServerSettings } from '../mcp/served-workspace.ts';
import type { ServerLog } from '../mcp/log.ts';
import { Reporter } from '../mcp/report.ts';
import { type Running, serveLines } from '../mcp/stdio.ts';

export interface ServeOptions {
  /** Opens the workspace, which reports its failed reads. The server ends if this fails. */
  open: (failedRead: (trouble: FileTrouble) => void) => Promise<Workspace>;
  settings: Settings;
  log: ServerLog;
  transport: ServeTransport;
  /** Returns whether the project has specs. */
  findSpecs: () => boolean;
  /** Lists cached by the last run. */
  cached?: CachedListing | undefined;
  /** Resolves when a list request has waited long enough for the first scan. Set by tests. */
  patience?: (() => Promise<void>) | undefined;
  /** Counts skill loads, if enabled. */
  loads?: LoadCounter | undefined;
  /** Shared catalog to serve in addition to the local skills and specs. */
  catalog?: (JoinableCatalog & { start(): void; close(): void }) | undefined;
  /** Folders that are searched for skills, described for models. */
  searched?: string | undefined;
  /** Settings that only some servers change. */
  special?: Pick<ServerSettings, 'pageSize' | 'completeTexts' | 'announcesTexts'> | undefined;
  /** Page to serve over HTTP. */
  page?: PageOptions | undefined;
}

export interface PageOptions {
  /** Flags that make another command use the same project and home. */
  flags: readonly string[];
  /** The server was started for the page, and MCP is an addition. */
  isMain: boolean;
  /** Open the page in the browser. */
  opens: boolean;
}

export type ServeTransport =
  | { kind: 'stdio'; input: Readable; output: Writable }
  | ({ kind: 'http' | 'sse' } & Omit<ListenOptions, 'bug' | 'warn'>);

/** Setting up ten thousand watches takes a moment, and the first replies must not wait for it. */
const WATCH_DELAY_MS = 100;

function serverSettings({ settings, findSpecs, special, searched, transport }: ServeOptions): ServerSettings {
  const { value: tools } = settings.tools;
  const isAuto = tools.includes('auto');
  return {
    serverName: settings.serverName.value,
    isReachable: transport.kind !== 'stdio' && !isLoopback(transport.host),
    tools: new Set(
      TOOLSETS.filter((toolset) => (isAuto && AUTO_TOOLSETS.includes(toolset)) || tools.includes(toolset)),
    ),
    findSpecs: isAuto && !tools.includes('specs') ? findSpecs : undefined,
    toolNames: settings.toolNames.value,
    descriptionBudget: settings.descriptionBudget.value,
    searchMode: settings.searchMode.value,
    refreshIntervalMs: settings.autoRefresh.value ? settings.refreshInterval.value : undefined,
    watch: settings.autoRefresh.value && settings.watch.value,
    ...special,
    searched,
  };
}

/** Resolves when the server accepts requests. `closed` rejects if the workspace cannot be opened. */
export async function serve(options: ServeOptions): Promise<Running> {
  let startScan = (): void => undefined;
  const asked = new Promise<void>((resolve) => void (startScan = resolve));
  const opening = asked.then(() => options.open((trouble) => served.calls.failedRead(trouble)));
  const served: ServedWorkspace = new ServedWorkspace(opening, serverSettings(options), options.log, options);
  const announcer = new Announcer(served);
  const transport = await startTransport(options, opening, served, announcer);
  // Answer the first message of the client, which may already be in the pipe, before reading the disk.
  setImmediate(() => void served.checkCached().finally(startScan));
  options.catalog?.start();
  let background: Background | undefined;
  const over = new AbortController();
  const shutDown = async (): Promise<void> => {
    over.abort();
    announcer.stop();
    background?.refresher.stop();
    await transport.close();
    served.cacheLists();
    // Pending calls may still need the catalog.
    options.catalog?.close();
    await options.loads?.close();
  };
  let shuttingDown: Promise<void> | undefined;
  const close = (): Promise<void> => (shuttingDown ??= shutDown());
  const failed = keepFresh(opening, served, over.signal, (started) => {
    background = started;
    // Last, where people look for it.
    if (transport.pageUrl !== undefined) options.log.info(`the page is at ${transport.pageUrl}`);
  });
  return {
    close,
    closed: Promise.race([transport.closed, failed]).finally(close),
  };
}

async function startTransport(
  { transport, page }: ServeOptions,
  opening: Promise<Workspace>,
  served: ServedWorkspace,
  announcer: Announcer,
): Promise<Running & { pageUrl?: string }> {
  const { log, settings } = served;
  const what = `looking for ${served.servesSkills ? 'skills' : 'specs'}`;
  if (transport.kind === 'stdio') {
    log.info(`serving over stdio as "${settings.serverName}"; ${what}`);
    return serveLines(served, announcer, transport);
  }
  // Loaded on demand: it would double the startup time of a stdio server.
  const [{ listen }, { MCP_PATH, mcpService, tryLine }] = await Promise.all([
    import('../http/listen.ts'),
    import('../mcp/http/service.ts'),
  ]);
  const services = [mcpService(served, announcer)];
  if (page) {
    const { localPage } = await import('../web/local.ts');
    services.push(
      localPage({ workspace: () => opening, flags: page.flags, isReachable: settings.isReachable === true, log }),
    );
  }
  const running = await listen(services, {
    ...transport,
    bug: (error) => log.bug(error),
    warn: (text) => log.warn(text),
  });
  const url = running.url + MCP_PATH;
  const pageUrl = `${running.url}/`;
  if (page?.opens) await openPage(pageUrl, log);
  log.info(`serving over ${transport.kind} as "${settings.serverName}" at ${url}; ${what}`);
  if (!page?.isMain) log.info(`try it: ${tryLine(url, transport.tokens.length > 0)}`);
  if (!isLoopback(transport.host)) {
    log.warn(
      'other machines can reach this server: anyone who knows the token can read the skills and specs, and the connection is not encrypted',
    );
  }
  return { closed: running.closed, close: () => running.close(), ...(page ? { pageUrl } : {}) };
}

async function openPage(url: string, log: ServerLog): Promise<void> {
  const { openBrowser } = await import('../web/open-browser.ts');
  openBrowser(url, () => log.warn(`no browser could be started; open ${url} in one`));
}

/** Background work until the server ends. */
interface Background {
  workspace: Workspace;
  refresher: Refresher;
}

/** Never resolves. Rejects if the workspace cannot be opened. */
async function keepFresh(
  opening: Promise<Workspace>,
  served: ServedWorkspace,
  over: AbortSignal,
  started: (background: Background) => void,
): Promise<never> {
  const workspace = await opening;
  await served.workspace();
  // The client may have disconnected during the scan.
  if (over.aborted) return new Promise(() => undefined);
  const reporter = new Reporter(served.log, { skills: served.servesSkills });
  if (served.servesSkills) reporter.opened(workspace.snapshot);
  let listChanged: string | undefined;
  served.onChange(({ lists, reason }) => {
    if (lists.length > 0) listChanged = reason;
  });
  workspace.observe({
    openedSpecs: (specs) => void specs.readAll().then(() => reporter.openedSpecs(workspace.snapshot)),
  });
  const refresher = new Refresher(workspace, {
    intervalMs: served.settings.refreshIntervalMs,
    watch: served.settings.watch,
    notice: (event) => {
      reporter.refresh(event, listChanged);
      if (event.kind === 'refreshed') listChanged = undefined;
    },
  });
  started({ workspace, refresher });
  // Answer pending requests before setting up file watches.
  await new Promise((resolve) => void setTimeout(resolve, WATCH_DELAY_MS).unref());
  if (!over.aborted) refresher.start();
  // A server with only specs reads them now. Other servers read them on the first request.
  if (!over.aborted && !served.servesSkills) await workspace.freshSpecs();
  return new Promise(() => undefined);
}
