/**
 * MCP for the callers of a shared catalog. Nothing is kept between two requests, so any replica can answer any of them. Each
 * caller sees the sources of its team, and every answer says from which snapshot it is.
 */
import { createMcpHandler, type JSONRPCMessage, type McpServer, type Transport } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import { refuse } from '../../http/refuse.ts';
import type { Service } from '../../http/listen.ts';
import type { Handler } from '../../http/routes.ts';
import type { Follower } from '../../hub/follower.ts';
import type { Caller, SharedCatalog } from '../../hub/shared-catalog.ts';
import type { View } from '../../hub/view.ts';
import { OPERATIONS } from '../../operations/index.ts';
import { TOOLSETS } from '../../workspace/settings-table.ts';
import type { Connect } from '../connection.ts';
import { readMessage, rpcError } from '../http/rpc-error.ts';
import { MCP_PATH } from '../http/service.ts';
import type { ServerLog } from '../log.ts';
import { ServedWorkspace } from '../served-workspace.ts';
import { createConnector } from '../server.ts';
import type { CallCounts } from './metrics.ts';

const SNAPSHOT_KEY = 'lectern/snapshot';

export interface SharedServiceOptions {
  follower: Follower;
  log: ServerLog;
  serverName: string;
  counts: CallCounts;
}

export function sharedMcpService({ follower, log, serverName, counts }: SharedServiceOptions): Service {
  const connectors = new WeakMap<View, Connect>();
  const connectorFor = (view: View): Connect => {
    let connect = connectors.get(view);
    if (!connect) {
      const served = new ServedWorkspace(view, settingsFor(serverName, view), log);
      connectors.set(view, (connect = createConnector(served)));
    }
    return connect;
  };
  const handler = createMcpHandler(
    ({ era, authInfo }) => {
      // Taken when the request arrived: a swap in the meantime must not mix two snapshots in one answer.
      const serving = authInfo?.extra?.['serving'] as Serving | undefined;
      if (!serving) throw new Error('a request without a caller');
      const { catalog, team, answered } = serving;
      const { mcp } = connectorFor(catalog.viewFor(team))(era);
      stampAnswers(mcp, catalog.number, answered);
      return mcp;
    },
    { legacy: 'stateless' },
  );
  const exchange: Handler = async (request, context) => {
    const found = callerOf(follower, context.caller, 'read');
    if (found instanceof Response) return found;
    const message = await readMessage(request);
    if (message instanceof Response) return message;
    const answered = countingCall(message.body, counts);
    const serving: Serving = { catalog: found.catalog, team: found.caller.team, answered };
    return handler.fetch(request, {
      parsedBody: message.body,
      authInfo: { token: '', clientId: context.caller, scopes: [...found.caller.scopes], extra: { serving } },
    });
  };
  const noStream: Handler = () =>
    rpcError(405, 'Only POST: this server keeps no sessions and sends nothing by itself.', {
      headers: { allow: 'POST' },
    });
  return {
    routes: [{ path: MCP_PATH, methods: { POST: exchange, GET: noStream, DELETE: noStream } }],
    close: () => handler.close(),
  };
}

interface Serving {
  catalog: SharedCatalog;
  team: string;
  /** Told about every result. */
  answered(result: object): void;
}

/** The caller and the catalog of this moment; or why there is none. */
export function callerOf(
  follower: Follower,
  caller: string,
  scope: Caller['scopes'][number],
): { caller: Caller; catalog: SharedCatalog } | Response {
  const catalog = follower.current;
  if (!catalog) return refuse(503, 'There is no catalog yet.', { 'retry-after': '5' });
  const token = catalog.callerWith(caller);
  if (!token) {
    const reason = caller === '' ? 'A bearer token is required.' : 'The token is unknown, expired or revoked.';
    return refuse(401, reason, { 'www-authenticate': 'Bearer realm="lectern"' });
  }
  if (!token.scopes.includes(scope)) {
    return refuse(403, `The token has no scope ${scope}.`, {
      'www-authenticate': `Bearer realm="lectern", error="insufficient_scope", scope="${scope}"`,
    });
  }
  return { caller: token, catalog };
}

function settingsFor(serverName: string, view: View): ConstructorParameters<typeof ServedWorkspace>[1] {
  return {
    serverName,
    tools: new Set(TOOLSETS),
    findSpecs: () => view.hasSpecs,
    readOnly: true,
    toolNames: 'underscore',
    descriptionBudget: undefined,
    // A client without a session cannot be told of changes.
    refreshIntervalMs: undefined,
    watch: false,
  };
}

/** Counts the answer, if the request calls a tool that exists. */
function countingCall(body: unknown, counts: CallCounts): Serving['answered'] {
  const isCall = isRecord(body) && body['method'] === 'tools/call' && isRecord(body['params']);
  const asked = isCall ? (body['params'] as Record<string, unknown>)['name'] : undefined;
  const tool = OPERATIONS.find(({ name }) => name === asked)?.name;
  const start = performance.now();
  return (result) => {
    if (tool === undefined) return;
    const isError = 'isError' in result && result.isError === true;
    counts.add(tool, isError ? 'error' : 'ok', (performance.now() - start) / 1_000);
  };
}

function stampAnswers(mcp: McpServer, number: number, answered: Serving['answered']): void {
  const attach = mcp.server.connect;
  mcp.server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if ('result' in message) answered(message.result);
      return send(stamped(message, number), options);
    };
    return attach(transport);
  };
}

function stamped(message: JSONRPCMessage, number: number): JSONRPCMessage {
  if (!('result' in message)) return message;
  const { result } = message;
  return { ...message, result: { ...result, _meta: { ...result._meta, [SNAPSHOT_KEY]: number } } };
}
