/**
 * Controls access. Exact lists of host names and origins block requests that other pages make through a browser. Tokens block
 * all other unauthorized callers.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { bearerToken, isSendable } from '../core/bearer-token.ts';
import { Failure } from '../core/failure.ts';
import { cookiesNamed } from './cookies.ts';
import { refuse } from './refuse.ts';
import type { Context, Handler, Route, RouteTable, SignedIn } from './routes.ts';
import type { TokenCookie } from './token-cookie.ts';

/** Formats a host for a URL: IPv6 addresses in brackets. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** The allowed values of `Host`: the loopback names and our address with our port, and the user's additions. */
export class HostList {
  readonly #exact = new Set<string>();
  readonly #anyPort = new Set<string>();
  readonly #anyAddress: boolean;

  /** With `anyAddress`, any IP address is accepted: DNS rebinding works only with host names. */
  constructor(host: string, port: number, further: readonly string[], anyAddress = false) {
    this.#anyAddress = anyAddress;
    const own = ['localhost', '127.0.0.1', '[::1]', ...(['0.0.0.0', '::'].includes(host) ? [] : [inUrl(host)])];
    for (const name of own) {
      this.#exact.add(`${name}:${port}`.toLowerCase());
      if (port === 80) this.#exact.add(name.toLowerCase());
    }
    for (const name of further) (/:\d+$/u.test(name) ? this.#exact : this.#anyPort).add(name.toLowerCase());
  }

  has(value: string): boolean {
    return this.#isListed(value) || (this.#anyAddress && isIP(withoutPort(value).replaceAll(/^\[|\]$/gu, '')) > 0);
  }

  #isListed(value: string): boolean {
    const host = value.toLowerCase();
    return this.#exact.has(host) || this.#anyPort.has(withoutPort(host));
  }

  /** An origin is the address of a page: scheme, host and port. `null` and other schemes are never allowed. */
  hasOrigin(origin: string): boolean {
    const host = /^https?:\/\/([^/?#@\\]+)$/iu.exec(origin)?.[1];
    return host !== undefined && this.#isListed(host);
  }
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/u, '');
}

/** Stores only the hashes of tokens: comparing hashes takes the same time for all inputs. */
export class Tokens {
  readonly #hashes: readonly Buffer[];

  /** Fails if a token could never match. Otherwise, its owner would be locked out without an explanation. */
  constructor(tokens: readonly string[]) {
    if (!tokens.every(isSendable)) {
      throw new Failure('USAGE', 'A token is empty, or has a character that no caller can send.', {
        hint: 'Set LECTERN_TOKEN (or --token) to ASCII letters, digits and punctuation without spaces, or leave it out.',
      });
    }
    this.#hashes = tokens.map(hashOf);
  }

  get required(): boolean {
    return this.#hashes.length > 0;
  }

  /** Returns an opaque name for the caller, which sessions are bound to, or undefined if the token is missing or wrong. */
  identify(authorization: string | undefined): string | undefined {
    if (!this.required) return '';
    const given = bearerToken(authorization);
    const hash = hashOf(given ?? '');
    let found: string | undefined;
    for (const [index, known] of this.#hashes.entries())
      if (timingSafeEqual(known, hash) && given !== undefined) found = String(index);
    return found;
  }
}

/**
 * Manages browser sign-ins. The cookie does not contain the token, because a browser sends its cookies to every port of a host.
 * The cookie is valid until the process ends, because the key is not stored.
 */
export class SignIns {
  readonly #tokens: Tokens;
  readonly #name: string;
  readonly #key = randomBytes(32);

  constructor(tokens: Tokens, port: number) {
    this.#tokens = tokens;
    this.#name = `lectern-${port}`;
  }

  signIn(token: string): SignedIn {
    const caller = this.#tokens.identify(`Bearer ${token}`);
    if (caller === undefined) return { refused: 'That is not the token of this server.', status: 403 };
    const value = `${caller}.${this.#seal(caller).toString('hex')}`;
    return { cookie: `${this.#name}=${value}; Path=/; HttpOnly; SameSite=Strict` };
  }

