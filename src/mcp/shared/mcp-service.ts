/**
 * MCP for the callers of a shared catalog. Nothing is kept between two requests, so any replica can answer any of them. Each
 * caller sees the sources of its team, and every answer says from which snapshot it is.
 */
import { createMcpHandler, type JSONRPCMessage, type McpServer, type Transport } from '@modelcontextprotocol/server';
import { refuse } from '../../http/refuse.ts';
import type { Service } from '../../http/listen.ts';
import type { Handler } from '../../http/routes.ts';
import type { Follower } from '../../hub/follower.ts';
import type { Caller, SharedCatalog } from '../../hub/shared-catalog.ts';
import type { View } from '../../hub/view.ts';
import { TOOLSETS } from '../../workspace/settings-table.ts';
import type { Connect } from '../connection.ts';
import { readMessage, rpcError } from '../http/rpc-error.ts';
import { MCP_PATH } from '../http/service.ts';
import type { ServerLog } from '../log.ts';
import { ServedWorkspace } from '../served-workspace.ts';
import { createConnector } from '../server.ts';

const SNAPSHOT_KEY = 'lectern/snapshot';

export interface SharedServiceOptions {
  follower: Follower;
  log: ServerLog;
  serverName: string;
}

export function sharedMcpService({ follower, log, serverName }: SharedServiceOptions): Service {
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
      const { catalog, team } = serving;
      const { mcp } = connectorFor(catalog.viewFor(team))(era);
      stampAnswers(mcp, catalog.number);
      return mcp;
    },
    { legacy: 'stateless' },
  );
  const exchange: Handler = async (request, context) => {
    const found = callerOf(follower, context.caller, 'read');
    if (found instanceof Response) return found;
    const message = await readMessage(request);
    if (message instanceof Response) return message;
    const serving: Serving = { catalog: found.catalog, team: found.caller.team };
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
  if (!token) return refuse(401, 'A bearer token is required.', { 'www-authenticate': 'Bearer realm="lectern"' });
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

function stampAnswers(mcp: McpServer, number: number): void {
  const attach = mcp.server.connect;
  mcp.server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(stamped(message, number), options);
    return attach(transport);
  };
}

function stamped(message: JSONRPCMessage, number: number): JSONRPCMessage {
  if (!('result' in message)) return message;
  const { result } = message;
  return { ...message, result: { ...result, _meta: { ...result._meta, [SNAPSHOT_KEY]: number } } };
}
