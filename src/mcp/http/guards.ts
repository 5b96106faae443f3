/** Who may call: exact lists of host names and origins against pages that trick a browser, and tokens against everybody else. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Why a request is refused, ready to be answered. */
export interface Refusal {
  status: 400 | 401 | 403 | 404 | 405 | 406 | 413 | 415 | 503;
  code: number;
  message: string;
  headers?: Record<string, string>;
}

const SERVER_ERROR = -32000;

export function refusal(
  status: Refusal['status'],
  message: string,
  headers?: Record<string, string>,
  code: number = SERVER_ERROR,
): Refusal {
  return { status, code, message, ...(headers === undefined ? {} : { headers }) };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** As it stands in a URL: IPv6 addresses in brackets. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** The values of `Host` that are ours: the loopback names and the address we listen on, at our port, and what the user added. */
export class HostList {
  readonly #exact = new Set<string>();
  readonly #anyPort = new Set<string>();

  constructor(host: string, port: number, further: readonly string[]) {
    const own = ['localhost', '127.0.0.1', '[::1]', ...(['0.0.0.0', '::'].includes(host) ? [] : [inUrl(host)])];
    for (const name of own) {
      this.#exact.add(`${name}:${port}`.toLowerCase());
      if (port === 80) this.#exact.add(name.toLowerCase());
    }
    for (const name of further) (/:\d+$/u.test(name) ? this.#exact : this.#anyPort).add(name.toLowerCase());
  }

  has(value: string): boolean {
    const host = value.toLowerCase();
    return this.#exact.has(host) || this.#anyPort.has(host.replace(/:\d+$/u, ''));
  }

  /** An origin is a page's address: scheme, host and port. `null` and other schemes are never ours. */
  hasOrigin(origin: string): boolean {
    const host = /^https?:\/\/([^/?#@\\]+)$/iu.exec(origin)?.[1];
    return host !== undefined && this.has(host);
  }
}

export function checkAddress(request: IncomingMessage, hosts: HostList): Refusal | undefined {
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.has(host))
    return refusal(403, 'This host name is not allowed here; the server’s --allowed-host adds one.');
  if (origin !== undefined && !hosts.hasOrigin(origin))
    return refusal(403, 'Pages from this origin are not allowed to call the server.');
  return undefined;
}

/** Tokens, known by their hashes only: comparing those takes the same time whatever was sent. */
export class Tokens {
  readonly #hashes: readonly Buffer[];

  constructor(tokens: readonly string[]) {
    this.#hashes = tokens.map(hashOf);
  }

  get required(): boolean {
    return this.#hashes.length > 0;
  }

  /** Who is calling, as an opaque word that sessions are bound to; undefined when the token is missing or wrong. */
  identify(authorization: string | undefined): string | undefined {
    if (!this.required) return '';
    const given = /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1];
    const hash = hashOf(given ?? '');
    let found: string | undefined;
    for (const [index, known] of this.#hashes.entries())
      if (timingSafeEqual(known, hash) && given !== undefined) found = String(index);
    return found;
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export const UNAUTHORIZED = refusal(401, 'A bearer token is required.', {
  'www-authenticate': 'Bearer realm="lectern"',
});
