/** Routes of MCP: streamable HTTP for both eras at /mcp, and the older transport at /mcp and /messages. */
import { LIMITS } from '../../core/limits.ts';
import type { Service } from '../../http/listen.ts';
import type { Handler } from '../../http/routes.ts';
import type { SessionLimits } from '../../http/sessions.ts';
import type { Announcer } from '../announce.ts';
import type { ServedWorkspace } from '../served-workspace.ts';
import { createConnector } from '../server.ts';
import { SseStreams } from './sse.ts';
import { StreamableHttp } from './streamable.ts';

export const MCP_PATH = '/mcp';

export function mcpService(served: ServedWorkspace, announcer: Announcer): Service {
  const limits: SessionLimits = { max: LIMITS.httpSessions.value, idleMs: LIMITS.httpSessionIdle.value };
  const connect = createConnector(served);
  const streamable = new StreamableHttp(connect, announcer, limits);
  const sse = new SseStreams(connect, announcer, limits);
  const exchange: Handler = (request, context) => streamable.exchange(request, context);
  return {
    routes: [
      {
        path: MCP_PATH,
        methods: {
          // A stream without a session belongs to the older transport.
          GET: (request, context) =>
            request.headers.has('mcp-session-id') ? exchange(request, context) : sse.open(request, context),
          POST: exchange,
          DELETE: exchange,
        },
      },
      { path: '/messages', methods: { POST: (request, context) => sse.post(request, context) } },
    ],
    pending: () => sse.pending(),
    close: async () => void (await Promise.allSettled([sse.close(), streamable.close()])),
  };
}

/** Returns a shell command that sends a first message to the server. */
export function tryLine(url: string, needsToken: boolean): string {
  const body =
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}';
  const token = needsToken ? ' -H "Authorization: Bearer $LECTERN_TOKEN"' : '';
  return `curl -s ${url} -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'${token} -d '${body}'`;
}
