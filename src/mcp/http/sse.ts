/** Serves clients of the older transport. Each stream has its own server. */
import type { Context } from '../../http/routes.ts';
import { type Session, Sessions, type SessionLimits } from '../../http/sessions.ts';
import type { Announcer } from '../announce.ts';
import type { Connect } from '../connection.ts';
import { readMessage, rpcError, SESSION_NOT_FOUND } from './rpc-error.ts';
import { SseTransport } from './sse-transport.ts';

interface SseSession extends Session {
  transport: SseTransport;
}

/** First protocol version without streams. Versions are dates, and older clients may send theirs with the request for a stream. */
const FIRST_WITHOUT_STREAMS = '2026-07-28';

export class SseStreams {
  readonly #connect: Connect;
  readonly #announcer: Announcer;
  readonly #streams: Sessions<SseSession>;

  constructor(connect: Connect, announcer: Announcer, limits: SessionLimits) {
    this.#connect = connect;
    this.#announcer = announcer;
    this.#streams = new Sessions(limits);
  }

  async open({ headers }: Request, { caller, from, finished, isStream }: Context): Promise<Response> {
    if ((headers.get('mcp-protocol-version') ?? '') >= FIRST_WITHOUT_STREAMS)
      return rpcError(405, 'Only POST for this protocol version.', { headers: { allow: 'POST' } });
    if (!/text\/event-stream|\*\/\*|text\/\*/iu.test(headers.get('accept') ?? '*/*'))
      return rpcError(406, 'Not Acceptable: the client must accept text/event-stream');
    if (!this.#streams.makeRoom())
      return rpcError(503, 'Too many streams are open.', { headers: { 'retry-after': '5' } });
    isStream();
    const transport = new SseTransport();
    const connection = this.#connect('legacy');
    const id = transport.sessionId;
    const pending = (): number => transport.pending;
    this.#streams.add({ id, caller, from, transport, pending, close: () => connection.mcp.close() });
    this.#streams.use(id, 'streams');
    void finished.then(() => this.#streams.delete(id));
    await connection.mcp.connect(transport);
    this.#announcer.add(connection);
    return new Response(transport.stream, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  }

  /** Passes a posted message to its stream. */
  async post(request: Request, { caller }: Context): Promise<Response> {
    const message = await readMessage(request);
    if (message instanceof Response) return message;
    const id = new URL(request.url).searchParams.get('sessionId') ?? '';
    if (id === '') return rpcError(400, 'The sessionId parameter is missing.');
    const stream = this.#streams.find(id, caller);
    if (!stream) return rpcError(404, 'There is no such session.', { code: SESSION_NOT_FOUND });
    try {
      stream.transport.receive(message.body);
    } catch {
      return rpcError(400, 'Invalid request: not a JSON-RPC 2.0 message', { code: -32600 });
    }
    return new Response('Accepted', { status: 202 });
  }

  /** Returns the number of pending calls. */
  pending(): number {
    return this.#streams.all().reduce((sum, { transport }) => sum + transport.pending, 0);
  }

  close(): Promise<void> {
    return this.#streams.closeAll();
  }
}
