/** Types of the stored data, as used by the rest of the program. */
export interface StoredFile {
  /** Relative path, with forward slashes. */
  path: string;
  /** SHA-256 in hexadecimal. */
  sha256: string;
  size: number;
  executable: boolean;
}

export interface StoredSource {
  id: number;
  team: string;
  name: string;
  /** Number of the snapshot in which its files last changed; 0 if nothing was published yet. */
  version: number;
  /** Origin of this version. Set only when a whole catalog is read. */
  published?: Publication;
}

export interface Publication {
  /** ISO date. */
  at: string;
  /** The publisher's name in the history. */
  actor: string;
  commit?: string;
}

export interface StoredGrant {
  sourceId: number;
  /** A team, or `*` for all teams. */
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

/** The latest snapshot. */
export interface Head {
  number: number;
  /** Distinguishes snapshots with the same number: numbers are reused after a restore from a backup. */
  stamp: string;
  /** The database's clock, in milliseconds since 1970. */
  now: number;
}

/** All data that a replica needs for one snapshot. */
export interface StoredCatalog {
  number: number;
  stamp: string;
  /** Includes teams without sources, because callers can belong to them. */
  teams: string[];
  sources: StoredSource[];
  grants: StoredGrant[];
  tokens: StoredToken[];
  /** Files of the sources that changed since the known versions, by source ID. */
  files: Map<number, StoredFile[]>;
}

export interface About {
  /** The name to record in the history. */
  actor: string;
  commit?: string | undefined;
  /** Number of skills that were left out of the publication. */
  skipped?: number | undefined;
  /** The token used for the change, if its validity must be rechecked. */
  tokenId?: number | undefined;
}

export type Published =
  | { outcome: 'published' | 'unchanged'; number: number; added: string[]; changed: string[]; removed: string[] }
  /** Another version was published since `base`. `number` is the current version. */
  | { outcome: 'conflict'; number: number };

export interface HistoryEntry extends Publication {
  number: number;
  action: string;
  /** The version that a rollback restored. */
  restored?: number;
  added: number;
  changed: number;
  removed: number;
  /** Number of skills that were left out, if any. */
  skipped?: number;
  /** Set if the version can no longer be restored. */
  pruned?: boolean;
}

/** Number of loads of a skill on one day. */
export interface LoadedSkill {
  team: string;
  name: string;
  /** Folder of the skill in the source. */
  folder: string;
  /** ISO date such as 2026-01-31. */
  day: string;
  loads: number;
}
