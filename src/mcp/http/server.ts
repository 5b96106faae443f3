/** The HTTP side of the server: every route behind the same guards, bounded in time, size and number, and closed in order. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Announcer } from '../announce.ts';
import type { Catalog } from '../catalog.ts';
import { createConnector } from '../server.ts';
import type { Running } from '../stdio.ts';
import { checkAddress, HostList, inUrl, isLoopback, type Refusal, refusal, Tokens, UNAUTHORIZED } from './guards.ts';
import { readBody } from './request-body.ts';
import { SseStreams } from './sse.ts';
import type { SessionLimits } from './sessions.ts';
import { StreamableHttp } from './streamable.ts';

export interface HttpOptions {
  host: string;
  port: number;
  tokens: readonly string[];
  allowedHosts: readonly string[];
  limits?: Partial<SessionLimits>;
}

export interface HttpRunning extends Running {
  url: string;
  port: number;
  /** For those who measure. */
  counts(): { sessions: number; streams: number };
}

/** Slow senders are let go; an honest client sends its headers and body at once. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
const CHECK_MS = 5_000;
/** Streams say something every fifteen seconds, so only dead connections are silent for this long. */
const SOCKET_IDLE_MS = 75_000;
const KEEP_ALIVE_MS = 20_000;
const CONNECTIONS_MAX = 4_096;
/** How long calls that are under way may take after the server was told to stop. */
const GRACE_MS = 3_000;

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  '/mcp': ['GET', 'POST', 'DELETE'],
  '/messages': ['POST'],
  '/healthz': ['GET', 'HEAD'],
};

export async function listen(catalog: Catalog, announcer: Announcer, options: HttpOptions): Promise<HttpRunning> {
  const tokens = new Tokens(options.tokens);
  if (!tokens.required && !isLoopback(options.host)) {
    throw new Failure('REFUSED', `Listening on ${options.host} would let everybody who can reach it read the skills.`, {
      hint: 'Set LECTERN_TOKEN (or --token) so that callers must know it, or listen on 127.0.0.1.',
    });
  }
  const limits: SessionLimits = {
    max: LIMITS.httpSessions.value,
    idleMs: LIMITS.httpSessionIdle.value,
    ...options.limits,
  };
  const connect = createConnector(catalog);
  const streamable = new StreamableHttp(catalog, connect, announcer, limits);
  const sse = new SseStreams(connect, announcer, limits);
  const calls = new Set<ServerResponse>();
  let hosts = new HostList(options.host, options.port, options.allowedHosts);
  let closing: Promise<void> | undefined;

  const mcp = toNodeHandler(
    { fetch: (request, given) => streamable.fetch(request, given?.authInfo?.clientId ?? '') },
    { maxRequestBodySize: LIMITS.httpBodyBytes.value, onerror: (error) => catalog.log.bug(error) },
  );

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> => {
    const refused = checkAddress(request, hosts);
    if (refused) return refused;
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const allowed = Object.hasOwn(ALLOWED, path) ? ALLOWED[path] : undefined;
    if (!allowed) return refusal(404, 'There is nothing here; the server is at /mcp.');
    const method = request.method ?? '';
    if (!allowed.includes(method))
      return refusal(405, `Only ${allowed.join(', ')} here.`, { allow: allowed.join(', ') });
    if (path === '/healthz') return answerHealth(response, method);
    const caller = tokens.identify(request.headers.authorization);
    if (caller === undefined) return UNAUTHORIZED;
    if (closing) return refusal(503, 'The server is shutting down.', { connection: 'close' });
    if (method === 'POST' && !isJsonContentType(request.headers['content-type'])) {
      return refusal(415, 'Unsupported Media Type: Content-Type must be application/json');
    }
    if (path === '/messages') return receive(request, response, query, caller);
    if (method === 'GET' && request.headers['mcp-session-id'] === undefined)
      return openStream(request, response, caller);
    if (method === 'POST') calls.add(response);
    response.on('close', () => calls.delete(response));
    await mcp(withCaller(request, method, caller), response);
    return undefined;
  };

  /** A stream without a session belongs to a client of the older transport; newer ones have no such streams at all. */
  const openStream = async (
    request: IncomingMessage,
    response: ServerResponse,
    caller: string,
  ): Promise<Refusal | undefined> => {
    if (request.headers['mcp-protocol-version'] !== undefined)
      return refusal(405, 'Only POST for this protocol version.', { allow: 'POST' });
    if (!(request.headers.accept ?? '').includes('text/event-stream'))
      return refusal(406, 'Not Acceptable: the client must accept text/event-stream');
    return sse.open(response, caller);
  };

  const receive = async (
    request: IncomingMessage,
    response: ServerResponse,
    query: string,
    caller: string,
  ): Promise<Refusal | undefined> => {
    const body = await readBody(request, LIMITS.httpBodyBytes.value);
    if (body.kind === 'refused') return body.refusal;
    const refused = sse.post(new URLSearchParams(query).get('sessionId'), body.value, caller);
    if (!refused) response.writeHead(202).end('Accepted');
    return refused;
  };

  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS },
    (request, response) => {
      response.setHeader('x-content-type-options', 'nosniff');
      response.setHeader('cache-control', 'no-store');
      // Without a listener, a caller that hangs up at the wrong moment would end the process.
      response.on('error', () => undefined);
      request.on('error', () => undefined);
      void route(request, response)
        .catch((error: unknown) => {
          catalog.log.bug(error);
          return refusal(503, 'Something went wrong inside Lectern.');
        })
        .then((refused) => refused && refuse(response, refused));
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.timeout = SOCKET_IDLE_MS;

  const port = await startListening(server, options);
  hosts = new HostList(options.host, port, options.allowedHosts);

  let resolveClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => void (resolveClosed = resolve));
  const close = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await callsDone(calls, GRACE_MS);
    await Promise.allSettled([sse.close(), streamable.close()]);
    server.closeIdleConnections();
    const force = setTimeout(() => server.closeAllConnections(), 500);
    await stopped;
    clearTimeout(force);
    resolveClosed();
  };
  return {
    port,
    url: `http://${inUrl(options.host)}:${port}/mcp`,
    counts: () => ({ sessions: streamable.sessionCount, streams: sse.count }),
    closed,
    close: () => (closing ??= close()),
  };
}

