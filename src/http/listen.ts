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
import { type Context, type Handler, type RecordFields, type Route, RouteTable } from './routes.ts';
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
  /** How long an idle connection stays open. A load balancer in front must close its connections earlier. */
  keepAliveMs?: number;
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
  /** From now on, every response closes its connection. All requests are still answered. */
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
  refuseUnprotected(options);
  const listener = new HttpListener(services, tokens, options);
  const port = await listener.start();
  return {
    url: `http://${inUrl(options.host)}:${port}`,
    closed: listener.closed,
    drain: () => listener.drain(),
    close: () => listener.close(),
  };
}

/** Other machines may connect only with a token that cannot be guessed. */
function refuseUnprotected({ host, tokens, callers }: ListenOptions): void {
  if (isLoopback(host)) return;
  if (tokens.length === 0 && !callers) {
    throw new Failure('REFUSED', `Listening on ${host} would let everyone who can reach it read the skills.`, {
      hint: 'Set LECTERN_TOKEN (or --token) so that callers must know it, or listen on 127.0.0.1.',
    });
  }
  if (tokens.some(({ length }) => length < LIMITS.tokenCharacters.value)) {
    throw new Failure(
      'REFUSED',
      `A token of fewer than ${LIMITS.tokenCharacters.value} characters is easily guessed.`,
      {
        hint: `Other machines can reach ${host}. Set LECTERN_TOKEN (or --token) to a random token, such as the output of: openssl rand -hex 32`,
      },
    );
  }
}

type Recorded = Pick<Answered, 'who' | 'fields'>;

class HttpListener {
  readonly #services: readonly Service[];
  readonly #options: ListenOptions;
  readonly #server: Server;
  readonly #table: RouteTable;
  readonly #tokens: Tokens;
  readonly #connections: Connections;
  #hosts: HostList;
  #signIns: SignIns;
  /** Responses that are not delivered yet, and the subset that are replies to calls. The others are streams. */
  readonly #open = new Set<ServerResponse>();
  readonly #calls = new Set<ServerResponse>();
  #delivered = 0;
  #isDraining = false;
  #isClosing = false;
  #closing: Promise<void> | undefined;
  #resolveClosed = (): void => undefined;
  readonly closed = new Promise<void>((resolve) => void (this.#resolveClosed = resolve));

  constructor(services: readonly Service[], tokens: Tokens, options: ListenOptions) {
    this.#services = services;
    this.#options = options;
    this.#table = new RouteTable([HEALTH, ...services.flatMap(({ routes }) => routes)]);
    this.#tokens = tokens;
    this.#connections = new Connections(options.maxConnections ?? maxConnections());
    this.#hosts = this.#hostsAt(options.port);
    this.#signIns = new SignIns(tokens, options.port);
    this.#server = createServer(
      { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS },
      (incoming, outgoing) => this.#receive(incoming, outgoing),
    );
    this.#server.on('connection', (socket) => this.#connections.add(socket));
    this.#server.keepAliveTimeout = options.keepAliveMs ?? KEEP_ALIVE_MS;
    this.#server.timeout = SOCKET_IDLE_MS;
  }

  /** Returns the port. */
  async start(): Promise<number> {
    const port = await startListening(this.#server, this.#options);
    this.#hosts = this.#hostsAt(port);
    this.#signIns = new SignIns(this.#tokens, port);
    return port;
  }

  drain(): void {
    this.#isDraining = true;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  #hostsAt(port: number): HostList {
    const { host, allowedHosts, anyAddress } = this.#options;
    return new HostList(host, port, allowedHosts, anyAddress);
  }

  #receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    outgoing.setHeader('x-content-type-options', 'nosniff');
    outgoing.setHeader('cache-control', 'no-store');
    // Without a listener, a client that disconnects at the wrong moment would crash the process.
    outgoing.on('error', () => undefined);
    incoming.on('error', () => undefined);
    if (this.#isDraining) outgoing.shouldKeepAlive = false;
    const record: Recorded = { who: undefined, fields: {} };
    this.#reportAnswer(incoming, outgoing, record);
    this.#answer(incoming, outgoing, record).catch((error: unknown) => {
      this.#options.bug(error);
      if (outgoing.headersSent) outgoing.destroy();
      else void send(outgoing, refuse(500, bugMessage(error)));
    });
  }

