/** One snapshot of a shared catalog: sources, grants and callers. Immutable. */
import { sha256Of } from '../core/sha256.ts';
import { LIMITS } from '../core/limits.ts';
import type { Scope, StoredGrant, StoredToken } from '../store/catalog-store.ts';
import type { SharedSource } from './shared-source.ts';
import { SharedNames } from './shared-names.ts';
import { type Shared, View } from './view.ts';

export interface Caller {
  /** Token ID; undefined for OAuth callers. */
  tokenId: number | undefined;
  /** Name of the caller in the history. */
  actor: string;
  /** At least one. The caller sees everything that any of these teams sees. */
  teams: readonly string[];
  scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const STAMP_CHARACTERS = 16;

/** Sources visible to a set of teams. */
interface Visible {
  /** Equal exactly if the visible sources and versions are equal. */
  key: string;
  own: SharedSource[];
  others: SharedSource[];
}

const COMBINATIONS_MAX = 1_000;

export class SharedCatalog {
  readonly number: number;
  readonly sources: readonly SharedSource[];
  readonly grants: readonly StoredGrant[];
  readonly #teams: ReadonlySet<string>;
  /** By token hash. */
  readonly #callers: ReadonlyMap<string, Caller>;
  readonly #tokenIds: ReadonlySet<number>;
  readonly #shared: Shared;
  readonly #visible = new Map<string, Visible>();
  /** By visible content: the next catalog reuses views whose sources did not change. */
  readonly #views = new Map<string, { view: View; teams: readonly string[] }>();

  constructor(
    content: {
      number: number;
      teams: readonly string[];
      sources: readonly SharedSource[];
      grants: readonly StoredGrant[];
      tokens: readonly StoredToken[];
    },
    shared: Shared,
    before?: SharedCatalog,
  ) {
    this.number = content.number;
    this.sources = content.sources;
    this.grants = content.grants;
    this.#teams = new Set(content.teams);
    this.#callers = new Map(
      content.tokens.map(({ id, hash, name, team, scopes, expiresAt }) => [
        hash,
        { tokenId: id, actor: `${team}/${name}`, teams: [team], scopes, expiresAt },
      ]),
    );
    this.#tokenIds = new Set(content.tokens.map(({ id }) => id));
    this.#shared = shared;
    if (shared.sharedNames) shared.sharedNames.current = new SharedNames(content.sources);
    for (const [oldKey, kept] of before ? before.#views : [])
      if (this.#visibleTo(kept.teams).key === oldKey) this.#views.set(oldKey, kept);
    shared.lists?.keepOnly(new Set([...this.#views.values()].map(({ view }) => view.snapshot)));
  }

  hasTeam(name: string): boolean {
    return this.#teams.has(name);
  }

  /** Returns undefined for an unknown or expired token. Looked up by hash, so timing reveals nothing about the token. */
  identify(secret: string, now: number): Caller | undefined {
    const caller = this.#callers.get(sha256Of(secret));
    return caller && caller.expiresAt > now ? caller : undefined;
  }

  /** Whether a caller identified by an earlier catalog is still valid. */
  stillKnows({ tokenId, teams, expiresAt }: Caller, now: number): boolean {
    if (expiresAt <= now) return false;
    return tokenId === undefined ? teams.every((team) => this.hasTeam(team)) : this.#tokenIds.has(tokenId);
  }

  /** The view of a member of all these teams. Callers with the same visible content share one view. */
  viewFor(...teams: readonly string[]): View {
    const { key, ...visible } = this.#visibleTo(teams);
    const known = this.#views.get(key);
    const kept = known ?? { view: new View({ ...visible, ...this.#shared }), teams };
    // Keeps the least recently used view first.
    this.#views.delete(key);
    this.#views.set(key, kept);
    if (!known) this.#forgetViews();
    return kept.view;
  }

  /** Bounds memory: 200 views of 100,000 skills would not fit. The most recent view is always kept. */
  #forgetViews(): void {
    let skills = 0;
    for (const [index, [key, { view }]] of [...this.#views].reverse().entries()) {
      skills += view.snapshot.all.copies.length;
      const isTooMuch = index >= LIMITS.sharedViews.value || skills > LIMITS.sharedViewSkills.value;
      if (index > 0 && isTooMuch) this.#views.delete(key);
    }
  }

  /** Identifies the content visible to these teams. Equal on every replica. */
  stampFor(teams: readonly string[]): string {
    return sha256Of(this.#visibleTo(teams).key).slice(0, STAMP_CHARACTERS);
  }

  /** Cached, because it runs on every request for few combinations of teams. */
  #visibleTo(teams: readonly string[]): Visible {
    const asked = teams.join(' ');
    const known = this.#visible.get(asked);
    if (known) return known;
    if (this.#visible.size >= COMBINATIONS_MAX) this.#visible.clear();
    const visible = this.#findVisible(teams);
    this.#visible.set(asked, visible);
    return visible;
  }

  #findVisible(teams: readonly string[]): Visible {
    const granted = new Set(
      this.grants.filter(({ reader }) => reader === '*' || teams.includes(reader)).map(({ sourceId }) => sourceId),
    );
    const isOwn = ({ stored }: SharedSource): boolean => teams.includes(stored.team);
    const own = this.sources.filter(isOwn);
    const others = this.sources.filter((source) => !isOwn(source) && granted.has(source.stored.id));
    const names = (sources: readonly SharedSource[]): string =>
      sources.map(({ name, stored }) => `${name}@${stored.version}`).join(' ');
    return { key: `${names(own)} and ${names(others)}`, own, others };
  }
}
