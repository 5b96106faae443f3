/** Requests to a replica of a shared catalog. Callers validate the responses. */
import { ask, type AskOptions } from '../../core/ask.ts';
import { tryParseJson } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';

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

const OPERATIONS_PATH = 'api/operations';

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

  /** Performs an operation. The result is not validated. */
  perform(operation: string, input: object, waitMs: number): Promise<RemoteResponse> {
    return this.#ask(`${OPERATIONS_PATH}/${operation}`, waitMs, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(input),
    });
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
    if (status === 404 && path.startsWith(OPERATIONS_PATH)) return OUTDATED;
    if (status !== 200) return { kind: 'away', reason: `answered ${status}`, isSlow: false };
    const value = tryParseJson(text);
    return value === undefined ? UNUSABLE : { kind: 'answer', value, tag: headers.get('etag') ?? undefined };
  }
}

const UNUSABLE: RemoteResponse = { kind: 'away', reason: 'returned an unusable answer', isSlow: false };
/** Current versions answer requests for missing items with 200 and an error. */
const OUTDATED: RemoteResponse = {
  kind: 'away',
  reason: `runs an older version without /${OPERATIONS_PATH}`,
  advice: 'Ask the operator of the catalog to upgrade it.',
  isSlow: false,
};
