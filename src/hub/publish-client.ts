/** Client side of publishing, used by `lectern publish`. */
import { BodyTooLong, bodyText } from '../core/body-text.ts';
import { Failure, FAILURE_CODES, type FailureCode } from '../core/failure.ts';
import type { Fields, ObjectOf } from '../core/fields/field.ts';
import { received } from '../core/fields/received.ts';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { isRedirect, type NoAnswer, whyNoAnswer, whyRedirected } from '../core/no-answer.ts';
import { clip, grouped } from '../core/text.ts';
import type { StoredFile } from '../store/catalog-store.ts';
import { CHECKED, HISTORY, PUBLISHED, REPLICAS, ROLLBACK_PLAN, UPLOADED } from './publish-answers.ts';

const ANSWER_MS = 120_000;
/** For the texts of a refusal, which are shown as they are. */
const TEXT_MAX_CHARACTERS = 4_096;
const SUGGESTIONS_MAX = 100;
const TOO_LONG: NoAnswer = {
  reason: `sent an answer of more than ${grouped(LIMITS.publishAnswerBytes.value)} bytes`,
  hint: 'Check the URL. It must be the address of a `lectern serve` process.',
  lasts: true,
};

export interface PublishServer {
  /** URL of a replica, such as https://skills.example.com. */
  url: string;
  token: string;
}

type Asked = RequestInit & { headers?: Record<string, string> };

export class PublishClient {
  readonly #server: PublishServer;

  constructor(server: PublishServer) {
    this.#server = server;
  }

  check(source: string, files: readonly StoredFile[]): Promise<ObjectOf<typeof CHECKED>> {
    return this.#post(CHECKED, `api/sources/${source}/check`, { files });
  }

  async upload(content: Uint8Array): Promise<void> {
    await this.#ask(UPLOADED, 'api/contents', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(content),
    });
  }

  publish(
    source: string,
    body: { base: number; files: readonly StoredFile[]; commit: string | undefined },
  ): Promise<ObjectOf<typeof PUBLISHED>> {
    return this.#post(PUBLISHED, `api/sources/${source}/publish`, body);
  }

  rollback(source: string, to: number): Promise<ObjectOf<typeof PUBLISHED>> {
    return this.#post(PUBLISHED, `api/sources/${source}/rollback`, { to });
  }

  /** Uses a separate path, so that an older server cannot mistake the request for a rollback. */
  planRollback(source: string, to: number): Promise<ObjectOf<typeof ROLLBACK_PLAN>> {
    return this.#post(ROLLBACK_PLAN, `api/sources/${source}/rollback-plan`, { to });
  }

  async history(source: string): Promise<ObjectOf<typeof HISTORY>['versions']> {
    return (await this.#post(HISTORY, `api/sources/${source}/history`, {})).versions;
  }

  replicas(): Promise<ObjectOf<typeof REPLICAS>> {
    return this.#ask(REPLICAS, 'api/replicas', {});
  }

  #post<F extends Fields>(shape: F, path: string, body: object): Promise<ObjectOf<F>> {
    return this.#ask(shape, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #ask<F extends Fields>(shape: F, path: string, request: Asked): Promise<ObjectOf<F>> {
    const { response, body } = await this.#fetch(path, request);
    const answer = response.ok ? received(shape, body) : undefined;
    if (answer) return answer as ObjectOf<F>;
    throw this.#refusal(response, body);
  }

  async #fetch(path: string, request: Asked): Promise<{ response: Response; body: unknown }> {
    const { url, token } = this.#server;
    try {
      const response = await fetch(new URL(path, url.endsWith('/') ? url : `${url}/`), {
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
        // A redirect could carry the token to another server.
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await bodyText(response, LIMITS.publishAnswerBytes.value);
      return { response, body: parsed(text) };
    } catch (error) {
      if (error instanceof BodyTooLong) throw this.#unreachable(TOO_LONG, error);
      throw this.#unreachable(whyNoAnswer(error), error);
    }
  }

  #unreachable({ reason, hint }: NoAnswer, cause?: unknown): Failure {
    return new Failure('UNREACHABLE', `${this.#server.url} ${reason}.`, {
      hint,
      ...(cause === undefined ? {} : { cause }),
    });
  }

  /** Explains an error response or an unexpected one. */
  #refusal({ ok, status, headers }: Response, body: unknown): Failure {
    const { url } = this.#server;
    if (isRedirect(status)) return this.#unreachable(whyRedirected(url, status, headers.get('location')));
    const told = isRecord(body) && isRecord(body['error']) ? body['error'] : undefined;
    const { code, message, hint, suggestions } = told ?? {};
    if (ok || (status === 404 && message === undefined)) {
      return new Failure('UNREACHABLE', `${url} is not a Lectern catalog.`, {
        hint: 'Check the URL. It must be the address of a `lectern serve` process.',
      });
    }
    if (typeof message !== 'string') {
      return new Failure('UNREACHABLE', `${url} returned ${status}, but not from a Lectern catalog.`, {
        hint: 'Check the URL. If it is correct, a proxy in front of the catalog may have answered.',
      });
    }
    const isKnown = typeof code === 'string' && Object.hasOwn(FAILURE_CODES, code);
    return new Failure(isKnown ? (code as FailureCode) : 'REFUSED', clip(message, TEXT_MAX_CHARACTERS), {
      ...(typeof hint === 'string' ? { hint: clip(hint, TEXT_MAX_CHARACTERS) } : {}),
      ...(Array.isArray(suggestions) ? { suggestions: suggestionsIn(suggestions) } : {}),
    });
  }
}

function suggestionsIn(given: readonly unknown[]): string[] {
  const texts = given.filter((each): each is string => typeof each === 'string');
  return texts.slice(0, SUGGESTIONS_MAX).map((text) => clip(text, TEXT_MAX_CHARACTERS));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
