/**
 * The public keys of an authorization server. They are kept as long as it does not answer: whoever has a token that a known
 * key signed is not locked out. Whatever callers send, the server is asked by one request at a time, and rarely.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { BodyTooLong, bodyText } from '../../../core/body-text.ts';
import { Failure } from '../../../core/failure.ts';
import { isRecord } from '../../../core/json-file.ts';
import { LIMITS } from '../../../core/limits.ts';
import { isLoopback } from '../../../core/loopback.ts';
import { echo } from '../../../core/text.ts';

/** Keys older than this are fetched again, beside the calls that use them. A key that was withdrawn is trusted this long. */
const REFRESH_MS = 10 * 60_000;
/** So long after the server was asked for an unknown key, it is not asked for another. */
const UNKNOWN_KEY_MS = 30_000;
/** So long after it did not answer, it is not asked again. */
const RETRY_MS = 5_000;
const ANSWER_MS = 5_000;

export interface SigningKeysOptions {
  issuer: string;
  /** Where the keys are; found in the metadata of the server by default. */
  jwksUrl: string | undefined;
  log: { info(text: string): void; warn(text: string): void };
  /** A clock in milliseconds that never goes back. */
  now?: () => number;
}

export class SigningKeys {
  readonly #options: SigningKeysOptions;
  readonly #now: () => number;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #loading: Promise<void> | undefined;
  /** When the server was last asked, or did not answer; and when it was asked for an unknown key. */
  #askedAt = -Infinity;
  #unknownAt = -Infinity;
  /** Why it could not be asked the last time. */
  #trouble: string | undefined;

  constructor(options: SigningKeysOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The key that a token names. Fails with UNREACHABLE if nobody can say whether there is one. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.#now() - this.#askedAt >= (this.#trouble === undefined ? REFRESH_MS : RETRY_MS)) void this.load();
    if (!this.#keys) await this.#loadNow();
    try {
      return await this.#found(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    // Perhaps the server has changed its keys.
    if (this.#now() - this.#unknownAt >= UNKNOWN_KEY_MS) {
      this.#unknownAt = this.#now();
      await this.#loadNow();
    } else if (this.#loading || this.#trouble !== undefined) await this.#loadNow();
    return this.#found(header, token);
  };

  /** Asks the server, unless it was asked in vain a moment ago. Trouble is said in the log. */
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

/** Whether what is read there can be trusted: nobody on the way can have changed it. */
export function isTrustworthy(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** From the metadata of the authorization server: RFC 8414, or the configuration of OpenID Connect. */
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
      // The metadata of another issuer could name the keys of a stranger.
      if (metadata['issuer'] !== issuer) reasons.push(`${place} is of the issuer ${String(metadata['issuer'])}`);
      else if (typeof url !== 'string' || !isTrustworthy(url)) reasons.push(`${place} has no usable jwks_uri`);
      else return url;
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : 'unknown');
    }
  }
  throw new Error(reasons.join('; '));
}

async function fetchJson(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } }).catch(
    () => {
      throw new Error(`${url} does not answer`);
    },
  );
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  const text = await bodyText(response, LIMITS.oauthDocumentBytes.value).catch((error: unknown) => {
    throw error instanceof BodyTooLong ? new Error(`${url} is too long`, { cause: error }) : error;
  });
  const parsed: unknown = JSON.parse(text);
  if (!isRecord(parsed)) throw new Error(`${url} is not a JSON object`);
  return parsed;
}