  /** Returns the caller that the cookies of a request identify. */
  identify(cookies: string | undefined): string | undefined {
    for (const value of cookiesNamed(this.#name, cookies)) {
      const [, caller, seal] = /^(\d{1,4})\.([0-9a-f]{64})$/u.exec(value) ?? [];
      if (caller === undefined || seal === undefined) continue;
      if (timingSafeEqual(this.#seal(caller), Buffer.from(seal, 'hex'))) return caller;
    }
    return undefined;
  }

  #seal(caller: string): Buffer {
    return createHmac('sha256', this.#key).update(caller).digest();
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A request that passed every guard, and its handler. */
interface Admitted extends Pick<Context, 'caller' | 'who' | 'params'> {
  method: string;
  handler: Handler;
  route: Route;
}

/** Headers that guards depend on. If one is repeated, a proxy in front may have used the other value. */
const ONCE = ['host', 'origin', 'authorization', 'content-type'];

export type Identified = Pick<Context, 'caller' | 'who'>;

/** Authenticates callers if there is no fixed list of tokens. This may take a while. */
export interface Callers {
  /** Returns the caller that sent this header, or the refusal. */
  identify(authorization: string | undefined, route: Route): Promise<Identified | Response>;
  /** The cookie that holds the token in a browser. */
  readonly cookie: TokenCookie;
  signIn(token: string): Promise<SignedIn>;
}

interface Guards {
  table: RouteTable;
  tokens: Tokens;
  callers: Callers | undefined;
  hosts: HostList;
  signIns: SignIns;
}

/** Applies every guard to a request, in order. Returns the handler or the first refusal. */
export async function admit(
  { headers, headersDistinct, method = '', url = '' }: IncomingMessage,
  { table, hosts, ...guards }: Guards,
): Promise<Admitted | Response> {
  const repeated = ONCE.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (repeated !== undefined) return refuse(400, `The header ${repeated} may be sent only once.`);
  const [path = ''] = url.split('?', 1);
  const found = table.find(path) ?? (isFromAddressBar(method, headers) ? table.elsewhere : undefined);
  const refused = checkAddress(headers, hosts, found?.route.anyOrigin);
  if (refused) return refused;
  if (!found) {
    const message = `Nothing is served at this path. Check the address: the server answers at ${table.paths.join(', ')}.`;
    return refuse(404, message);
  }
  const { route, params } = found;
  const methods: Readonly<Record<string, Handler | undefined>> = route.methods;
  const handler = methods[method];
  if (!handler) {
    const allow = Object.keys(methods).join(', ');
    return refuse(405, `Only ${allow} here.`, { allow });
  }
  const identified = await identify(headers, route, guards);
  if (identified instanceof Response) {
    // Includes 403: the stored token no longer grants access, but another token may.
    const maySignIn = [401, 403].includes(identified.status) && isFromAddressBar(method, headers);
    if (route.signInAt === undefined || !maySignIn) return identified;
    return new Response(null, { status: 303, headers: { location: signInAddress(route.signInAt, url) } });
  }
  if (method === 'POST') {
    const wrongType = checkContentType(headers['content-type'], route.accepts ?? 'application/json');
    if (wrongType) return wrongType;
  }
  return { method, handler, route, params, ...identified };
}

async function identify(
  { authorization, cookie }: IncomingHttpHeaders,
  route: Route,
  { tokens, callers, signIns }: Omit<Guards, 'table' | 'hosts'>,
): Promise<Identified | Response> {
  if (route.isPublic === true) return { caller: '' };
  if (callers) {
    // Other pages can make a browser send its cookies, so they count only for routes without side effects.
    const cookieToken = route.signInAt === undefined ? undefined : callers.cookie.tokenIn(cookie);
    return callers.identify(authorization ?? (cookieToken && `Bearer ${cookieToken}`), route);
  }
  const signedIn = (): string | undefined => (route.signInAt === undefined ? undefined : signIns.identify(cookie));
  const caller = tokens.identify(authorization) ?? signedIn();
  if (caller !== undefined) return { caller };
  return refuse(401, 'A bearer token is required.', { 'www-authenticate': 'Bearer realm="lectern"' });
}

/** A browser that navigates to a page sends `Accept: text/html`. Programs usually accept anything. */
function isFromAddressBar(method: string, { accept = '' }: IncomingHttpHeaders): boolean {
  return (method === 'GET' || method === 'HEAD') && accept.includes('text/html');
}

/** Adds the page to return to, if it is on this server. */
function signInAddress(path: string, url: string): string {
  return url === '/' || !/^\/(?![/\\])/u.test(url) ? path : `${path}?${new URLSearchParams({ to: url }).toString()}`;
}

function checkAddress({ host, origin }: IncomingHttpHeaders, hosts: HostList, anyOrigin = false): Response | undefined {
  if (host === undefined || !hosts.has(host))
    return refuse(403, 'This host name is not allowed. Start the server with --allowed-host to add it.');
  if (origin !== undefined && !anyOrigin && !hosts.hasOrigin(origin))
    return refuse(403, 'Pages from this origin may not call the server.');
  return undefined;
}

/** Browsers allow any page to send text and forms to any server, but not JSON. */
function checkContentType(contentType: string | undefined, accepted: string): Response | undefined {
  const [type = ''] = (contentType ?? '').split(';', 1);
  if (type.trim().toLowerCase() === accepted) return undefined;
  return refuse(415, `Unsupported Media Type: Content-Type must be ${accepted}`);
}