/** The request as the SDK reads it; the caller travels where it keeps who is calling. */
function withCaller(request: IncomingMessage, method: string, caller: string): NodeIncomingMessageLike {
  return {
    method,
    url: request.url ?? '/',
    headers: request.headers,
    auth: { token: '', clientId: caller, scopes: [] },
    [Symbol.asyncIterator]: () => request[Symbol.asyncIterator](),
  };
}

function answerHealth(response: ServerResponse, method: string): undefined {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(method === 'HEAD' ? undefined : '{"status":"ok"}');
}

function refuse(response: ServerResponse, { status, code, message, headers }: Refusal): void {
  if (response.headersSent) return void response.end();
  // What is left of an unread body is not worth waiting for.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

function startListening(server: Server, { host, port }: HttpOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Failure {
  const reasons: Record<string, [message: string, hint: string]> = {
    EADDRINUSE: [`Port ${port} is in use.`, 'Choose another with --port, or --port 0 for a free one.'],
    EACCES: [`Port ${port} may not be used by this user.`, 'Choose a port above 1023 with --port.'],
    EADDRNOTAVAIL: [`This machine has no address ${host}.`, 'Choose another with --host.'],
    ENOTFOUND: [`There is no host called ${host}.`, 'Choose another with --host.'],
  };
  const [message, hint] = reasons[error.code ?? ''] ?? [
    `Listening on ${host}:${port} is not possible (${error.code ?? 'unknown'}).`,
    'Choose another with --host or --port.',
  ];
  return new Failure('REFUSED', message, { hint, cause: error });
}

/** Resolves when every call was answered, or after the time that is granted. Streams are not calls. */
async function callsDone(calls: ReadonlySet<ServerResponse>, graceMs: number): Promise<void> {
  const end = performance.now() + graceMs;
  while (calls.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
}
