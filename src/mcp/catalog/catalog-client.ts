/**
 * Asks a replica of a shared catalog, over the network. Whatever it answers is checked by those who asked: this file only sees to it
 * that nothing takes too long, is too long, or leads elsewhere.
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

/** What came back. */
export type Heard =
  | { kind: 'answer'; value: unknown; tag?: string | undefined }
  /** It still is what the tag stands for. */
  | { kind: 'unchanged' }
  /** The token is not, or no longer, good. */
  | { kind: 'denied' }
  /** Nothing that could be used, and why. `isSlow` if it was waited for in vain; an advice if waiting does not help. */
  | { kind: 'away'; reason: string; advice?: string; isSlow: boolean };

export interface CatalogClientOptions {
  /** Without a slash at the end. */
  url: string;
  token: string | undefined;
}

/** Of this version on, a request needs no session. */
const PROTOCOL_VERSION = '2026-07-28';

export class CatalogClient {
  readonly #options: CatalogClientOptions;
  readonly #over = new AbortController();

  constructor(options: CatalogClientOptions) {
    this.#options = options;
  }

  /** Gives up what is under way. */
  close(): void {
    this.#over.abort();
  }

  /** The result of a tool, unchecked. */
  async call(tool: string, args: object, waitMs: number): Promise<Heard> {
    const _meta = {
      [PROTOCOL_VERSION_META_KEY]: PROTOCOL_VERSION,
      [CLIENT_INFO_META_KEY]: { name: 'lectern', version: VERSION },
      [CLIENT_CAPABILITIES_META_KEY]: {},
    };
    const params = { name: tool, arguments: args, _meta };
    const heard = await this.#ask('mcp', waitMs, {
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
    if (heard.kind !== 'answer') return heard;
    const { value } = heard;
    return isRecord(value) && value['id'] === 1 && isRecord(value['result'])
      ? { kind: 'answer', value: value['result'] }
      : UNUSABLE;
  }

  /** The beginning of what the caller may see, unless it still is what the tag stands for. */
  listing(tag: string | undefined, waitMs: number): Promise<Heard> {
    return this.#ask('api/listing', waitMs, {
      headers: { accept: 'application/json', ...(tag === undefined ? {} : { 'if-none-match': tag }) },
    });
  }

  async #ask(path: string, waitMs: number, request: RequestInit & { headers: Record<string, string> }): Promise<Heard> {
    const inTime = AbortSignal.timeout(waitMs);
    const signal = AbortSignal.any([inTime, this.#over.signal]);
    try {
      // A connection from before may have ended with its replica; another one answers. Nothing that is asked changes anything.
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
    // A token must not follow to wherever a server sends it.
    return fetch(`${url}/${path}`, {
      ...request,
      headers: { ...request.headers, ...authorization },
      redirect: 'manual',
    });
  }
}

const UNUSABLE: Heard = { kind: 'away', reason: 'gave an answer that cannot be used', isSlow: false };

function away({ reason, hint, lasts }: NoAnswer, isSlow: boolean): Heard {
  return { kind: 'away', reason, ...(lasts ? { advice: hint } : {}), isSlow };
}

/** A server may answer with a stream of one event instead of JSON. */
function messageIn(text: string, type: string): string {
  if (!type.startsWith('text/event-stream')) return text;
  return /^data: ?(.*)$/mu.exec(text)?.[1] ?? '';
}
