/**
 * JSON-RPC over lines. The SDK's reader stops silently at a line that is too long and drops lines that it cannot parse. This
 * one answers both with an error and continues. When the input ends, pending requests still get their replies.
 */
import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { isRecord } from '../core/json-file.ts';

const LINE_MAX_BYTES = 10 * 1024 * 1024;
/** How long replies may take after the client has closed its side. */
const DRAIN_MS = 3_000;
const NEWLINE = 0x0a;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export interface LineTransportOptions {
  input: Readable;
  output: Writable;
  /** Called with the reason why a line was refused. */
  note: (text: string) => void;
  maxLineBytes?: number;
}

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;

  /** Resolves when nothing more is read or written. */
  readonly closed: Promise<void>;
  readonly #options: LineTransportOptions;
  readonly #maxLineBytes: number;
  readonly #pending = new Set<RequestId>();
  readonly #resolveClosed: () => void;
  #parts: Buffer[] = [];
  #partsBytes = 0;
  #skipping = false;
  #isClosed = false;
  #drainTimer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: LineTransportOptions) {
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? LINE_MAX_BYTES;
    let resolveClosed = (): void => undefined;
    this.closed = new Promise((resolve) => void (resolveClosed = resolve));
    this.#resolveClosed = resolveClosed;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    input.on('error', this.#onEnd);
    output.on('error', this.#onOutputError);
    if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    await this.#write(JSON.stringify(message));
    if (!('method' in message) && message.id !== undefined) this.#done(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#drainTimer);
    const { input } = this.#options;
    input.off('data', this.#onData);
    input.pause();
    this.#parts = [];
    this.onclose?.();
    this.#resolveClosed();
  }

  readonly #onData = (chunk: Buffer): void => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      this.#take(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      this.#endLine();
    }
    this.#take(rest);
  };

  #take(part: Buffer): void {
    if (part.length === 0 || this.#skipping) return;
    this.#partsBytes += part.length;
    if (this.#partsBytes <= this.#maxLineBytes) {
      this.#parts.push(part);
      return;
    }
    this.#skipping = true;
    this.#parts = [];
    this.#refuse(PARSE_ERROR, `Parse error: a line is longer than ${this.#maxLineBytes} bytes`);
  }

  #endLine(): void {
    const line = this.#skipping ? '' : Buffer.concat(this.#parts).toString('utf8').trim();
    this.#parts = [];
    this.#partsBytes = 0;
    this.#skipping = false;
    if (line === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.#refuse(PARSE_ERROR, 'Parse error: a line is not JSON');
    }
    // Protocol revision 2025-03-26 allows batches.
    if (Array.isArray(value) && value.length > 0) for (const each of value) this.#accept(each);
    else this.#accept(value);
  }

  #accept(value: unknown): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      return this.#refuse(INVALID_REQUEST, 'Invalid request: not a JSON-RPC 2.0 message', value);
    }
    if (this.#isClosed) return;
    // A subscription is answered only when it ends, so closing must not wait for it.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#pending.add(message.id);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.#done(id);
    }
    this.onmessage?.(message);
  }

  #refuse(code: number, message: string, value?: unknown): void {
    this.#options.note(message);
    const given = isRecord(value) ? value['id'] : undefined;
    // A malformed reply gets no answer: two peers that answer each other's errors would never stop.
    if (isRecord(value) && !('method' in value) && ('result' in value || 'error' in value)) return;
    const id = (typeof given === 'string' && given.length <= 256) || Number.isSafeInteger(given) ? given : null;
    void this.#write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  #write(json: string): Promise<void> {
    const { output } = this.#options;
    if (this.#isClosed || output.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      // Also called on failure; the error listener closes the transport.
      output.write(`${json}\n`, () => resolve());
    });
  }

  #done(id: RequestId): void {
    this.#pending.delete(id);
    if (this.#ended && this.#pending.size === 0) void this.close();
  }

  readonly #onEnd = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#pending.size === 0) return void this.close();
    this.#drainTimer = setTimeout(() => void this.close(), DRAIN_MS).unref();
  };

  readonly #onOutputError = (): void => void this.close();
}
