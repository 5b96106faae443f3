/**
 * Streamable HTTP for both eras at one URL. Requests that carry their metadata are answered individually. Clients that begin with
 * a handshake get a session, because only sessions can be notified of changes.
 */
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import type { Context } from '../../http/routes.ts';
import { type Session, Sessions, type SessionLimits } from '../../http/sessions.ts';
import type { Announcer } from '../announce.ts';
import type { Connect } from '../connection.ts';
import { BoundedStreams } from '../../http/bounded-streams.ts';
import { readMessage, rpcError, SESSION_NOT_FOUND } from './rpc-error.ts';

interface HttpSession extends Session {
  transport: WebStandardStreamableHTTPServerTransport;
}

const SUBSCRIPTIONS_MAX = 1024;
/** Extra subscriptions for the SDK, because a new one opens before an old one is closed to make room. */
const OPENING_MAX = 64;

export class StreamableHttp {
  readonly #connect: Connect;
  readonly #announcer: Announcer;
  readonly #sessions: Sessions<HttpSession>;
  readonly #modern: McpHttpHandler;
  readonly #subscriptions = new BoundedStreams(SUBSCRIPTIONS_MAX);

  constructor(connect: Connect, announcer: Announcer, limits: SessionLimits) {
    this.#connect = connect;
    this.#announcer = announcer;
    this.#sessions = new Sessions(limits);
    // No `onerror`: mistakes of a client are reported to the client and do not concern the operator.
    this.#modern = createMcpHandler(({ era }) => connect(era).mcp, {
      legacy: 'reject',
      maxSubscriptions: SUBSCRIPTIONS_MAX + OPENING_MAX,
    });
    announcer.addBus(this.#modern.bus);
  }

  async exchange(request: Request, context: Context): Promise<Response> {
    const message = request.method === 'POST' ? await readMessage(request) : { body: undefined };
    if (message instanceof Response) return message;
    const { body } = message;
    const isListening = isRecord(body) && body['method'] === 'subscriptions/listen';
    if (request.method === 'GET' || isListening) context.isStream();
    if (!(await isLegacyRequest(request, body))) {
      const response = await this.#modern.fetch(request, { parsedBody: body });
      return isListening && response.ok ? this.#subscriptions.admit(response, context) : response;
    }
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return this.#inSession(request, body, id, context);
    if (!isInitializeRequest(body)) return rpcError(400, 'Bad Request: Mcp-Session-Id header is required');
    return this.#open(request, body, context);
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#sessions.closeAll(), this.#modern.close()]);
  }

  async #inSession(request: Request, body: unknown, id: string, { caller, finished }: Context): Promise<Response> {
    const session = this.#sessions.find(id, caller);
    if (!session) return rpcError(404, 'Session not found', { code: SESSION_NOT_FOUND });
    void finished.then(this.#sessions.use(id, request.method === 'GET' ? 'streams' : 'requests'));
    return session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
  }

  async #open(request: Request, body: unknown, { caller, from, finished }: Context): Promise<Response> {
    if (!this.#sessions.makeRoom())
      return rpcError(503, 'Too many sessions are in use.', { headers: { 'retry-after': '5' } });
    const connection = this.#connect('legacy');
    const { mcp } = connection;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.add({ id, caller, from, transport, close: () => mcp.close() });
        void finished.then(this.#sessions.use(id));
      },
      onsessionclosed: (id) => this.#sessions.delete(id),
    });
    await mcp.connect(transport);
    this.#announcer.add(connection);
    const response = await transport.handleRequest(request, { parsedBody: body });
    // A refused handshake creates no session, so nothing else would close this server.
    if (transport.sessionId === undefined) await mcp.close();
    return response;
  }
}
