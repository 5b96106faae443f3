/**
 * A shared catalog that this server joins. It is queried for each call, never copied as a whole. Answers are cached for times when it
 * cannot be reached. If it rejects the token, all cached answers are removed.
 */
import type { AnyOperation } from '../../operations/define.ts';
import { OPERATIONS } from '../../operations/index.ts';
import type { Data } from '../outcome.ts';
import type { CachedAnswers, Subject } from './cached-answers.ts';
import type { CatalogClient, RemoteResponse } from './catalog-client.ts';
import { checkOutcome, type RemoteOutcome } from './remote-outcome.ts';
import { textIn } from './data.ts';
import { checkListing, type SharedListing } from './shared-listing.ts';

/** `cached` is set for a cached answer, with its time and the reason for using it. */
export type Answered = { kind: 'answer'; cached?: { at: Date; reason: string } } & RemoteOutcome;

export type RemoteAnswer =
  | Answered
  /** No answer. The reason completes the sentence "The shared catalog at …"; the advice names the next step. */
  | { kind: 'unreachable'; reason: string; advice: string };

/** Environment variable of the token. */
export interface TokenPlace {
  variable: string;
  isSet: boolean;
}

export interface Question {
  operation: string;
  input: Readonly<Record<string, unknown>>;
  waitMs: number;
  /** Subject of the question, and the output field with its full name. Without it, the answer is not cached. */
  about?: Subject & { fullName?: string };
}

/** Pause between attempts after a timeout. */
const PAUSE_MS = 5_000;
const WAIT = 'Try again later. Items that were loaded before are cached.';
const UNUSABLE = 'returned an unusable answer';

export class RemoteCatalog {
  readonly url: string;
  readonly #client: Pick<CatalogClient, 'perform' | 'listing'>;
  readonly #cache: CachedAnswers | undefined;
  readonly #token: TokenPlace;
  #pausedUntil = 0;
  /** Number of rejected tokens. Answers requested before a rejection must not be cached after it. */
  #denials = 0;
  #whenDenied: (reason: string) => void = () => undefined;

  constructor(
    { url, token }: { url: string; token: TokenPlace },
    client: Pick<CatalogClient, 'perform' | 'listing'>,
    cache: CachedAnswers | undefined,
  ) {
    this.url = url;
    this.#token = token;
    this.#client = client;
    this.#cache = cache;
  }

  async ask({ operation, input, waitMs, about }: Question): Promise<RemoteAnswer> {
    const denials = this.#denials;
    const response = await this.#request(() => this.#client.perform(operation, input, waitMs));
    const question = [operation, Object.entries(input).sort()];
    if (response.kind === 'denied') return { kind: 'unreachable', reason: this.#denied(), advice: this.#getToken };
    const outcome = response.kind === 'answer' ? outcomeOf(operation, response.value) : undefined;
    if (outcome) {
      if (about && 'output' in outcome && denials === this.#denials)
        this.#cache?.write(question, { requested: about, subject: subjectOf(about, outcome.output) }, outcome);
      return { kind: 'answer', ...outcome };
    }
    const away: { reason: string; advice?: string } = response.kind === 'away' ? response : { reason: UNUSABLE };
    const { reason, advice = WAIT } = away;
    const cached = about && this.#cache?.read(question);
    const last = cached && outcomeOf(operation, cached.value);
    return last
      ? { kind: 'answer', ...last, cached: { at: cached.at, reason } }
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

/** Returns undefined if the value is not a result of the operation. */
function outcomeOf(operation: string, value: unknown): RemoteOutcome | undefined {
  const operations: readonly AnyOperation[] = OPERATIONS;
  const known = operations.find(({ name }) => name === operation);
  return known && checkOutcome(known.output, value);
}

/** Uses the full name in the output, if any: a skill can be requested under several names. */
function subjectOf({ kind, name, fullName = '' }: Subject & { fullName?: string }, output: Data): Subject {
  return { kind, name: textIn(output, fullName) ?? name };
}
