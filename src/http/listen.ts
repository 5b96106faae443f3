/**
 * The HTTP server of all interfaces that need one. All routes have the same guards. The duration, size and number of requests are
 * bounded. Closing waits for pending calls.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { drain, droppedCalls, readArrived } from '../core/drain.ts';
import { bugMessage, Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { isLoopback } from '../core/loopback.ts';
import { Connections, maxConnections } from './connections.ts';
import { admit, type Callers, HostList, inUrl, SignIns, Tokens } from './guards.ts';
import { refuse } from './refuse.ts';
import { type RecordFields, type Handler, type Route, RouteTable, type SignedIn } from './routes.ts';
import { readBody, send, toRequest } from './web-standard.ts';
import { networkOf } from './wrong-tries.ts';

/** Related routes, and the way to end their open streams and sessions. */
export interface Service {
  routes: readonly Route[];
  /** Returns the number of calls whose reply is due on a stream. Closing waits for these too. */
  pending?(): number;
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  tokens: readonly string[];
  /** Authenticates callers in place of the tokens. */
  callers?: Callers;
  /** Values of `Host` that are allowed in addition to our own. */
  allowedHosts: readonly string[];
  /**
   * Also accepts any IP address as `Host`, as used by probes and load balancers. Set it only if every caller is authenticated.
   */
  anyAddress?: boolean | undefined;
  /** Defaults to a limit derived from the open-file limit. */
  maxConnections?: number;
  /** Receives errors thrown by handlers. */
  bug(error: unknown): void;
  /** Receives a line about calls that were dropped when the server closed. */
  warn(text: string): void;
  /** Called after each request completes. */
  answered?(request: Answered): void;
}

export interface Answered {
  method: string;
  /** The route pattern (never caller-supplied values). Empty if no route matched. */
  path: string;
  status: number;
  ms: number;
  /** The client disconnected before the whole response was sent. */
  isCut: boolean;
  who: object | undefined;
  traceparent: string | undefined;
  /** Fields added by the handler. */
  fields: RecordFields;
}

export interface Listening {
  /** The URL of the server, without a path. */
  url: string;
  closed: Promise<void>;
  /** From now on, replies ask clients to use another connection. All requests are still answered. */
  drain(): void;
  close(): Promise<void>;
}

/** Well-behaved clients send headers and body together. Slow senders are disconnected. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
const CHECK_MS = 5_000;
/** Streams send data every fifteen seconds, so only dead connections are idle for this long. */
const SOCKET_IDLE_MS = 75_000;
const KEEP_ALIVE_MS = 20_000;
/** Maximum time without progress for streams to deliver their last events, and then for connections to close. */
const STREAM_QUIET_MS = 2_000;
const CONNECTION_GRACE_MS = 500;

const health: Handler = () => Response.json({ status: 'ok' });
const HEALTH: Route = { path: '/healthz', methods: { GET: health, HEAD: health }, isPublic: true };

