/** Client side of publishing, used by `lectern publish`. */
import { ask, type AskOptions } from '../core/ask.ts';
import { Failure, FAILURE_CODES, type FailureCode } from '../core/failure.ts';
import type { Fields, ObjectOf } from '../core/fields/field.ts';
import { received } from '../core/fields/received.ts';
import { isRecord, tryParseJson } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import type { NoAnswer } from '../core/no-answer.ts';
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

type Request = Pick<AskOptions, 'method' | 'headers' | 'body'>;

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
    body: { base: number; files: readonly StoredFile[]; commit: string | undefined; skipped?: number },
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

  async #ask<F extends Fields>(shape: F, path: string, request: Request): Promise<ObjectOf<F>> {
    const { url, token } = this.#server;
    const answer = await ask(new URL(path, url.endsWith('/') ? url : `${url}/`), {
      ...request,
      token,
      timeoutMs: ANSWER_MS,
      maxBytes: LIMITS.publishAnswerBytes.value,
    });
    if (answer.kind === 'too-long') throw this.#unreachable(TOO_LONG);
    if (answer.kind === 'away') throw this.#unreachable(answer, answer.cause);
    const isOk = answer.status >= 200 && answer.status < 300;
    const body = tryParseJson(answer.text);
    const found = isOk ? received(shape, body) : undefined;
    if (found) return found;
    throw this.#refusal(answer.status, isOk, body);
  }

  #unreachable({ reason, hint }: NoAnswer, cause?: unknown): Failure {
    return new Failure('UNREACHABLE', `${this.#server.url} ${reason}.`, {
      hint,
      ...(cause === undefined ? {} : { cause }),
    });
  }

  /** Explains an error response or an unexpected one. */
  #refusal(status: number, isOk: boolean, body: unknown): Failure {
    const { url } = this.#server;
    const refusal = isRecord(body) && isRecord(body['error']) ? body['error'] : undefined;
    const { code, message, hint, suggestions } = refusal ?? {};
    if (isOk || (status === 404 && message === undefined)) {
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
