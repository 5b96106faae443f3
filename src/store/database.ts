/**
 * The only access to PostgreSQL. Every wait has a timeout: a network partition without an error must not block a
 * replica forever. Late connection errors never end the process.
 */
import { Socket } from 'node:net';
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient } from 'pg';
import { Failure } from '../core/failure.ts';
import { checkedAddress, isOfTls, TLS_HINT } from './database-address.ts';

/** Enough for publishers. Reads rarely need more than one connection. */
const CONNECTIONS_MAX = 6;
const CONNECT_MS = 5_000;
/** The server cancels a statement before the client gives up on it, so that no lock is left behind. */
const STATEMENT_MS = 30_000;
const QUERY_MS = 35_000;
const IDLE_IN_TRANSACTION_MS = 30_000;
/** How long closing waits for the server. After a network partition it never responds. */
const GOODBYE_MS = 2_000;

export type Row = Record<string, unknown>;

export type Query = <R extends Row = Row>(text: string, values?: readonly unknown[]) => Promise<R[]>;

export interface DatabaseOptions {
  url: string;
  /** Called with connection errors outside a query. Tests shorten `queryMs`. */
  trouble?(error: Error): void;
  queryMs?: number;
}

export class Database {
  #pool: Pool;
  readonly #options: DatabaseOptions;
  readonly #sockets = new Set<Socket>();
  /** Replaced pools that have not ended yet. */
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#pool = this.#makePool();
  }

  query: Query = async (text, values) => {
    const pool = this.#pool;
    try {
      return (await pool.query(text, values && [...values])).rows;
    } catch (error) {
      if (isOfConnection(error)) this.#replace(pool);
      throw asFailure(error);
    }
  };

  #makePool(): Pool {
    const { trouble } = this.#options;
    const pool = new Pool({
      ...connectionOf(this.#options),
      stream: () => this.#socket(),
      max: CONNECTIONS_MAX,
      idleTimeoutMillis: 30_000,
    });
    pool.on('error', (error) => trouble?.(error));
    // The pool itself listens for errors only while a connection is idle.
    pool.on('connect', (client) => client.on('error', (error) => trouble?.(error)));
    return pool;
  }

  /**
   * If one connection is dead, the others usually are too, and each would have to time out. Replaces the whole pool.
   */
  #replace(pool: Pool): void {
    if (pool !== this.#pool || this.#isClosed) return;
    this.#pool = this.#makePool();
    // Running queries continue. Dead connections end when the system drops them, or on close.
    const ending = pool
      .end()
      .catch((error: Error) => this.#options.trouble?.(error))
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Runs `work` in a transaction, which is rolled back on any error. */
  async transaction<T>(work: (query: Query) => Promise<T>, how = ''): Promise<T> {
    const pool = this.#pool;
    const client = await this.#connect(pool);
    const query: Query = async (text, values) => (await client.query(text, values && [...values])).rows;
    let broken: Error | undefined;
    try {
      await client.query(`begin ${how}`);
      const result = await work(query);
      await client.query('commit');
      return result;
    } catch (error) {
      // The server rolls back when the connection closes. A connection that timed out would not respond to a rollback
      // either.
      if (isOfConnection(error)) broken = error;
      else await client.query('rollback').catch((failed: Error) => (broken = failed));
      throw asFailure(error);
    } finally {
      client.release(broken);
      if (isOfConnection(broken)) this.#replace(pool);
    }
  }

  async #connect(pool: Pool): Promise<PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (isOfConnection(error)) this.#replace(pool);
      throw asFailure(error);
    }
  }

  /**
   * Calls `heard` for every notification until the returned function is called. Notifications may get lost, so they
   * must only be used to react faster. `lost` is called when no more will arrive.
   */
  async listen(channel: string, heard: () => void, lost: () => void): Promise<() => Promise<void>> {
    const socket = this.#socket();
    const client = new Client({ ...connectionOf(this.#options), stream: () => socket });
    client.on('error', (error) => {
      this.#options.trouble?.(error);
      lost();
    });
    client.on('end', lost);
    client.on('notification', heard);
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      // Otherwise the half-open socket would stay open forever.
      client.off('end', lost);
      socket.destroy();
      throw error;
    }
    return async () => {
      client.off('end', lost);
      await goodbye(client.end(), [socket]).catch(() => undefined);
    };
  }

  /** Closes all connections. Running queries fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await goodbye(Promise.all([this.#pool.end(), ...this.#ending]), this.#sockets);
  }

  #socket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }
}

async function goodbye(ending: Promise<unknown>, sockets: Iterable<Socket>): Promise<void> {
  const force = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, GOODBYE_MS);
  await ending.finally(() => clearTimeout(force));
}

function connectionOf({ url, queryMs = QUERY_MS }: DatabaseOptions): ClientConfig {
  return {
    connectionString: checkedAddress(url),
    application_name: 'lectern',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: queryMs,
    statement_timeout: Math.min(STATEMENT_MS, queryMs),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
  };
}

/** A problem for the operator of the database. Clients of a replica cannot fix it. */
export class DatabaseFailure extends Failure {}

/** The database accepts no changes: a standby, a read-only database, one that is starting, or one with a full disk. */
export class ReadOnlyFailure extends DatabaseFailure {}

/** Uses PostgreSQL's message, which contains no secrets. The URL is never shown because it may contain one. */
function asFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  if (code === UNKNOWN_TABLE) {
    return new DatabaseFailure('REFUSED', 'The database has no Lectern tables yet.', {
      hint: 'Run `lectern db migrate`.',
      cause: error,
    });
  }
  if (code === TAKEN_TABLE) {
    return new DatabaseFailure('REFUSED', `The database already has an object with that name: ${error.message}.`, {
      hint: 'Use an empty database or schema.',
      cause: error,
    });
  }
  if (code === MISSING_REFERENCE) {
    return new Failure('CONFLICT', 'Required data was removed in the meantime.', {
      hint: 'Run it again.',
      cause: error,
    });
  }
  if (READ_ONLY.has(String(code))) {
    return new ReadOnlyFailure('UNREACHABLE', `The catalog is read-only at present: ${error.message}.`, {
      hint: 'Reads still work. Retry later, or connect to the primary server.',
      cause: error,
    });
  }
  const isOfMachine = error instanceof DatabaseError ? MACHINE_CLASSES.test(String(code)) : isOfConnection(error);
  if (!isOfMachine) return error;
  return new DatabaseFailure('UNREACHABLE', `The database cannot be used: ${error.message || String(code)}.`, {
    hint: isOfTls(code) ? TLS_HINT : 'Check LECTERN_DATABASE_URL, and whether PostgreSQL is running.',
    cause: error,
  });
}

/** Read-only transaction, server that is starting or stopping, full disk. */
const READ_ONLY = new Set(['25006', '57P03', '53100']);
const UNKNOWN_TABLE = '42P01';
const TAKEN_TABLE = '42P07';
const MISSING_REFERENCE = '23503';
/**
 * Connection, permission, missing database, resource and shutdown errors. Errors in statements are bugs and not
 * included.
 */
const MACHINE_CLASSES = /^(?:08|28|3D|42501|53|55P03|57|58)/u;

/** The client reports lost connections and timeouts as plain errors. */
function isOfConnection(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof DatabaseError) return false;
  const { code } = error as { code?: unknown };
  return (
    /^E[A-Z]+$/u.test(String(code)) ||
    isOfTls(code) ||
    /timeout|terminated|connection|not queryable/iu.test(error.message)
  );
}
