/** The older HTTP transport: one stream from the server, and messages posted beside it. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';

/** Proxies close connections that say nothing for half a minute. */
const KEEP_ALIVE_MS = 15_000;
/** A client that does not read its stream is let go before its backlog becomes our memory. */
const BACKLOG_MAX_BYTES = 32 * 1024 * 1024;

export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly sessionId: string = randomUUID();
  readonly #response: ServerResponse;
  #keepAlive: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  async start(): Promise<void> {
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    });
    this.#response.on('close', () => void this.close());
    this.#response.on('error', () => void this.close());
    this.#response.write(`event: endpoint\ndata: /messages?sessionId=${this.sessionId}\n\n`);
    this.#keepAlive = setInterval(() => this.#response.write(': keep-alive\n\n'), KEEP_ALIVE_MS).unref();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    // JSON has no raw line breaks, so no text can end the event early.
    this.#response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (this.#response.writableLength > BACKLOG_MAX_BYTES) this.#response.destroy();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#keepAlive);
    this.#response.end();
    this.onclose?.();
  }

  /** Takes what the client posted: a message, or several at once. Throws when it is none. */
  receive(body: unknown): void {
    const messages = (Array.isArray(body) ? body : [body]).map((each) => parseJSONRPCMessage(each));
    if (messages.length === 0) throw new TypeError('an empty batch');
    for (const message of messages) this.onmessage?.(message);
  }
}
