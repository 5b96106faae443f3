/** What the tables hold, as the rest of the program sees it. */
export interface StoredFile {
  /** Relative, with forward slashes. */
  path: string;
  /** In hexadecimal. */
  sha256: string;
  size: number;
  executable: boolean;
}

export interface StoredSource {
  id: number;
  team: string;
  name: string;
  /** The number of the snapshot in which its files last changed; 0 if nothing was published yet. */
  version: number;
  /** How this version came to be. Only where a whole catalog is read. */
  published?: Publication;
}

export interface Publication {
  /** As an ISO date. */
  at: string;
  /** How the history names who it was. */
  actor: string;
  commit?: string;
}

export interface StoredGrant {
  sourceId: number;
  /** A team, or `*` for everyone. */
  reader: string;
}

export const SCOPES = ['read', 'publish', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export interface StoredToken {
  id: number;
  name: string;
  /** SHA-256 of the secret, in hexadecimal. */
  hash: string;
  team: string;
  scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** The last snapshot. */
export interface Head {
  number: number;
  /** Tells it from another one with this number: after a restore from a backup, numbers are used again. */
  stamp: string;
  /** The clock of the database, in milliseconds since 1970. */
  now: number;
}

/** Everything a replica needs to know at one number. */
export interface StoredCatalog {
  number: number;
  stamp: string;
  /** Those without sources too: callers can belong to them. */
  teams: string[];
  sources: StoredSource[];
  grants: StoredGrant[];
  tokens: StoredToken[];
  /** The files of the sources that changed since the versions that were known, by the id of the source. */
  files: Map<number, StoredFile[]>;
}

export interface About {
  /** Who does it, for the history. */
  actor: string;
  commit?: string | undefined;
  /** The token that it is done with, if it must still be good. */
  tokenId?: number | undefined;
}

export type Published =
  | { outcome: 'published' | 'unchanged'; number: number; added: string[]; changed: string[]; removed: string[] }
  /** Somebody published since `base`: `number` is the version now. */
  | { outcome: 'conflict'; number: number };

export interface HistoryEntry extends Publication {
  number: number;
  action: string;
  /** The version that a rollback brought back. */
  restored?: number;
  added: number;
  changed: number;
  removed: number;
  /** It cannot be restored any more. */
  pruned?: boolean;
}

/** How often a skill was loaded on a day. */
export interface LoadedSkill {
  team: string;
  name: string;
  /** In the source. */
  folder: string;
  /** Such as 2026-01-31. */
  day: string;
  loads: number;
}
