/** What a client's document says about Lectern. Only looks. */
import path from 'node:path';
import { isRecord } from '../core/json-file.ts';
import type { Client, Server } from './client.ts';
import { isSameEntry } from './entry.ts';
import { mergeIntoJson } from './json-merge.ts';
import { launchServer } from './launch.ts';
import type { Scope } from './names.ts';
import { mergeIntoToml } from './toml-merge.ts';

export type EntryState = 'present' | 'absent' | 'outdated' | 'off' | 'unreadable';

export interface Inspection {
  state: EntryState;
  /** The name the server has there. */
  name?: string;
  reason?: string;
  /** Where the document is broken. */
  line?: number;
}

export interface InspectOptions {
  scope: Scope;
  platform: string;
  exists: (file: string) => boolean;
}

const NAME = 'lectern';

export function inspectDocument(client: Client, text: string, options: InspectOptions): Inspection {
  const read = readDocument(client, text, options.scope);
  if (!('document' in read)) return { state: 'unreadable', ...read.broken };
  const entries = Object.entries(serversIn(client, read.document, options.scope)).filter(
    ([name, entry]) => name === NAME || startsUs(entry),
  );
  const judged = entries.map(([name, entry]) => ({ name, ...judge(client, name, entry, read.document, options) }));
  // One that works is worth more than one that does not; the usual name decides between equals.
  const chosen =
    judged.find(({ state }) => state === 'present') ?? judged.find(({ name }) => name === NAME) ?? judged[0];
  // Where there is none and none can be added either, the file is to blame.
  return chosen ?? (read.broken ? { state: 'unreadable', ...read.broken } : { state: 'absent' });
}

type Broken = Pick<Inspection, 'line'> & { reason: string };

/** The readers belong to those who merge; what they would write is not asked for here. */
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
  const merge =
    client.format === 'toml' ? mergeIntoToml(text, { place }) : mergeIntoJson(text, client.dialect, { place });
  const broken =
    merge.kind === 'broken'
      ? { reason: merge.reason, ...(merge.line === undefined ? {} : { line: merge.line }) }
      : undefined;
  if (!read) return { broken: broken ?? { reason: 'it cannot be read' } };
  return broken ? { ...read, broken } : read;
}

function serversIn(client: Client, document: unknown, scope: Scope): Record<string, unknown> {
  const { keys } = client.place(NAME, launchServer({ platform: '', flags: [] }), document, scope);
  let at = document;
  for (const key of keys.slice(0, -1)) at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return isRecord(at) ? at : {};
}

function judge(
  client: Client,
  name: string,
  entry: unknown,
  document: unknown,
  { scope, platform, exists }: InspectOptions,
): Inspection {
  if (!isRecord(entry)) return { state: 'outdated', reason: 'the entry is not an object' };
  if (entry['enabled'] === false || entry['disabled'] === true)
    return { state: 'off', reason: 'the entry is switched off' };
  const url = [entry['url'], entry['httpUrl'], entry['serverUrl']].find((value) => typeof value === 'string');
  const words = wordsOf(entry);
  const at = words.findIndex((word) => word === 'mcp' || word === 'mcp-server');
  if (url === undefined && at === -1) return { state: 'outdated', reason: 'the entry does not start `lectern mcp`' };
  const installation = words[0] === 'node' ? words[1] : undefined;
  if (installation !== undefined && path.isAbsolute(installation) && !exists(installation)) {
    return { state: 'outdated', reason: `the entry starts ${installation}, which is gone` };
  }
  const flags = words.slice(at + 1);
  const server: Server =
    url === undefined ? launchServer({ platform, installation, flags }) : { transport: 'http', url };
  const written = client.place(name, server, document, scope).entry;
  // Whoever starts it in a way of their own knows why.
  const isOurWay = url !== undefined || ['node', 'npx', 'cmd'].includes(words[0] ?? '');
  return !isOurWay || isSameEntry(entry, written) || words.some((word) => word.startsWith(`${NAME}@`))
    ? { state: 'present' }
    : { state: 'outdated', reason: `the entry differs from what \`lectern setup ${client.name}\` writes` };
}

function startsUs(entry: unknown): boolean {
  const words = isRecord(entry) ? wordsOf(entry) : [];
  return words.some(
    (word) =>
      word === NAME || word.startsWith(`${NAME}@`) || /[\\/]lectern(?:\.cmd|[\\/](?:.*[\\/])?cli\.c?js)?$/u.test(word),
  );
}

/** The command line of an entry, however the client splits it. */
function wordsOf(entry: Record<string, unknown>): string[] {
  return [entry['command'], entry['args']].flat().filter((word) => typeof word === 'string');
}
