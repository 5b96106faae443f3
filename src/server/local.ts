/** `lectern mcp` and `lectern web`: serves the skills and specs of this machine and, over HTTP, their page. */
import type { Readable, Writable } from 'node:stream';
import { reportingReads } from '../core/disk/noting.ts';
import type { Disk } from '../core/disk/writes.ts';
import type { ServerLog } from '../mcp/log.ts';
import type { Running } from '../mcp/stdio.ts';
import { checkFilters } from '../skills/filter.ts';
import { CachedListing } from '../workspace/cached-listing.ts';
import { searchedFolders } from '../workspace/searched-folders.ts';
import type { Settings } from '../workspace/settings-table.ts';
import { type OpenOptions, readSettings } from '../workspace/settings.ts';
import { hasSpecLayout } from '../workspace/spec-layout.ts';
import type { LoadCounter } from '../workspace/usage.ts';
import { Workspace } from '../workspace/workspace.ts';
import { serve, type PageOptions, type ServeOptions, type ServeTransport } from './serve-workspace.ts';

export interface LocalServerOptions {
  workspace: OpenOptions;
  disk: Disk;
  /** Variables of the process, which contain the tokens. */
  environment: Readonly<Record<string, string | undefined>>;
  listening: Listening;
  streams: { input: Readable; output: Writable };
  /** Page to serve over HTTP. */
  page: PageOptions | undefined;
  special: ServeOptions['special'];
  log: ServerLog;
}

export interface Listening {
  kind: 'stdio' | 'http' | 'sse';
  host: string;
  port: number;
  token?: readonly string[] | undefined;
}

/**
 * A model waits for the result, so a search that takes too long to prepare falls back to keywords. Preparing some thousand
 * documents takes less, and clients wait a minute.
 */
const SEARCH_PATIENCE_MS = 10_000;

/** Resolves when the server accepts requests. Fails first if the settings are invalid, before a client waits for it. */
export async function serveLocal(options: LocalServerOptions): Promise<Running> {
  const { disk, special, log } = options;
  const workspace = withInclude(disk, options.workspace);
  const { settings } = readSettings(disk, workspace);
  const readNatively = await nativeReader(settings.forAgent.value, workspace);
  const page = options.listening.kind === 'stdio' ? undefined : options.page;
  const skills = page !== undefined || settings.tools.value.some((toolset) => toolset !== 'specs');
  const catalog = await joinedCatalog(settings, workspace, options);
  const cached = skills ? CachedListing.find(disk, workspace, settings) : undefined;
  const serving = { skills, searchPatienceMs: SEARCH_PATIENCE_MS, readNatively, notesStates: cached !== undefined };
  const { projectDir, userDir } = workspace;
  return serve({
    open: (failedRead) => Workspace.open({ ...workspace, ...serving }, reportingReads(disk, failedRead)),
    settings,
    findSpecs: () => hasSpecLayout(disk, { projectDir, userDir, settings }),
    loads: settings.usage.value ? await loadCounter(disk, workspace) : undefined,
    catalog,
    cached,
    log,
    special,
    searched: searchedFolders(workspace, settings),
    transport: transportOf(options, settings),
    page,
  });
}

function withInclude(disk: Disk, workspace: OpenOptions): OpenOptions {
  const { include, exclude } = readSettings(disk, workspace).settings;
  checkFilters([...include.value, ...exclude.value]);
  // The state `all` also shows every copy, unless filters are given.
  return workspace.state === 'all' && include.value.length === 0 ? { ...workspace, include: ['all'] } : workspace;
}

function transportOf({ listening, streams, environment }: LocalServerOptions, settings: Settings): ServeTransport {
  const { kind, host, port, token } = listening;
  if (kind === 'stdio') return { kind, ...streams };
  const tokens = token ?? [environment['LECTERN_TOKEN'] ?? []].flat();
  return { kind, host, port, tokens, allowedHosts: settings.allowedHost.value };
}

/** Opens the shared catalog to serve in addition to local skills, if one is configured. */
async function joinedCatalog(
  { catalog, autoRefresh, refreshInterval }: Settings,
  workspace: OpenOptions,
  { disk, environment, listening, log }: LocalServerOptions,
): Promise<ServeOptions['catalog']> {
  if (catalog.value === undefined) return undefined;
  const [{ openCatalog }, { cacheFolder }] = await Promise.all([
    import('../mcp/remote-catalog/open-catalog.ts'),
    import('../workspace/cache-folder.ts'),
  ]);
  const hasOwn = Boolean(environment['LECTERN_CATALOG_TOKEN']);
  // Over HTTP, LECTERN_TOKEN is the token for callers of this server.
  const tokenVariable = hasOwn || listening.kind !== 'stdio' ? 'LECTERN_CATALOG_TOKEN' : 'LECTERN_TOKEN';
  return openCatalog({
    address: catalog.value,
    token: environment[tokenVariable] || undefined,
    tokenVariable,
    disk,
    cacheDir: cacheFolder(disk, workspace),
    intervalMs: autoRefresh.value ? refreshInterval.value : undefined,
    log,
  });
}

/** Returns undefined if there is no home to store the counts in. */
async function loadCounter(disk: Disk, workspace: OpenOptions): Promise<LoadCounter | undefined> {
  const { LoadCounter: Counter, usageFile } = await import('../workspace/usage.ts');
  const file = usageFile(disk, workspace);
  return file === undefined ? undefined : new Counter(disk, file);
}

/** Returns a function that finds the files that the agent of `--for` reads itself. Fails for an unknown agent. */
async function nativeReader(agent: string | undefined, workspace: OpenOptions): Promise<OpenOptions['readNatively']> {
  if (agent === undefined) return undefined;
  const { getProfile, nativeFiles } = await import('../operations/agent-shapes.ts');
  await getProfile(agent);
  return (files, settings, discovery) => nativeFiles(files, { options: workspace, settings, discovery }, agent);
}
