/** Clients of the older transport: each stream has a server of its own. */
import type { ServerResponse } from 'node:http';
import type { Announcer } from '../announce.ts';
import type { Connect } from '../server.ts';
import { type Refusal, refusal } from './guards.ts';
import { type Session, Sessions, type SessionLimits } from './sessions.ts';
import { SseTransport } from './sse-transport.ts';

interface SseSession extends Session {
  transport: SseTransport;
}

export class SseStreams {
  readonly #connect: Connect;
  readonly #announcer: Announcer;
  readonly #streams: Sessions<SseSession>;

  constructor(connect: Connect, announcer: Announcer, limits: SessionLimits) {
    this.#connect = connect;
    this.#announcer = announcer;
    this.#streams = new Sessions(limits);
  }

  get count(): number {
    return this.#streams.size;
  }

  async open(response: ServerResponse, caller: string): Promise<Refusal | undefined> {
    if (!this.#streams.makeRoom()) return refusal(503, 'Too many streams are open.', { 'retry-after': '5' });
    const transport = new SseTransport(response);
    const connection = this.#connect('legacy');
    const id = transport.sessionId;
    this.#streams.add({ id, caller, transport, close: () => connection.mcp.close() });
    // An open stream is in use: it ends when the client leaves, never to make room.
    this.#streams.use(id);
    await connection.mcp.connect(transport);
    this.#announcer.add(connection);
    response.on('close', () => this.#streams.delete(id));
    return undefined;
  }

  /** Hands a posted message to its stream. */
  post(id: string | null, body: unknown, caller: string): Refusal | undefined {
    if (id === null || id === '') return refusal(400, 'The sessionId parameter is missing.');
    const stream = this.#streams.find(id, caller);
    if (!stream) return refusal(404, 'There is no such session.', undefined, -32001);
    try {
      stream.transport.receive(body);
      return undefined;
    } catch {
      return refusal(400, 'Invalid request: not a JSON-RPC 2.0 message', undefined, -32600);
    }
  }

  close(): Promise<void> {
    return this.#streams.closeAll();
  }
}
