/** Everything that is published at one number: the sources, who may read them, and who may call. Immutable. */
import { createHash } from 'node:crypto';
import type { Search } from '../search/search.ts';
import type { Scope, StoredGrant, StoredToken } from '../store/catalog-store.ts';
import type { LowerCaseBodies } from '../workspace/lower-case-bodies.ts';
import type { SharedSource } from './shared-source.ts';
import { View } from './view.ts';

export interface Caller {
  id: number;
  name: string;
  team: string;
  scopes: readonly Scope[];
}

export interface Shared {
  search: Search;
  bodies: LowerCaseBodies;
}

export class SharedCatalog {
  readonly number: number;
  readonly sources: readonly SharedSource[];
  readonly grants: readonly StoredGrant[];
  readonly #tokens: ReadonlyMap<string, StoredToken>;
  readonly #callers: ReadonlyMap<string, Caller>;
  readonly #shared: Shared;
  /** By what they show: a view whose sources did not change is used again by the next catalog. */
  readonly #views = new Map<string, View>();

  constructor(
    content: {
      number: number;
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
    this.#tokens = new Map(content.tokens.map((token) => [token.hash, token]));
    this.#callers = new Map(content.tokens.map((token) => [String(token.id), token]));
    this.#shared = shared;
    const teams = new Set(content.tokens.map(({ team }) => team));
    for (const team of teams) {
      const { key } = this.#visibleTo(team);
      const view = before && before.#views.get(key);
      if (view) this.#views.set(key, view);
    }
  }

  /** By the id of the token, as text. */
  callerWith(id: string): Caller | undefined {
    return this.#callers.get(id);
  }

  /** Who sends this token; undefined if it is unknown or has expired. Looked up by its hash, so time tells nothing of it. */
  identify(secret: string, now: number): Caller | undefined {
    const token = this.#tokens.get(createHash('sha256').update(secret).digest('hex'));
    return token && token.expiresAt > now ? token : undefined;
  }

  viewFor(team: string): View {
    const { key, sources } = this.#visibleTo(team);
    let view = this.#views.get(key);
    if (!view) this.#views.set(key, (view = new View({ team, sources, ...this.#shared })));
    return view;
  }

  #visibleTo(team: string): { key: string; sources: SharedSource[] } {
    const granted = new Set(
      this.grants.filter(({ reader }) => reader === team || reader === '*').map(({ sourceId }) => sourceId),
    );
    const own = this.sources.filter(({ stored }) => stored.team === team);
    const others = this.sources.filter(({ stored }) => stored.team !== team && granted.has(stored.id));
    const sources = [...own, ...others];
    return { key: [team, ...sources.map(({ name, stored }) => `${name}@${stored.version}`)].join(' '), sources };
  }
}
