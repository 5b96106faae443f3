/** Finds the Lectern entry in a client's document and checks it. Read-only. */
import path from 'node:path';
import { valueAt } from '../core/config-text/edits.ts';
import { isRecord } from '../core/json-file.ts';
import type { Client, Server } from './client.ts';
import { mergeEntry } from './config-file.ts';
import { isSameEntry } from './entry.ts';
import { launchServer } from './launch.ts';
import type { EntryState, Scope } from './names.ts';
import { startsLectern, urlOf, wordsOf } from './own-entry.ts';

export interface Inspection {
  state: EntryState;
  /** Name of the server in the document. */
  name?: string;
  reason?: string;
  /** Line where the document is broken. */
  line?: number;
}

export interface InspectOptions {
  scope: Scope;
  platform: string;
  exists: (file: string) => boolean;
  /** Whether a command is installed; undefined if unknown. */
  isCommand: (name: string) => boolean | undefined;
}

const NAME = 'lectern';

export function inspectDocument(client: Client, text: string, options: InspectOptions): Inspection {
  const read = readDocument(client, text, options.scope);
  if (!('document' in read)) return { state: 'unreadable', ...read.broken };
  const entries = Object.entries(serversIn(client, read.document, options.scope)).filter(
    ([name, entry]) => name === NAME || startsLectern(entry),
  );
  const judged = entries.map(([name, entry]) => ({
    name,
    ...judge(client, { name, entry, document: read.document }, options),
  }));
  // Prefer an entry that works, then the usual name.
  const chosen =
    judged.find(({ state }) => state === 'present') ?? judged.find(({ name }) => name === NAME) ?? judged[0];
  // If there is no entry and none can be added, the file itself is broken.
  return chosen ?? (read.broken ? { state: 'unreadable', ...read.broken } : { state: 'absent' });
}

type Broken = Pick<Inspection, 'line'> & { reason: string };

/** Reads the document through the merge code and ignores the merge result. */
function readDocument(
  client: Client,
  text: string,
  scope: Scope,
): { document: unknown; broken?: Broken } | { broken: Broken } {
  let read: { document: unknown } | undefined;
  const place = (document: unknown) => {
    read = { document };
    return client.place(NAME, launchServer({ platform: '', flags: [] }), document, scope);
  };
  const merge = mergeEntry(client, text, place);
  const broken =
    merge.kind === 'broken'
      ? { reason: merge.reason, ...(merge.line === undefined ? {} : { line: merge.line }) }
      : undefined;
  if (!read) return { broken: broken ?? { reason: 'it cannot be read' } };
  return broken ? { ...read, broken } : read;
}

/** Returns the servers in a document by name. A broken document has none. */
export function serversInText(
  client: Client,
  text: string,
  scope: Scope,
  projectDirs: readonly string[],
): Record<string, unknown> {
  const read = readDocument(client, text, scope);
  if (!('document' in read)) return {};
  const servers = { ...serversIn(client, read.document, scope) };
  // Claude Code keeps the servers of one user in one project in the file of the user.
  if (client.name === 'claude' && scope === 'user')
    for (const dir of projectDirs) {
      const own = valueAt(read.document, ['projects', dir, 'mcpServers']);
      if (isRecord(own)) Object.assign(servers, own);
    }
  return servers;
}

function serversIn(client: Client, document: unknown, scope: Scope): Record<string, unknown> {
  const { keys } = client.place(NAME, launchServer({ platform: '', flags: [] }), document, scope);
  const servers = valueAt(document, keys.slice(0, -1));
  return isRecord(servers) ? servers : {};
}

function judge(
  client: Client,
  { name, entry, document }: { name: string; entry: unknown; document: unknown },
  { scope, platform, exists, isCommand }: InspectOptions,
): Inspection {
  if (!isRecord(entry)) return { state: 'outdated', reason: 'the entry is not an object' };
  if (entry['enabled'] === false || entry['disabled'] === true)
    return { state: 'off', reason: 'the entry is turned off' };
  const url = urlOf(entry);
  const words = wordsOf(entry);
  const at = words.findIndex((word) => word === 'mcp' || word === 'mcp-server');
  if (url === undefined && at === -1) return { state: 'outdated', reason: 'the entry does not start `lectern mcp`' };
  const installation = words[0] === 'node' ? words[1] : undefined;
  if (installation !== undefined && path.isAbsolute(installation) && !exists(installation)) {
    return { state: 'outdated', reason: `the entry starts ${installation}, which is missing` };
  }
  const [program = ''] = words;
  if (url === undefined && (path.isAbsolute(program) ? !exists(program) : isCommand(program) === false))
    return { state: 'outdated', reason: `the entry starts ${program}, which is not installed` };
  const flags = words.slice(at + 1);
  const server: Server =
    url === undefined ? launchServer({ platform, installation, flags }) : { transport: 'http', url };
  const written = client.place(name, server, document, scope).entry;
  return isSameEntry(entry, written)
    ? { state: 'present' }
    : { state: 'unknown', reason: `the entry differs from the one \`lectern setup ${client.name}\` writes` };
}
