/** The only client for other servers. It bounds time and size, and never follows redirects. */
import { BodyTooLong, bodyText } from './body-text.ts';
import { isRedirect, type NoAnswer, whyNoAnswer, whyRedirected } from './no-answer.ts';

export interface AskOptions extends Pick<RequestInit, 'method' | 'body'> {
  headers?: Record<string, string>;
  /** Sent as a bearer token. */
  token?: string | undefined;
  /** Includes reading the response. */
  timeoutMs: number;
  maxBytes: number;
  /** Ends the request early. */
  signal?: AbortSignal | undefined;
  /** The request may be repeated without side effects. It is retried once, because a kept-alive connection may be stale. */
  isRepeatable?: boolean;
}

export type Answer =
  | { kind: 'answer'; status: number; headers: Headers; text: string }
  | { kind: 'too-long' }
  /** No usable response. `isSlow` is set after a timeout. */
  | ({ kind: 'away'; isSlow: boolean; cause?: unknown } & NoAnswer);

/** Sends one request. Never throws: every outcome is an answer. */
export async function ask(url: string | URL, options: AskOptions): Promise<Answer> {
  const { headers, token, timeoutMs, maxBytes, isRepeatable = false, signal: given, ...rest } = options;
  const inTime = AbortSignal.timeout(timeoutMs);
  const signal = given ? AbortSignal.any([inTime, given]) : inTime;
  const request: RequestInit = {
    ...rest,
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    // A redirect could carry the token and the body to another server.
    redirect: 'manual',
    signal,
  };
  try {
    const response = await fetch(url, request).catch((error: unknown) => {
      if (!isRepeatable || signal.aborted) throw error;
      return fetch(url, request);
    });
    const { status, headers: received } = response;
    if (isRedirect(status)) {
      await response.body?.cancel();
      return { kind: 'away', isSlow: false, ...whyRedirected(String(url), status, received.get('location')) };
    }
    return { kind: 'answer', status, headers: received, text: await bodyText(response, maxBytes) };
  } catch (cause) {
    if (cause instanceof BodyTooLong) return { kind: 'too-long' };
    return { kind: 'away', isSlow: inTime.aborted, cause, ...whyNoAnswer(cause) };
  }
}
