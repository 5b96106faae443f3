/** The older HTTP transport: one stream from the server, and messages sent as separate POST requests. */
import { randomUUID } from 'node:crypto';
import {
  isJSONRPCRequest,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { canceledBy } from '../messages.ts';

/** Proxies close connections that are idle for half a minute. */
const KEEP_ALIVE_MS = 15_000;
/** A client that does not read its stream is disconnected before its backlog fills the memory. */
const BACKLOG_MAX_BYTES = 32 * 1024 * 1024;

export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly sessionId: string = randomUUID();
  /** The body of the response. */
  readonly stream: ReadableStream<Uint8Array>;
  /** IDs of pending requests. */
  readonly #pending = new Set<RequestId>();
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor() {
    this.stream = new ReadableStream<Uint8Array>(
      { start: (controller) => void (this.#controller = controller), cancel: () => this.#end() },
      { highWaterMark: BACKLOG_MAX_BYTES, size: (chunk) => chunk.byteLength },
    );
  }

  async start(): Promise<void> {
    this.#write(`event: endpoint\ndata: /messages?sessionId=${this.sessionId}\n\n`);
    this.#keepAlive = setInterval(() => this.#write(': keep-alive\n\n'), KEEP_ALIVE_MS).unref();
  }

  get pending(): number {
    return this.#controller ? this.#pending.size : 0;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // JSON contains no raw line breaks, so no text can end the event early.
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (!('method' in message) && message.id !== undefined) this.#pending.delete(message.id);
  }

  async close(): Promise<void> {
    this.#end((controller) => controller.close());
  }

  /** Accepts a posted message or batch. Throws if it is not JSON-RPC. */
  receive(body: unknown): void {
    const messages = (Array.isArray(body) ? body : [body]).map((each) => parseJSONRPCMessage(each));
    if (messages.length === 0) throw new TypeError('an empty batch');
    for (const message of messages) {
      if (isJSONRPCRequest(message)) this.#pending.add(message.id);
      const canceled = canceledBy(message);
      if (canceled !== undefined) this.#pending.delete(canceled);
      this.onmessage?.(message);
    }
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
    if ((this.#controller?.desiredSize ?? 0) < 0)
      this.#end((controller) => controller.error(new Error('the client does not read its stream')));
  }

  #end(how?: (controller: ReadableStreamDefaultController<Uint8Array>) => void): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#controller = undefined;
    clearInterval(this.#keepAlive);
    how?.(controller);
    this.onclose?.();
  }
}
