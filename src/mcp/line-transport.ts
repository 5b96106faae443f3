/**
 * JSON-RPC over lines. The SDK's reader silently stops at a line that is too long and drops lines that it cannot parse. This
 * one replies with an error and continues. It reads only as fast as the client accepts replies. When the input ends, pending
 * requests still get their replies.
 */
import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { drain, droppedCalls, readArrived } from '../core/drain.ts';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import {
  canceledBy,
  findExcess,
  idOf,
  INVALID_REQUEST,
  type MessageProblem,
  PARSE_ERROR,
  parseJson,
} from './messages.ts';

/** Maximum number of pending requests. Others stay in the pipe, so a client that does not read fills its own memory. */
const PENDING_MAX = 64;
/** Maximum input to read after a signal: twice the capacity of a pipe. A client that keeps sending must not prevent shutdown. */
const REST_MAX_BYTES = 128 * 1024;
const REST_POLL_MS = 20;
const NEWLINE = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

export interface LineTransportOptions {
  input: Readable;
  output: Writable;
  /** Called with the reason for refusing a line, and with the number of dropped calls. */
  note: (text: string) => void;
  maxLineBytes?: number;
  /** How long the last replies may take without progress. */
  quietMs?: number;
}

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;

  /** Resolves when the input has ended and every request is answered or dropped. */
  readonly drained: Promise<void>;
  /** Resolves when reading and writing have ended. */
  readonly closed: Promise<void>;
  readonly #options: LineTransportOptions;
  readonly #maxLineBytes: number;
  readonly #pending = new Set<RequestId>();
  readonly #resolveDrained: () => void;
  readonly #resolveClosed: () => void;
  /** Received but unprocessed bytes. */
  #unread = NOTHING;
  /** Parts of the incomplete line. */
  #parts: Buffer[] = [];
  #partsBytes = 0;
  #skipping = false;
  #isClosed = false;
  #isReading = true;
  #isEnding = false;
  #timeIsUp = false;
  /** Counters for detecting progress: bytes read, messages processed and replies written. */
  #received = 0;
  #taken = 0;
  #written = 0;
  /** Number of lines that the client has not accepted yet. */
  #unwritten = 0;

  constructor(options: LineTransportOptions) {
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? LIMITS.requestBytes.value;
    let resolveClosed = (): void => undefined;
    let resolveDrained = (): void => undefined;
    this.closed = new Promise((resolve) => void (resolveClosed = resolve));
    this.drained = new Promise((resolve) => void (resolveDrained = resolve));
    this.#resolveClosed = resolveClosed;
    this.#resolveDrained = resolveDrained;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    input.on('error', this.#onEnd);
    output.on('error', this.#onOutputError);
    output.on('drain', this.#advance);
    if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    const written = this.#write(JSON.stringify(message));
    // A client that does not read must not prevent shutdown.
    if (!this.#timeIsUp) await written;
    if (!('method' in message) && message.id !== undefined) this.#done(message.id);
  }

  /** Stops reading and answers everything that the client sent before this call. */
  drain(): void {
    if (this.#isClosed) return;
    this.#waitForReplies();
    void this.#readRest();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopReading();
    this.#options.output.off('drain', this.#advance);
    this.#parts = [];
    this.#unread = NOTHING;
    this.#resolveDrained();
    this.onclose?.();
    this.#resolveClosed();
  }

  /** Reads requests that are already in the pipe, where they may wait for a while on a busy machine. */
  async #readRest(): Promise<void> {
    const { input } = this.#options;
    const most = this.#received + REST_MAX_BYTES;
    for (let before = -1; this.#isReading && this.#received < most; before = this.#received) {
      if (this.#received === before && !input.isPaused()) break;
      // The input is paused while there is no room for more requests.
      if (input.isPaused()) await new Promise((resolve) => setTimeout(resolve, REST_POLL_MS));
      await readArrived();
    }
    this.#stopReading();
    this.#endIfDone();
  }

  #stopReading(): void {
    const { input } = this.#options;
    this.#isReading = false;
    input.off('data', this.#onData);
    input.pause();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#received += chunk.length;
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    this.#advance();
  };

  /** Processes lines while there is room for more requests, and resumes reading when none are left. */
  readonly #advance = (): void => {
    const { input } = this.#options;
    while (this.#unread.length > 0) {
      if (!this.#hasRoom()) return void input.pause();
      const end = this.#unread.indexOf(NEWLINE);
      this.#take(end === -1 ? this.#unread : this.#unread.subarray(0, end));
      this.#unread = end === -1 ? NOTHING : this.#unread.subarray(end + 1);
      if (end !== -1) this.#endLine();
    }
    if (this.#isReading && input.isPaused()) input.resume();
    this.#endIfDone();
  };

  #hasRoom(): boolean {
    return this.#pending.size < PENDING_MAX && !this.#options.output.writableNeedDrain && !this.#timeIsUp;
  }

  #take(part: Buffer): void {
    if (part.length === 0 || this.#skipping) return;
    this.#partsBytes += part.length;
    if (this.#partsBytes <= this.#maxLineBytes) {
      this.#parts.push(part);
      return;
    }
    this.#skipping = true;
    this.#parts = [];
    this.#refuse({ code: PARSE_ERROR, message: `Parse error: longer than ${this.#maxLineBytes} bytes`, id: null });
  }

  #endLine(): void {
    this.#taken += 1;
    const line = this.#skipping ? NOTHING : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partsBytes = 0;
    this.#skipping = false;
    if (line.toString('latin1').trim() === '') return;
    const parsed = parseJson(line);
    if (!('value' in parsed)) return this.#refuse(parsed);
    const { value } = parsed;
    // Protocol revision 2025-03-26 allows batches.
    if (Array.isArray(value) && value.length > 0 && value.length <= LIMITS.requestBatch.value)
      for (const each of value) this.#accept(each);
    else this.#accept(value);
  }

  #accept(value: unknown): void {
    const excess = findExcess(value);
    if (excess) return isNotification(value) ? this.#options.note(excess.message) : this.#refuse(excess, value);
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const problem = 'Invalid request: not a JSON-RPC 2.0 message';
      return this.#refuse({ code: INVALID_REQUEST, message: problem, id: idOf(value) }, value);
    }
    if (this.#isClosed) return;
    // A subscription is answered only when it ends, so closing must not wait for it.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') {
      // Duplicate request IDs make replies indistinguishable.
      if (this.#pending.has(message.id)) {
        const problem = 'Invalid request: another request with this id is not answered yet';
        return this.#refuse({ code: INVALID_REQUEST, message: problem, id: null });
      }
      this.#pending.add(message.id);
    }
    const canceled = canceledBy(message);
    if (canceled !== undefined) this.#pending.delete(canceled);
    this.onmessage?.(message);
  }

  #refuse({ code, message, id }: MessageProblem, value?: unknown): void {
    this.#options.note(message);
    // A malformed reply gets no answer: two peers that answer each other's errors would never stop.
    if (isRecord(value) && !('method' in value) && ('result' in value || 'error' in value)) return;
    void this.#write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  #write(json: string): Promise<void> {
    const { output } = this.#options;
    if (this.#isClosed || output.destroyed) return Promise.resolve();
    this.#unwritten += 1;
    return new Promise((resolve) => {
      // Also called on failure; the error listener closes the transport.
      output.write(`${json}\n`, () => {
        this.#unwritten -= 1;
        this.#written += 1;
        resolve();
        this.#endIfDone();
      });
    });
  }

  #done(id: RequestId): void {
    this.#pending.delete(id);
    this.#advance();
  }

  readonly #onEnd = (): void => {
    this.#isReading = false;
    this.#waitForReplies();
  };

  #waitForReplies(): void {
    if (this.#isEnding) return this.#endIfDone();
    this.#isEnding = true;
    this.#endIfDone();
    void this.#dropWhenQuiet();
  }

  async #dropWhenQuiet(): Promise<void> {
    const { output, note, quietMs } = this.#options;
    const left = await drain({
      left: () => (this.#isClosed || this.#isDone() ? 0 : 1),
      progress: () => `${this.#received} ${this.#taken} ${this.#written} ${output.writableLength}`,
      ...(quietMs === undefined ? {} : { quietMs }),
    });
    if (left === 0) return;
    this.#timeIsUp = true;
    note(droppedCalls(Math.max(this.#pending.size, this.#unwritten) + linesIn(this.#unread)));
    this.#resolveDrained();
  }

  #isDone(): boolean {
    return !this.#isReading && this.#pending.size === 0 && this.#unread.length === 0 && this.#unwritten === 0;
  }

  #endIfDone(): void {
    if (this.#isEnding && this.#isDone()) this.#resolveDrained();
  }

  readonly #onOutputError = (): void => void this.close();
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

/** Notifications are never answered. */
function isNotification(value: unknown): boolean {
  return isRecord(value) && 'method' in value && !('id' in value);
}
