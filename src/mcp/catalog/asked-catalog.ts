/**
 * A shared catalog as this server knows it: asked for each call, never copied as a whole. What it answered is kept, and used when it
 * does not answer. A catalog that refuses the token is not one that does not answer: what was kept of it is removed.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import { FACTS_KEY } from '../meta-keys.ts';
import type { CatalogClient, Heard } from './catalog-client.ts';
import { type CheckedResult, checkResult } from './checked-result.ts';
import type { KeptAnswers, Subject } from './kept-answers.ts';
import { checkListing, type SharedListing } from './shared-listing.ts';

export type Told =
  /** What the catalog says, or said: then `kept` has when that was, and why it is not asked now. */
  | { kind: 'told'; result: CallToolResult; snapshot: number; kept?: { at: Date; reason: string } }
  /** It says nothing. The reason continues "the shared catalog at …", and the advice is what to do about it. */
  | { kind: 'silent'; reason: string; advice: string };

/** Where the token is looked for. */
export interface TokenPlace {
  variable: string;
  isSet: boolean;
}

export interface Question {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  waitMs: number;
  /** What it is about. Without it, the answer is not kept. */
  about?: Subject;
}

/** After it was waited for in vain, nobody else waits for so long. */
const PAUSE_MS = 5_000;
const WAIT = 'Try again later; what was loaded before is kept.';
const UNUSABLE = 'gave an answer that cannot be used';

export class AskedCatalog {
  readonly url: string;
  readonly #client: Pick<CatalogClient, 'call' | 'listing'>;
  readonly #kept: KeptAnswers | undefined;
  readonly #token: TokenPlace;
  #pausedUntil = 0;
  /** How often it refused the token: what was on its way before must not be kept after. */
  #denials = 0;
  #whenDenied: (reason: string) => void = () => undefined;

  constructor(
    { url, token }: { url: string; token: TokenPlace },
    client: Pick<CatalogClient, 'call' | 'listing'>,
    kept: KeptAnswers | undefined,
  ) {
    this.url = url;
    this.#token = token;
    this.#client = client;
    this.#kept = kept;
  }

  async ask({ tool, args, waitMs, about }: Question): Promise<Told> {
    const denials = this.#denials;
    const heard = await this.#listen(() => this.#client.call(tool, args, waitMs));
    const question = [tool, Object.entries(args).sort()];
    if (heard.kind === 'denied') return { kind: 'silent', reason: this.#denied(), advice: this.#getToken };
    const checked = heard.kind === 'answer' ? checkResult(tool, heard.value) : undefined;
    if (checked) {
      if (about && !checked.result.isError && denials === this.#denials)
        this.#kept?.write(question, { asked: about, subject: subjectOf(about, checked) }, checked);
      return { kind: 'told', ...checked };
    }
    const away: { reason: string; advice?: string } = heard.kind === 'away' ? heard : { reason: UNUSABLE };
    const { reason, advice = WAIT } = away;
    const kept = about && this.#kept?.read(question);
    const value = kept && keptResult(kept.value);
    return value ? { kind: 'told', ...value, kept: { at: kept.at, reason } } : { kind: 'silent', reason, advice };
  }

  /** The catalog says that there is no such thing, so nothing that was kept of it is served again. */
  forget(gone: Subject): void {
    // If it was there once, it may be in any list.
    if (this.#kept?.forget(gone)) this.#kept.forget(LISTS);
  }

  /** Whether an earlier answer about it was kept. */
  hasKept(subject: Subject): boolean {
    return this.#kept?.has(subject) ?? false;
  }

  /** Calls the listener each time the catalog refuses the token, with the reason. */
  onDenied(listener: (reason: string) => void): void {
    this.#whenDenied = listener;
  }

  /** What the last run was told. */
  keptListing(): SharedListing | undefined {
    return checkListing(this.#kept?.read(LISTING.name)?.value);
  }

  /** `unchanged` if the tag still holds, or if there is no answer that counts: then the last one stays in use. */
  async listing(
    tag: string | undefined,
    waitMs: number,
  ): Promise<
    | { listing: SharedListing; tag: string | undefined }
    | { unchanged: true; reason?: string; advice?: string | undefined }
  > {
    const denials = this.#denials;
    const heard = await this.#listen(() => this.#client.listing(tag, waitMs));
    if (heard.kind === 'denied') this.#denied();
    // Another call may have been refused since; what this one heard is older.
    if (heard.kind === 'denied' || heard.kind === 'unchanged' || denials !== this.#denials) return { unchanged: true };
    if (heard.kind === 'away') return { unchanged: true, reason: heard.reason, advice: heard.advice };
    const listing = checkListing(heard.value);
    if (!listing) return { unchanged: true, reason: UNUSABLE };
    this.#kept?.write(LISTING.name, { asked: LISTING, subject: LISTING }, listing);
    return { listing, tag: heard.tag };
  }

  async #listen(ask: () => Promise<Heard>): Promise<Heard> {
    if (Date.now() < this.#pausedUntil) return { kind: 'away', reason: 'does not answer', isSlow: false };
    const heard = await ask();
    if (heard.kind === 'away' && heard.isSlow) this.#pausedUntil = Date.now() + PAUSE_MS;
    return heard;
  }

  get #getToken(): string {
    return `Set ${this.#token.variable} to a token that is good; those who run the catalog give them out.`;
  }

  #denied(): string {
    this.#denials += 1;
    this.#kept?.forgetAll();
    const reason = this.#token.isSet ? 'refuses the token' : `requires a token, and ${this.#token.variable} is not set`;
    this.#whenDenied(reason);
    return reason;
  }
}

/** What all answers with lists are about. */
export const LISTS: Subject = { kind: 'list', name: 'list' };
const LISTING: Subject = { kind: 'listing', name: 'listing' };

/** By the full name if the answer has one: the same skill may be asked for by several names. */
function subjectOf({ kind, name }: Subject, { result }: CheckedResult): Subject {
  const { structuredContent, _meta } = result;
  const facts = isRecord(_meta?.[FACTS_KEY]) ? _meta[FACTS_KEY] : {};
  const data = isRecord(structuredContent) ? structuredContent : {};
  const own = facts['fullName'] ?? data['spec_id'] ?? data['change_id'];
  return { kind, name: typeof own === 'string' ? own : name };
}

/** It was checked before it was kept, and nobody else wrote it. */
function keptResult(value: unknown): CheckedResult | undefined {
  return isRecord(value) && isRecord(value['result']) ? (value as unknown as CheckedResult) : undefined;
}
