/**
 * Streamable HTTP for both eras on one address. Requests that carry their own metadata are answered one by one; clients that
 * shake hands get a session, because only a session can be told of changes.
 */
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import type { Announcer } from '../announce.ts';
import type { Catalog } from '../catalog.ts';
import type { Connect } from '../server.ts';
import { type Refusal, refusal } from './guards.ts';
import { type Session, Sessions, type SessionLimits } from './sessions.ts';

interface HttpSession extends Session {
  transport: WebStandardStreamableHTTPServerTransport;
}

const PARSE_ERROR = -32700;
const SESSION_NOT_FOUND = -32001;
const STREAMS_MAX = 1024;

export class StreamableHttp {
  readonly #connect: Connect;
  readonly #announcer: Announcer;
  readonly #sessions: Sessions<HttpSession>;
  readonly #modern: McpHttpHandler;

  constructor(catalog: Catalog, connect: Connect, announcer: Announcer, limits: SessionLimits) {
    this.#connect = connect;
    this.#announcer = announcer;
    this.#sessions = new Sessions(limits);
    // What a client did wrong is answered to the client; it is not the operator's business.
    this.#modern = createMcpHandler(({ era }) => connect(era).mcp, { legacy: 'reject', maxSubscriptions: STREAMS_MAX });
    announcer.addBus(this.#modern.bus);
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  async fetch(request: Request, caller: string): Promise<Response> {
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    if (body instanceof Response) return body;
    if (!(await isLegacyRequest(request, body))) return this.#modern.fetch(request, { parsedBody: body });
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return this.#inSession(request, body, id, caller);
    if (!isInitializeRequest(body)) return answer(refusal(400, 'Bad Request: Mcp-Session-Id header is required'));
    return this.#open(request, body, caller);
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#sessions.closeAll(), this.#modern.close()]);
  }

  async #inSession(request: Request, body: unknown, id: string, caller: string): Promise<Response> {
    const session = this.#sessions.find(id, caller);
    if (!session) return answer(refusal(404, 'Session not found', undefined, SESSION_NOT_FOUND));
    const release = this.#sessions.use(id);
    try {
      const response = await session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
      // The head of a response goes out with its first bytes, and a client waits for it: a stream must not stay silent until there is news.
      return onceDone(response, release, request.method === 'GET' && response.ok ? OPENED : undefined);
    } catch (error) {
      release();
      throw error;
    }
  }

  async #open(request: Request, body: unknown, caller: string): Promise<Response> {
    if (!this.#sessions.makeRoom())
      return answer(refusal(503, 'Too many sessions are in use.', { 'retry-after': '5' }));
    const connection = this.#connect('legacy');
    const { mcp } = connection;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#sessions.add({ id, caller, transport, close: () => mcp.close() }),
      onsessionclosed: (id) => this.#sessions.delete(id),
    });
    await mcp.connect(transport);
    this.#announcer.add(connection);
    const response = await transport.handleRequest(request, { parsedBody: body });
    // A handshake that was refused leaves no session, and nobody would ever close this one.
    if (transport.sessionId === undefined) await mcp.close();
    else return onceDone(response, this.#sessions.use(transport.sessionId));
    return response;
  }
}

async function readJson(request: Request): Promise<unknown> {
  try {
    const body: unknown = JSON.parse(await request.text());
    return body;
  } catch {
    return answer(refusal(400, 'Parse error: the body is not JSON', undefined, PARSE_ERROR));
  }
}

function answer({ status, code, message, headers }: Refusal): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code, message }, id: null },
    { status, ...(headers === undefined ? {} : { headers }) },
  );
}

/** A comment, which clients pass over. */
const OPENED = new TextEncoder().encode(': open\n\n');

/** The same response, perhaps with something before it, and a word when it was delivered or given up. */
function onceDone(response: Response, done: () => void, first?: Uint8Array): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first) controller.enqueue(first);
    },
    async pull(controller) {
      try {
        const next = await reader.read();
        if (!next.done) return controller.enqueue(next.value);
        done();
        controller.close();
      } catch (error) {
        done();
        controller.error(error);
      }
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
