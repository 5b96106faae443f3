/**
 * HTTP client for a replica of a shared catalog. It bounds time and size and refuses redirects. Callers validate the responses.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { BodyTooLong, bodyText } from '../../core/body-text.ts';
import { isRecord } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';
import { isRedirect, type NoAnswer, whyNoAnswer, whyRedirected } from '../../core/no-answer.ts';
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
    waitMs: number,
    request: RequestInit & { headers: Record<string, string> },
  ): Promise<RemoteResponse> {
    const inTime = AbortSignal.timeout(waitMs);
    const signal = AbortSignal.any([inTime, this.#over.signal]);
    try {
      // A kept-alive connection may have ended with its replica. Requests are read-only, so they can be repeated.
      const response = await this.#fetch(path, { ...request, signal }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        return this.#fetch(path, { ...request, signal });
      });
      const { status, headers } = response;
      if (status === 200) {
        const text = await bodyText(response, LIMITS.catalogAnswerBytes.value);
        const value = JSON.parse(messageIn(text, headers.get('content-type') ?? '')) as unknown;
        return { kind: 'answer', value, tag: headers.get('etag') ?? undefined };
      }
      await response.body?.cancel();
      if (status === 304) return { kind: 'unchanged' };
      if (status === 401 || status === 403) return { kind: 'denied' };
      if (isRedirect(status)) return away(whyRedirected(this.#options.url, status, headers.get('location')), false);
      return { kind: 'away', reason: `answered ${status}`, isSlow: false };
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof BodyTooLong) return UNUSABLE;
      return away(whyNoAnswer(error), inTime.aborted);
    }
  }

  #fetch(path: string, request: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const { url, token } = this.#options;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    // A redirect could carry the token to another server.
    return fetch(`${url}/${path}`, {
      ...request,
      headers: { ...request.headers, ...authorization },
      redirect: 'manual',
    });
  }
}

const UNUSABLE: RemoteResponse = { kind: 'away', reason: 'returned an unusable answer', isSlow: false };

function away({ reason, hint, lasts }: NoAnswer, isSlow: boolean): RemoteResponse {
  return { kind: 'away', reason, ...(lasts ? { advice: hint } : {}), isSlow };
}

/** A server may send a stream with one event instead of JSON. */
function messageIn(text: string, type: string): string {
  if (!type.startsWith('text/event-stream')) return text;
  return /^data: ?(.*)$/mu.exec(text)?.[1] ?? '';
}
