/**
 * MCP for the callers of a shared catalog. Requests are stateless, so any replica can serve them. Each caller sees the sources of its
 * teams, and every answer contains its snapshot number.
 */
import { createMcpHandler, type JSONRPCMessage, type McpServer, type Transport } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import { memo } from '../../core/memo.ts';
import type { Service } from '../../http/listen.ts';
import type { Context, Handler } from '../../http/routes.ts';
import { RequestContext } from '../../hub/request-context.ts';
import type { View } from '../../hub/view.ts';
import { OPERATIONS } from '../../operations/index.ts';
import type { Connect } from '../connection.ts';
import { readMessage, rpcError } from './rpc-error.ts';
import { MCP_PATH } from './service.ts';
import { SNAPSHOT_KEY } from '../meta-keys.ts';
import type { ServedWorkspace } from '../served-workspace.ts';
import { createConnector } from '../server.ts';

/** Pattern of protocol methods. It is strict, so that callers cannot write other content to the log. */
const METHOD = /^[a-z]{1,20}(?:\/[a-z_]{1,20}){0,2}$/u;

export type CallOutcome = 'ok' | 'error';

export interface SharedServiceOptions {
  /** Returns the server of a view: see `servedViews`. */
  served: (view: View) => ServedWorkspace;
  metrics: CallMetrics;
}

export interface CallMetrics {
  called(tool: string, outcome: CallOutcome, seconds: number): void;
}

export function sharedMcpService({ served, metrics }: SharedServiceOptions): Service {
  const connectorFor = memo((view: View): Connect => createConnector(served(view)));
  const handler = createMcpHandler(
    ({ era, authInfo }) => {
      // Captured on arrival, so that a swap cannot mix two snapshots in one answer.
      const serving = authInfo?.extra?.['serving'] as Serving | undefined;
      if (!serving) throw new Error('a request without a caller');
      const { catalog, caller } = serving.context;
      const { mcp } = connectorFor(catalog.viewFor(...caller.teams))(era);
      stampAnswers(mcp, catalog.number, serving.answered);
      return mcp;
    },
    { legacy: 'stateless' },
  );
  const exchange: Handler = async (request, context) => {
    const arrived = RequestContext.of(context);
    const message = await readMessage(request);
    if (message instanceof Response) return message;
    const answered = countingCall(message.body, metrics, context.note);
    const serving: Serving = { context: arrived, answered };
    return handler.fetch(request, {
      parsedBody: message.body,
      authInfo: { token: '', clientId: context.caller, scopes: [...arrived.caller.scopes], extra: { serving } },
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
  context: RequestContext;
  /** Called after each answer. */
  answered(isError: boolean): void;
}

/** Records the tool and its outcome. Unknown tool names are not recorded, because callers choose them. */
function countingCall(body: unknown, metrics: CallMetrics, note: Context['note']): Serving['answered'] {
  const { method, params } = isRecord(body) ? body : {};
  const asked = method === 'tools/call' && isRecord(params) ? params['name'] : undefined;
  if (typeof method === 'string' && METHOD.test(method)) note({ method });
  return countCall(OPERATIONS.find(({ name }) => name === asked)?.name, metrics, note);
}

/** Records a call that starts now. Call the returned function when it is answered. */
export function countCall(
  tool: string | undefined,
  metrics: CallMetrics,
  note: Context['note'],
): (isError: boolean) => void {
  if (tool !== undefined) note({ tool });
  const start = performance.now();
  return (isError) => {
    const outcome = isError ? 'error' : 'ok';
    note({ outcome });
    if (tool !== undefined) metrics.called(tool, outcome, (performance.now() - start) / 1_000);
  };
}

function stampAnswers(mcp: McpServer, number: number, answered: Serving['answered']): void {
  const attach = mcp.server.connect;
  mcp.server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if ('error' in message) answered(true);
      if ('result' in message) answered('isError' in message.result && message.result.isError === true);
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
