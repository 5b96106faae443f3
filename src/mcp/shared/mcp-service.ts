/**
 * MCP for the callers of a shared catalog. Nothing is kept between two requests, so any replica can answer any of them. Each
 * caller sees the sources of its team, and every answer says from which snapshot it is.
 */
import { createMcpHandler, type JSONRPCMessage, type McpServer, type Transport } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import type { Service } from '../../http/listen.ts';
import type { Handler } from '../../http/routes.ts';
import type { View } from '../../hub/view.ts';
import { OPERATIONS } from '../../operations/index.ts';
import { TOOLSETS } from '../../workspace/settings-table.ts';
import type { Connect } from '../connection.ts';
import { readMessage, rpcError } from '../http/rpc-error.ts';
import { MCP_PATH } from '../http/service.ts';
import type { ServerLog } from '../log.ts';
import { ServedWorkspace } from '../served-workspace.ts';
import { createConnector } from '../server.ts';
import { Present } from './callers.ts';
import type { CallCounts } from './metrics.ts';

const SNAPSHOT_KEY = 'lectern/snapshot';

export interface SharedServiceOptions {
  log: ServerLog;
  serverName: string;
  counts: CallCounts;
}

export function sharedMcpService({ log, serverName, counts }: SharedServiceOptions): Service {
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
      const { catalog, caller } = serving.present;
      const { mcp } = connectorFor(catalog.viewFor(...caller.teams))(era);
      stampAnswers(mcp, catalog.number, serving.answered);
      return mcp;
    },
    { legacy: 'stateless' },
  );
  const exchange: Handler = async (request, context) => {
    const present = Present.in(context);
    const message = await readMessage(request);
    if (message instanceof Response) return message;
    const answered = countingCall(message.body, counts);
    const serving: Serving = { present, answered };
    return handler.fetch(request, {
      parsedBody: message.body,
      authInfo: { token: '', clientId: context.caller, scopes: [...present.caller.scopes], extra: { serving } },
    });
  };
  const noStream: Handler = () =>
    rpcError(405, 'Only POST: this server keeps no sessions and sends nothing by itself.', {
      headers: { allow: 'POST' },
    });
  return {
    routes: [{ path: MCP_PATH, scope: 'read', methods: { POST: exchange, GET: noStream, DELETE: noStream } }],
    close: () => handler.close(),
  };
}

interface Serving {
  present: Present;
  /** Told about every result. */
  answered(result: object): void;
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
