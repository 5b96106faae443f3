/** Exchanges messages with an MCP server at an address, by the transport streamable HTTP. */
import { ask } from '../core/ask.ts';
import { isRecord, tryParseJson } from '../core/json-file.ts';
import { type Channel, NoServerAnswer, replyOf } from './channel.ts';

export interface AddressStart {
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal: AbortSignal;
  maxBytes: number;
}

/** A server may keep the end of a session waiting. */
const ENDS_WITHIN_MS = 2_000;

export class ServerAddress implements Channel {
  readonly #start: AddressStart;
  #session: string | undefined;
  #protocol: string | undefined;
  #lastId = 0;

  constructor(start: AddressStart) {
    this.#start = start;
  }

  async request(method: string, params: object): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { text, headers } = await this.#post({ jsonrpc: '2.0', id, method, params });
    const message = messagesIn(text, headers.get('content-type') ?? '').find((each) => each['id'] === id);
    if (!message) throw new NoServerAnswer('its answer is not one of an MCP server');
    const result = replyOf(message);
    if (method === 'initialize') {
      this.#session = headers.get('mcp-session-id') ?? undefined;
      const version = isRecord(result) ? result['protocolVersion'] : undefined;
      this.#protocol = typeof version === 'string' ? version : undefined;
    }
    return result;
  }

  async notify(method: string): Promise<void> {
    await this.#post({ jsonrpc: '2.0', method });
  }

  /** Ends the session, if there is one. */
  async end(): Promise<void> {
    if (this.#session === undefined) return;
    const { url, maxBytes } = this.#start;
    await ask(url, { method: 'DELETE', headers: this.#headers(), timeoutMs: ENDS_WITHIN_MS, maxBytes });
  }

  async #post(message: object): Promise<{ text: string; headers: Headers }> {
    const { url, timeoutMs, signal, maxBytes } = this.#start;
    const headers = {
      ...this.#headers(),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const answer = await ask(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      timeoutMs,
      maxBytes,
      signal,
    });
    if (signal.aborted) throw signal.reason;
    if (answer.kind === 'too-long') throw new NoServerAnswer(`it sent more than ${maxBytes} bytes`);
    if (answer.kind === 'away') throw new NoServerAnswer(`it ${answer.reason}`);
    const { status, text } = answer;
    if (status === 401 || status === 403)
      throw new NoServerAnswer(`it answered ${status}: the agent may be signed in, Lectern is not`);
    if (status < 200 || status > 299) throw new NoServerAnswer(`it answered ${status}`);
    return { text, headers: answer.headers };
  }

  #headers(): Record<string, string> {
    return {
      ...this.#start.headers,
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(this.#protocol === undefined ? {} : { 'mcp-protocol-version': this.#protocol }),
    };
  }
}

/** A response is one message, or a stream of events with messages. */
function messagesIn(text: string, type: string): Record<string, unknown>[] {
  if (!type.startsWith('text/event-stream')) return [tryParseJson(text)].flat().filter(isRecord);
  return text
    .split(/\r\n\r\n|\n\n|\r\r/u)
    .map((event) =>
      event
        .split(/\r\n|\n|\r/u)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart())
        .join('\n'),
    )
    .map(tryParseJson)
    .filter(isRecord);
}