export async function listen(services: readonly Service[], options: ListenOptions): Promise<Listening> {
  const tokens = new Tokens(options.tokens);
  if (!tokens.required && !options.callers && !isLoopback(options.host)) {
    throw new Failure('REFUSED', `Listening on ${options.host} would let everyone who can reach it read the skills.`, {
      hint: 'Set LECTERN_TOKEN (or --token) so that callers must know it, or listen on 127.0.0.1.',
    });
  }
  if (!isLoopback(options.host) && options.tokens.some(({ length }) => length < LIMITS.tokenCharacters.value)) {
    throw new Failure(
      'REFUSED',
      `A token of fewer than ${LIMITS.tokenCharacters.value} characters is easily guessed.`,
      {
        hint: `Other machines can reach ${options.host}. Set LECTERN_TOKEN (or --token) to a random token, such as the output of: openssl rand -hex 32`,
      },
    );
  }
  const table = new RouteTable([HEALTH, ...services.flatMap(({ routes }) => routes)]);
  /** Responses that are not delivered yet, and the subset that are replies to calls. The others are streams. */
  const open = new Set<ServerResponse>();
  const calls = new Set<ServerResponse>();
  let delivered = 0;
  const connections = new Connections(options.maxConnections ?? maxConnections());
  let hosts = new HostList(options.host, options.port, options.allowedHosts, options.anyAddress);
  let signIns = new SignIns(tokens, options.port);
  let closing: Promise<void> | undefined;
  let isDraining = false;
  let isClosing = false;

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, record: Recorded): Promise<void> => {
    if (isClosing) return refuseUnread(outgoing, refuse(503, 'The server is shutting down.'));
    open.add(outgoing);
    calls.add(outgoing);
    const isStream = (): void => void calls.delete(outgoing);
    const finished = new Promise<void>((resolve) => {
      outgoing.on('close', () => {
        open.delete(outgoing);
        calls.delete(outgoing);
        delivered += 1;
        resolve();
      });
    });
    const admitted = await admit(incoming, { table, tokens, callers: options.callers, hosts, signIns });
    // The client disconnected.
    if (outgoing.destroyed) return;
    if (admitted instanceof Response) return refuseUnread(outgoing, admitted);
    const { method, handler, route, params, caller, who } = admitted;
    record.who = who;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const { maxBytes = LIMITS.requestBytes.value } = route;
    const body = hasBody ? await readBody(incoming, maxBytes) : undefined;
    if (incoming.destroyed && !incoming.complete) return;
    if (hasBody && body === undefined)
      return refuseUnread(outgoing, refuse(413, `The body is longer than ${maxBytes} bytes.`));
    void finished.then(connections.use(incoming.socket));
    const { callers } = options;
    const needsToken = tokens.required || callers !== undefined;
    const signIn = async (token: string): Promise<SignedIn> => callers?.signIn(token) ?? signIns.signIn(token);
    const signOut = callers?.cookie.forget();
    const cookieToken = callers?.cookie.tokenIn(incoming.headers.cookie);
    const note = (fields: RecordFields): void => void (record.fields = { ...record.fields, ...fields });
    const from = networkOf(incoming.socket.remoteAddress ?? '');
    const context = { caller, from, who, params, finished, isStream, signIn, signOut, cookieToken, needsToken, note };
    // A publication may take longer than the timeout of an idle connection.
    incoming.socket.setTimeout(0);
    const response = await handler(toRequest(incoming, body), context);
    incoming.socket.setTimeout(SOCKET_IDLE_MS);
    await send(outgoing, response);
  };

  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS },
    (incoming, outgoing) => {
      outgoing.setHeader('x-content-type-options', 'nosniff');
      outgoing.setHeader('cache-control', 'no-store');
      // Without a listener, a client that disconnects at the wrong moment would crash the process.
      outgoing.on('error', () => undefined);
      incoming.on('error', () => undefined);
      if (isDraining) outgoing.shouldKeepAlive = false;
      const record: Recorded = { who: undefined, fields: {} };
      if (options.answered) {
        const [path = ''] = (incoming.url ?? '').split('?', 1);
        const { route } = table.find(path) ?? {};
        const report = options.answered;
        outgoing.on('close', reporter({ report, path: route?.path ?? '', incoming, outgoing, record }));
      }
      answer(incoming, outgoing, record).catch((error: unknown) => {
        options.bug(error);
        if (outgoing.headersSent) outgoing.destroy();
        else void send(outgoing, refuse(500, bugMessage(error)));
      });
    },
  );
  server.on('connection', (socket) => connections.add(socket));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.timeout = SOCKET_IDLE_MS;

  const port = await startListening(server, options);
  hosts = new HostList(options.host, port, options.allowedHosts, options.anyAddress);
  signIns = new SignIns(tokens, port);

  let resolveClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => void (resolveClosed = resolve));
  const pending = (): number => services.reduce((sum, service) => sum + (service.pending?.() ?? 0), 0);
  const unsent = (): number => [...open].reduce((sum, { writableLength }) => sum + writableLength, 0);
  const progress = (): string => `${delivered} ${pending()} ${unsent()}`;
  const close = async (): Promise<void> => {
    // Requests that have already arrived are answered, even if this process has not read them yet.
    await readArrived();
    isClosing = true;
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const dropped = await drain({ left: () => calls.size + pending(), progress });
    if (dropped > 0) options.warn(droppedCalls(dropped));
    await Promise.allSettled(services.map((service) => service.close()));
    await drain({ left: () => open.size - calls.size, progress, quietMs: STREAM_QUIET_MS });
    server.closeIdleConnections();
    const force = setTimeout(() => server.closeAllConnections(), CONNECTION_GRACE_MS);
    await stopped;
    clearTimeout(force);
    resolveClosed();
  };
  return {
    url: `http://${inUrl(options.host)}:${port}`,
    closed,
    drain: () => void (isDraining = true),
    close: () => (closing ??= close()),
  };
}

type Recorded = Pick<Answered, 'who' | 'fields'>;

/** Returns a listener for the end of the response, which reports the request. */
function reporter({
  report,
  path,
  incoming,
  outgoing,
  record,
}: {
  report: (request: Answered) => void;
  path: string;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  record: Recorded;
}): () => void {
  const start = performance.now();
  const { method = '', headers } = incoming;
  const { traceparent } = headers;
  return () =>
    report({
      method,
      path,
      status: outgoing.statusCode,
      ms: performance.now() - start,
      isCut: !outgoing.writableFinished,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      ...record,
    });
}

/** Refuses a request and closes the connection, because the rest of the body stays unread. */
function refuseUnread(outgoing: ServerResponse, refusal: Response): Promise<void> {
  outgoing.shouldKeepAlive = false;
  return send(outgoing, refusal);
}

function startListening(server: Server, { host, port }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Failure {
  const reasons: Record<string, [message: string, hint: string]> = {
    EADDRINUSE: [`Port ${port} is in use.`, 'Choose another with --port, or --port 0 for a free one.'],
    EACCES: [`This user may not open port ${port}.`, 'Choose a port above 1023 with --port.'],
    EADDRNOTAVAIL: [`This machine has no address ${host}.`, 'Choose another with --host.'],
    ENOTFOUND: [`There is no host called ${host}.`, 'Choose another with --host.'],
  };
  const [message, hint] = reasons[error.code ?? ''] ?? [
    `Cannot listen on ${host}:${port} (${error.code ?? 'unknown'}).`,
    'Choose another with --host or --port.',
  ];
  return new Failure('REFUSED', message, { hint, cause: error });
}
