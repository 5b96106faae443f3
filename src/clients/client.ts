/**
 * An MCP client, as data: where it keeps its configuration, in which format, and what an entry for a server looks like. Each
 * client has a small file beside this one. None of them reads or writes files.
 */
import path from 'node:path';
import type { ClientName, Scope } from './names.ts';

/** How a client reaches the server: it starts a command, or it calls an address. */
export type Server =
  | {
      transport: 'stdio';
      command: string;
      args: readonly string[];
      /** Environment variables that it reads. Some clients pass on only those that an entry names. */
      reads?: readonly string[] | undefined;
    }
  | {
      transport: 'http';
      url: string;
      /** Keys of the entry that send a token, from the client's `bearer`. */
      auth?: Entry | undefined;
    };

export type EntryValue = string | boolean | readonly string[] | Readonly<Record<string, string>>;
/** The value below the server's name. */
export type Entry = Readonly<Record<string, EntryValue>>;

/** Everything that decides which file a client reads. */
export interface ConfigContext {
  projectDir: string;
  userDir: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  platform: string;
}

/** What the client's own reader accepts beyond JSON. A file that the client cannot read counts as broken. */
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
  /** The client cannot read a file that starts with a byte order mark. */
  refusesMark?: true;
  /** The first is the default. */
  scopes: readonly [Scope, ...Scope[]];
  /** The files the client reads in this scope, best first. If none exists, the last is created. Undefined without a home. */
  files(scope: Scope, context: ConfigContext): readonly string[] | undefined;
  /** Where the entry goes in a document, and its value. The document is undefined if there is none yet. */
  place(name: string, server: Server, document: unknown, scope: Scope): EntryPlace;
  /**
   * The keys of an entry over HTTP that send a bearer token from an environment variable. Without it, the client could only send
   * a token that is in its file.
   */
  bearer?(variable: string): Entry;
  /** The client's own command that does the same, if it has one. */
  command?(name: string, server: Server, scope: Scope): readonly string[] | undefined;
  /** What the user should know besides, in a sentence or two. */
  note?(scope: Scope, name: string): string | undefined;
}

export const STRICT_JSON: JsonDialect = { comments: false, trailingCommas: false };
export const LENIENT_JSON: JsonDialect = { comments: true, trailingCommas: true };

/** The folder in an environment variable if it is an absolute path, otherwise a folder below the home. */
export function folder(context: ConfigContext, variable: string, ...below: string[]): string | undefined {
  const given = context.environment[variable];
  if (given !== undefined && path.isAbsolute(given)) return given;
  return context.userDir === undefined ? undefined : path.join(context.userDir, ...below);
}

/** The only file in the list, or undefined if its folder is (there is no home). */
export function fileIn(dir: string | undefined, ...below: string[]): readonly string[] | undefined {
  return dir === undefined ? undefined : [path.join(dir, ...below)];
}

/** For clients that replace a reference such as `${NAME}` in the values of headers. */
export function bearerHeader(reference: string): Entry {
  return { headers: { Authorization: `Bearer ${reference}` } };
}

/** The header of such an entry in one word, as commands take it. */
export function headerWords({ headers }: Entry = {}): string[] {
  return Object.entries((headers ?? {}) as Readonly<Record<string, string>>).map(
    ([name, value]) => `${name}: ${value}`,
  );
}

/** Not every client's own command can write such an entry. */
export function hasAuth(server: Server): boolean {
  return server.transport === 'http' && server.auth !== undefined;
}

/** Whether an entry must name environment variables. The commands of Codex and Gemini CLI write values there, so a secret. */
export function namesVariables(server: Server): boolean {
  return server.transport === 'stdio' && server.reads !== undefined;
}
