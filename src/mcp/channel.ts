/** The client side of MCP, as far as the tools of a server are concerned. */
import type { ServerTools } from '../agents/context/servers.ts';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { clip, oneLine } from '../core/text.ts';

/** A connection to a server. Requests fail with NoServerAnswer. */
export interface Channel {
  request(method: string, params: object): Promise<unknown>;
  notify(method: string): Promise<void>;
}

/** The reason why a server did not answer, without a subject that could be repeated: "it ended". */
export class NoServerAnswer extends Error {}

const PROTOCOL = '2025-06-18';

/** Opens the session, and returns the result of `initialize`. */
export async function initialize(channel: Channel, name: string): Promise<Record<string, unknown>> {
  const result = await channel.request('initialize', {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name, version: '1' },
  });
  if (!isRecord(result)) throw new NoServerAnswer('its answer is not one of an MCP server');
  await channel.notify('notifications/initialized');
  return result;
}

export async function listTools(channel: Channel): Promise<ServerTools> {
  const { instructions, capabilities } = await initialize(channel, 'lectern-context');
  const hasTools = isRecord(capabilities) && capabilities['tools'] !== undefined;
  const tools = hasTools ? await allPages(channel) : [];
  return {
    instructions: typeof instructions === 'string' ? instructions : undefined,
    tools: tools.map(({ name, description, inputSchema }) => ({
      name: textOf(name),
      description: textOf(description),
      schema: inputSchema ?? {},
    })),
  };
}

async function allPages(channel: Channel): Promise<Record<string, unknown>[]> {
  const tools: Record<string, unknown>[] = [];
  const cursors = new Set<string>();
  for (let params = {}; ;) {
    const page = await channel.request('tools/list', params);
    if (!isRecord(page) || !Array.isArray(page['tools'])) throw new NoServerAnswer('it did not list its tools');
    tools.push(...page['tools'].filter(isRecord));
    if (tools.length > LIMITS.askedTools.value)
      throw new NoServerAnswer(`it has more than ${LIMITS.askedTools.value} tools`);
    const { nextCursor: cursor } = page;
    if (typeof cursor !== 'string' || cursor === '') return tools;
    if (cursors.has(cursor) || cursors.size > LIMITS.askedTools.value)
      throw new NoServerAnswer('its list of tools does not end');
    cursors.add(cursor);
    params = { cursor };
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the result in a message. Fails if it has an error instead. */
export function replyOf(message: Record<string, unknown>): unknown {
  const { error, result } = message;
  if (!isRecord(error)) return result;
  const text = typeof error['message'] === 'string' ? error['message'] : JSON.stringify(error);
  throw new NoServerAnswer(`it answered with an error: ${clip(oneLine(text), 200)}`);
}
