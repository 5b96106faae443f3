/**
 * What a client of MCP servers is to us: where it keeps its configuration, how the file is written and what an entry
 * looks like. One small file per client beside this one; none of them touches storage.
 */
import path from 'node:path';
import type { ClientName, Scope } from './names.ts';

/** How a client reaches the server: it starts a command, or it calls an address. */
export type Server =
  | { transport: 'stdio'; command: string; args: readonly string[] }
  | {
      transport: 'http';
      url: string;
    };

export type EntryValue = string | boolean | readonly string[];
/** The value that stands under the server's name. */
export type Entry = Readonly<Record<string, EntryValue>>;

/** Where somebody stands: everything that decides which file a client reads. */
export interface Surroundings {
  projectDir: string;
  userDir: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  platform: string;
}

/** What the client's own reader forgives in JSON. A file it cannot read itself is broken, whatever we could make of it. */
export interface JsonDialect {
  comments: boolean;
  trailingCommas: boolean;
}

export interface EntryPlace {
  /** The keys that lead to the entry, the server's name last. */
  keys: readonly string[];
  entry: Entry;
}

export interface Client {
  name: ClientName;
  title: string;
  format: 'json' | 'toml';
  dialect: JsonDialect;
  /** The first is the one meant when none is given. */
  scopes: readonly [Scope, ...Scope[]];
  /** The files the client reads in this scope, best first; the last is created when none exists. Undefined without a home. */
  files(scope: Scope, surroundings: Surroundings): readonly string[] | undefined;
  /** Where the entry goes in a document and what it says there. The document is undefined when there is none yet. */
  place(name: string, server: Server, document: unknown, scope: Scope): EntryPlace;
  /** The client's own command that does the same, where it has one. */
  command?(name: string, server: Server, scope: Scope): readonly string[] | undefined;
  /** What a reader should know beyond the file, as a sentence or two. */
  note?(scope: Scope, name: string): string | undefined;
}

export const STRICT_JSON: JsonDialect = { comments: false, trailingCommas: false };
export const LENIENT_JSON: JsonDialect = { comments: true, trailingCommas: true };

/** A folder from the environment where it is set and absolute, else a folder below the home. */
export function folder(surroundings: Surroundings, variable: string, ...below: string[]): string | undefined {
  const given = surroundings.environment[variable];
  if (given !== undefined && path.isAbsolute(given)) return given;
  return surroundings.userDir === undefined ? undefined : path.join(surroundings.userDir, ...below);
}

/** A file in a folder that may not exist for want of a home. */
export function fileIn(dir: string | undefined, ...below: string[]): readonly string[] | undefined {
  return dir === undefined ? undefined : [path.join(dir, ...below)];
}
