/**
 * Describes an MCP client as data: the location and format of its configuration, and the shape of a server entry. Each
 * client has a small file in this folder. None of them reads or writes files.
 */
import path from 'node:path';
import type { JsonDialect } from '../core/config-text/json-dialect.ts';
import type { BASES, Scope, SetupName } from './names.ts';

/** How a client reaches the server: by starting a command or by calling a URL. */
export type Server =
  | {
      transport: 'stdio';
      command: string;
      args: readonly string[];
      /** Environment variables that the server reads. Some clients pass on only the variables that an entry names. */
      reads?: readonly string[] | undefined;
    }
  | {
      transport: 'http';
      url: string;
      /** Keys of the entry that send a token, from the client's `bearer`. */
      auth?: Entry | undefined;
    };

export type EntryValue = string | boolean | number | readonly string[] | Readonly<Record<string, string>>;
/** The value stored under the server's name. */
export type Entry = Readonly<Record<string, EntryValue>>;

/** Everything that determines which file a client reads. */
export interface ConfigContext {
  projectDir: string;
  userDir: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  platform: string;
}

export interface EntryPlace {
  /** Path of keys to the entry, ending with the server's name. */
  keys: readonly string[];
  entry: Entry;
}

export interface Client {
  name: SetupName;
  title: string;
  basis: (typeof BASES)[number];
  /** URL of the documentation of the format. */
  source: string;
  /** Files in YAML are never changed: a merge would have to preserve comments and anchors. */
  format: 'json' | 'toml' | 'yaml';
  dialect: JsonDialect;
  /** Set if the client cannot read a file that starts with a byte order mark. */
  refusesMark?: true;
  /** The file can only name commands to start, not URLs. */
  startsOnly?: true;
  /** Servers get only a few environment variables, and the file cannot refer to others. */
  hidesVariables?: true;
  /** The first scope is the default, except for entries that name a path of this machine. */
  scopes: readonly [Scope, ...Scope[]];
  /**
   * Files the client reads in this scope, most preferred first. If none exists, the last is created. Undefined without
   * a home folder, or if the client has no such scope.
   */
  files(scope: Scope, context: ConfigContext): readonly string[] | undefined;
  /** Returns the entry and its position in a document. `document` is undefined if there is no file yet. */
  place(name: string, server: Server, document: unknown, scope: Scope): EntryPlace;
  /**
   * Returns the keys of an HTTP entry that send a bearer token from an environment variable. Clients without it can
   * only send a token stored in their file.
   */
  bearer?(variable: string): Entry;
  /** The equivalent command of the client itself, if it has one. */
  command?(name: string, server: Server, scope: Scope): readonly string[] | undefined;
  /** Additional hints for the user, one or two sentences. */
  note?(scope: Scope, name: string): string | undefined;
}

export { LENIENT_JSON, PLAIN_JSON, STRICT_JSON } from '../core/config-text/json-dialect.ts';

/** Returns the folder from an environment variable if it is an absolute path, otherwise a folder below the home. */
export function folder(context: ConfigContext, variable: string, ...below: string[]): string | undefined {
  const given = context.environment[variable];
  if (given !== undefined && path.isAbsolute(given)) return given;
  return context.userDir === undefined ? undefined : path.join(context.userDir, ...below);
}

/** Returns the folder in which desktop applications keep their configuration. */
export function applicationData(context: ConfigContext): string | undefined {
  if (context.platform === 'win32') return folder(context, 'APPDATA', 'AppData', 'Roaming');
  if (context.platform !== 'darwin') return folder(context, 'XDG_CONFIG_HOME', '.config');
  return context.userDir === undefined ? undefined : path.join(context.userDir, 'Library', 'Application Support');
}

/** Returns a list with one file, or undefined if its folder is undefined (no home folder). */
export function fileIn(dir: string | undefined, ...below: string[]): readonly string[] | undefined {
  return dir === undefined ? undefined : [path.join(dir, ...below)];
}

/** Returns the keys of an entry that pass environment variables on to a server, with references such as `${NAME}`. */
export function passedOn(
  key: string,
  variables: readonly string[] | undefined,
  reference: (variable: string) => string,
): Entry {
  return variables ? { [key]: Object.fromEntries(variables.map((each) => [each, reference(each)])) } : {};
}

/** Entry for clients that expand references such as `${NAME}` in header values. */
export function bearerHeader(reference: string): Entry {
  return { headers: { Authorization: `Bearer ${reference}` } };
}

/** Formats headers as `Name: value`, the form that commands accept. */
export function headerWords({ headers }: Entry = {}): string[] {
  return Object.entries((headers ?? {}) as Readonly<Record<string, string>>).map(
    ([name, value]) => `${name}: ${value}`,
  );
}

/** Some clients have commands that cannot write an entry with authentication. */
export function hasAuth(server: Server): boolean {
  return server.transport === 'http' && server.auth !== undefined;
}

/**
 * Whether an entry must name environment variables. The commands of Codex and Gemini CLI would write their values,
 * including secrets, to the file.
 */
export function namesVariables(server: Server): boolean {
  return server.transport === 'stdio' && server.reads !== undefined;
}
