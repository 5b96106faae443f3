/**
 * Public keys of an authorization server. They stay valid while it cannot be reached, so tokens signed with a known key still work.
 * Regardless of the requests of callers, it is queried rarely and one request at a time.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ask } from '../../core/ask.ts';
import { Failure } from '../../core/failure.ts';
import { isRecord, tryParseJson } from '../../core/json-file.ts';
import { LIMITS } from '../../core/limits.ts';
import { isLoopback } from '../../core/loopback.ts';
import { echo } from '../../core/text.ts';

/** Keys older than this are refreshed in the background. A withdrawn key is trusted this long. */
const REFRESH_MS = 10 * 60_000;
/** Minimum time between two lookups of unknown keys. */
const UNKNOWN_KEY_MS = 30_000;
/** Pause after a failed request. */
const RETRY_MS = 5_000;
const ANSWER_MS = 5_000;

export interface SigningKeysOptions {
  issuer: string;
  /** URL of the keys; by default taken from the metadata of the server. */
  jwksUrl: string | undefined;
  log: { info(text: string): void; warn(text: string): void };
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

export class SigningKeys {
  readonly #options: SigningKeysOptions;
  readonly #now: () => number;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #loading: Promise<void> | undefined;
  /** Times of the last request, and of the last lookup of an unknown key. */
  #askedAt = -Infinity;
  #unknownAt = -Infinity;
  /** Error of the last request. */
  #trouble: string | undefined;

  constructor(options: SigningKeysOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Finds the key named by a token. Fails with UNREACHABLE if the keys cannot be loaded. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.#now() - this.#askedAt >= (this.#trouble === undefined ? REFRESH_MS : RETRY_MS)) void this.load();
    if (!this.#keys) await this.#loadNow();
    try {
      return await this.#found(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    // The server may have rotated its keys.
    if (this.#now() - this.#unknownAt >= UNKNOWN_KEY_MS) {
      this.#unknownAt = this.#now();
      await this.#loadNow();
    } else if (this.#loading || this.#trouble !== undefined) await this.#loadNow();
    return this.#found(header, token);
  };

  /** Loads the keys, unless a request just failed. Errors are logged. */
  load(): Promise<void> {
    if (this.#loading) return this.#loading;
    if (this.#trouble !== undefined && this.#now() - this.#askedAt < RETRY_MS) return Promise.resolve();
    this.#askedAt = this.#now();
    const { issuer, log } = this.#options;
    const loaded = (keys: JSONWebKeySet): void => {
      this.#keys = createLocalJWKSet(keys);
      if (this.#trouble !== undefined) log.info(`the keys of ${issuer} were read`);
      this.#trouble = undefined;
    };
    const failed = (error: unknown): void => {
      const said = error instanceof Error ? error.message : 'unknown';
      if (this.#trouble !== said) log.warn(`the keys of ${issuer} cannot be read: ${echo(said)}`);
      this.#trouble = said;
      this.#askedAt = this.#now();
    };
    return (this.#loading = this.#fetch()
      .then(loaded)
      .catch(failed)
      .finally(() => (this.#loading = undefined)));
  }

  async #loadNow(): Promise<void> {
    await this.load();
    if (this.#trouble !== undefined)
      throw new Failure('UNREACHABLE', 'The authorization server does not answer, so the token cannot be checked.');
  }

  #found(...asked: Parameters<JWTVerifyGetKey>): ReturnType<ReturnType<typeof createLocalJWKSet>> {
    if (!this.#keys) throw new errors.JWKSNoMatchingKey();
    return this.#keys(...asked);
  }

  async #fetch(): Promise<JSONWebKeySet> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const url = this.#options.jwksUrl ?? (await findJwksUrl(this.#options.issuer, signal));
    return (await fetchJson(url, signal)) as unknown as JSONWebKeySet;
  }
}

/** Whether responses from the URL cannot be tampered with in transit. */
export function isTrustworthy(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Reads the metadata of the authorization server (RFC 8414 or OpenID Connect). */
async function findJwksUrl(issuer: string, signal: AbortSignal): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/u, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  const reasons: string[] = [];
  for (const place of places) {
    try {
      const metadata = await fetchJson(place, signal);
      const url = metadata['jwks_uri'];
      // Metadata of another issuer could point to untrusted keys.
      if (metadata['issuer'] !== issuer) reasons.push(`${place} is of the issuer ${String(metadata['issuer'])}`);
      else if (typeof url !== 'string' || !isTrustworthy(url)) reasons.push(`${place} has no usable jwks_uri`);
      else return url;
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : 'unknown');
    }
  }
  throw new Error(reasons.join('; '));
}

/** The signal bounds the time of all requests together. */
async function fetchJson(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const maxBytes = LIMITS.oauthDocumentBytes.value;
  const answer = await ask(url, { headers: { accept: 'application/json' }, timeoutMs: ANSWER_MS, maxBytes, signal });
  if (answer.kind === 'too-long') throw new Error(`${url} is too long`);
  if (answer.kind === 'away') throw new Error(`${url} ${answer.reason}`, { cause: answer.cause });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  const document = tryParseJson(answer.text);
  if (!isRecord(document)) throw new Error(`${url} is not a JSON object`);
  return document;
}
