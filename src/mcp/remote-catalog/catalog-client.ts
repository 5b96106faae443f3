/** Requests to a replica of a shared catalog. Callers validate the responses. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { ask, type AskOptions } from '../../core/ask.ts';
import { isRecord, tryParseJson } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';
import { VERSION } from '../../core/version.ts';

/** Outcome of a request. */
export type RemoteResponse =
  | { kind: 'answer'; value: unknown; tag?: string | undefined }
  /** The tag is current. */
  | { kind: 'unchanged' }
  /** The token is invalid or was revoked. */
  | { kind: 'denied' }
  /** No usable response. `isSlow` is set after a timeout; `advice` if retrying will not help. */
  | { kind: 'away'; reason: string; advice?: string; isSlow: boolean };

export interface CatalogClientOptions {
  /** URL without a trailing slash. */
  url: string;
  token: string | undefined;
}

/** Requests need no session from this version on. */
const PROTOCOL_VERSION = '2026-07-28';

export class CatalogClient {
  readonly #options: CatalogClientOptions;
  readonly #over = new AbortController();

  constructor(options: CatalogClientOptions) {
    this.#options = options;
  }

  /** Aborts pending requests. */
  close(): void {
    this.#over.abort();
  }

  /** Calls a tool. The result is not validated. */
  async call(tool: string, args: object, waitMs: number): Promise<RemoteResponse> {
    const _meta = {
      [PROTOCOL_VERSION_META_KEY]: PROTOCOL_VERSION,
      [CLIENT_INFO_META_KEY]: { name: 'lectern', version: VERSION },
      [CLIENT_CAPABILITIES_META_KEY]: {},
    };
    const params = { name: tool, arguments: args, _meta };
    const response = await this.#ask('mcp', waitMs, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL_VERSION,
        'mcp-method': 'tools/call',
        'mcp-name': tool,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    if (response.kind !== 'answer') return response;
    const { value } = response;
    return isRecord(value) && value['id'] === 1 && isRecord(value['result'])
      ? { kind: 'answer', value: value['result'] }
      : UNUSABLE;
  }

  /** Gets the beginning of the visible skills, unless the tag is current. */
  listing(tag: string | undefined, waitMs: number): Promise<RemoteResponse> {
    return this.#ask('api/listing', waitMs, {
      headers: { accept: 'application/json', ...(tag === undefined ? {} : { 'if-none-match': tag }) },
    });
  }

  async #ask(
    path: string,
    timeoutMs: number,
    request: Pick<AskOptions, 'method' | 'headers' | 'body'>,
  ): Promise<RemoteResponse> {
    const { url, token } = this.#options;
    const answer = await ask(`${url}/${path}`, {
      ...request,
      token,
      timeoutMs,
      maxBytes: LIMITS.catalogAnswerBytes.value,
      signal: this.#over.signal,
      isRepeatable: true,
    });
    if (answer.kind === 'too-long') return UNUSABLE;
    if (answer.kind === 'away') {
      const { reason, hint, lasts, isSlow } = answer;
      return { kind: 'away', reason, ...(lasts ? { advice: hint } : {}), isSlow };
    }
    const { status, headers, text } = answer;
    if (status === 304) return { kind: 'unchanged' };
    if (status === 401 || status === 403) return { kind: 'denied' };
    if (status !== 200) return { kind: 'away', reason: `answered ${status}`, isSlow: false };
    const value = tryParseJson(messageIn(text, headers.get('content-type') ?? ''));
    return value === undefined ? UNUSABLE : { kind: 'answer', value, tag: headers.get('etag') ?? undefined };
  }
}

const UNUSABLE: RemoteResponse = { kind: 'away', reason: 'returned an unusable answer', isSlow: false };

/** A server may send a stream with one event instead of JSON. */
function messageIn(text: string, type: string): string {
  if (!type.startsWith('text/event-stream')) return text;
  return /^data: ?(.*)$/mu.exec(text)?.[1] ?? '';
}
