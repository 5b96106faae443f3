/**
 * A shared catalog that this server joins. It is queried for each call, never copied as a whole. Answers are cached for times when it
 * cannot be reached. If it rejects the token, all cached answers are removed.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import { FACTS_KEY } from '../meta-keys.ts';
import type { CatalogClient, RemoteResponse } from './catalog-client.ts';
import { type CheckedResult, checkResult } from './checked-result.ts';
import type { CachedAnswers, Subject } from './cached-answers.ts';
import { checkListing, type SharedListing } from './shared-listing.ts';

export type RemoteAnswer =
  /** An answer. `cached` is set for a cached one, with its time and the reason for using it. */
  | { kind: 'answer'; result: CallToolResult; snapshot: number; cached?: { at: Date; reason: string } }
  /** No answer. The reason completes the sentence "The shared catalog at …"; the advice names the next step. */
  | { kind: 'unreachable'; reason: string; advice: string };

/** Environment variable of the token. */
export interface TokenPlace {
  variable: string;
  isSet: boolean;
}

export interface Question {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  waitMs: number;
  /** Subject of the question. Without it, the answer is not cached. */
  about?: Subject;
}

/** Pause between attempts after a timeout. */
const PAUSE_MS = 5_000;
const WAIT = 'Try again later. Items that were loaded before are cached.';
const UNUSABLE = 'returned an unusable answer';

export class RemoteCatalog {
  readonly url: string;
  readonly #client: Pick<CatalogClient, 'call' | 'listing'>;
  readonly #cache: CachedAnswers | undefined;
  readonly #token: TokenPlace;
  #pausedUntil = 0;
  /** Number of rejected tokens. Answers requested before a rejection must not be cached after it. */
  #denials = 0;
  #whenDenied: (reason: string) => void = () => undefined;

  constructor(
    { url, token }: { url: string; token: TokenPlace },
    client: Pick<CatalogClient, 'call' | 'listing'>,
    cache: CachedAnswers | undefined,
  ) {
    this.url = url;
    this.#token = token;
    this.#client = client;
    this.#cache = cache;
  }

  async ask({ tool, args, waitMs, about }: Question): Promise<RemoteAnswer> {
    const denials = this.#denials;
    const response = await this.#request(() => this.#client.call(tool, args, waitMs));
    const question = [tool, Object.entries(args).sort()];
    if (response.kind === 'denied') return { kind: 'unreachable', reason: this.#denied(), advice: this.#getToken };
    const checked = response.kind === 'answer' ? checkResult(tool, response.value) : undefined;
    if (checked) {
      if (about && !checked.result.isError && denials === this.#denials)
        this.#cache?.write(question, { requested: about, subject: subjectOf(about, checked) }, checked);
      return { kind: 'answer', ...checked };
    }
    const away: { reason: string; advice?: string } = response.kind === 'away' ? response : { reason: UNUSABLE };
    const { reason, advice = WAIT } = away;
    const cached = about && this.#cache?.read(question);
    const value = cached && cachedResult(cached.value);
    return value
      ? { kind: 'answer', ...value, cached: { at: cached.at, reason } }
      : { kind: 'unreachable', reason, advice };
  }

  /** Removes cached answers about something that no longer exists. */
  forget(gone: Subject): void {
    // It may be in any cached list.
    if (this.#cache?.forget(gone)) this.#cache.forget(LISTS);
  }

  /** Whether an answer about the subject is cached. */
  hasCached(subject: Subject): boolean {
    return this.#cache?.has(subject) ?? false;
  }

  /** Calls the listener with the reason each time the catalog rejects the token. */
  onDenied(listener: (reason: string) => void): void {
    this.#whenDenied = listener;
  }

  /** Listing cached by the last run. */
  cachedListing(): SharedListing | undefined {
    return checkListing(this.#cache?.read(LISTING.name)?.value);
  }

  /** Returns `unchanged` if the tag is current or if there is no usable answer. The last listing then stays in use. */
  async listing(
    tag: string | undefined,
    waitMs: number,
  ): Promise<
    | { listing: SharedListing; tag: string | undefined }
    | { unchanged: true; reason?: string; advice?: string | undefined }
  > {
    const denials = this.#denials;
    const response = await this.#request(() => this.#client.listing(tag, waitMs));
    if (response.kind === 'denied') this.#denied();
    // Another call may have been rejected since, which makes this response outdated.
    if (response.kind === 'denied' || response.kind === 'unchanged' || denials !== this.#denials)
      return { unchanged: true };
    if (response.kind === 'away') return { unchanged: true, reason: response.reason, advice: response.advice };
    const listing = checkListing(response.value);
    if (!listing) return { unchanged: true, reason: UNUSABLE };
    this.#cache?.write(LISTING.name, { requested: LISTING, subject: LISTING }, listing);
    return { listing, tag: response.tag };
  }

  async #request(ask: () => Promise<RemoteResponse>): Promise<RemoteResponse> {
    if (Date.now() < this.#pausedUntil) return { kind: 'away', reason: 'does not answer', isSlow: false };
    const response = await ask();
    if (response.kind === 'away' && response.isSlow) this.#pausedUntil = Date.now() + PAUSE_MS;
    return response;
  }

  get #getToken(): string {
    return `Set ${this.#token.variable} to a valid token, which the operator of the catalog issues.`;
  }

  #denied(): string {
    this.#denials += 1;
    this.#cache?.forgetAll();
    const reason = this.#token.isSet
      ? 'rejected the token'
      : `requires a token, and ${this.#token.variable} is not set`;
    this.#whenDenied(reason);
    return reason;
  }
}

/** Subject of all answers with lists. */
export const LISTS: Subject = { kind: 'list', name: 'list' };
const LISTING: Subject = { kind: 'listing', name: 'listing' };

/** Uses the full name in the answer, if any: a skill can be requested under several names. */
function subjectOf({ kind, name }: Subject, { result }: CheckedResult): Subject {
  const { structuredContent, _meta } = result;
  const facts = isRecord(_meta?.[FACTS_KEY]) ? _meta[FACTS_KEY] : {};
  const data = isRecord(structuredContent) ? structuredContent : {};
  const own = facts['fullName'] ?? data['spec_id'] ?? data['change_id'];
  return { kind, name: typeof own === 'string' ? own : name };
}

/** Needs no further check: the result was checked before it was cached, and the file is private. */
function cachedResult(value: unknown): CheckedResult | undefined {
  return isRecord(value) && isRecord(value['result']) ? (value as unknown as CheckedResult) : undefined;
}