  #reportAnswer(incoming: IncomingMessage, outgoing: ServerResponse, record: Recorded): void {
    const { answered } = this.#options;
    if (!answered) return;
    const start = performance.now();
    const { method = '', headers, url = '' } = incoming;
    const { traceparent } = headers;
    const [path = ''] = url.split('?', 1);
    const { route } = this.#table.find(path) ?? {};
    outgoing.on('close', () =>
      answered({
        method,
        path: route?.path ?? '',
        status: outgoing.statusCode,
        ms: performance.now() - start,
        isCut: !outgoing.writableFinished,
        traceparent: typeof traceparent === 'string' ? traceparent : undefined,
        ...record,
      }),
    );
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse, record: Recorded): Promise<void> {
    if (this.#isClosing) return refuseUnread(outgoing, refuse(503, 'The server is shutting down.'));
    const finished = this.#track(outgoing);
    const admitted = await admit(incoming, {
      table: this.#table,
      tokens: this.#tokens,
      callers: this.#options.callers,
      hosts: this.#hosts,
      signIns: this.#signIns,
    });
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
    void finished.then(this.#connections.use(incoming.socket));
    const context: Context = {
      ...this.#signingIn(incoming),
      caller,
      from: networkOf(incoming.socket.remoteAddress ?? ''),
      who,
      params,
      finished,
      isStream: () => void this.#calls.delete(outgoing),
      note: (fields) => void (record.fields = { ...record.fields, ...fields }),
    };
    // A publication may take longer than the timeout of an idle connection.
    incoming.socket.setTimeout(0);
    const response = await handler(toRequest(incoming, body), context);
    incoming.socket.setTimeout(SOCKET_IDLE_MS);
    await send(outgoing, response);
  }

  /** Counts the response until it is delivered or the client disconnects. */
  #track(outgoing: ServerResponse): Promise<void> {
    this.#open.add(outgoing);
    this.#calls.add(outgoing);
    return new Promise((resolve) => {
      outgoing.on('close', () => {
        this.#open.delete(outgoing);
        this.#calls.delete(outgoing);
        this.#delivered += 1;
        resolve();
      });
    });
  }

  #signingIn({ headers }: IncomingMessage): Pick<Context, 'signIn' | 'signOut' | 'cookieToken' | 'needsToken'> {
    const { callers } = this.#options;
    return {
      signIn: async (token) => callers?.signIn(token) ?? this.#signIns.signIn(token),
      signOut: callers?.cookie.forget(),
      cookieToken: callers?.cookie.tokenIn(headers.cookie),
      needsToken: this.#tokens.required || callers !== undefined,
    };
  }

  async #close(): Promise<void> {
    const [services, server, open, calls] = [this.#services, this.#server, this.#open, this.#calls];
    const pending = (): number => services.reduce((sum, service) => sum + (service.pending?.() ?? 0), 0);
    const unsent = (): number => [...open].reduce((sum, { writableLength }) => sum + writableLength, 0);
    const progress = (): string => `${this.#delivered} ${pending()} ${unsent()}`;
    // Requests that have already arrived are answered, even if this process has not read them yet.
    await readArrived();
    this.#isClosing = true;
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const dropped = await drain({ left: () => calls.size + pending(), progress });
    if (dropped > 0) this.#options.warn(droppedCalls(dropped));
    await Promise.allSettled(services.map((service) => service.close()));
    await drain({ left: () => open.size - calls.size, progress, quietMs: STREAM_QUIET_MS });
    server.closeIdleConnections();
    const force = setTimeout(() => server.closeAllConnections(), CONNECTION_GRACE_MS);
    await stopped;
    clearTimeout(force);
    this.#resolveClosed();
  }
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
