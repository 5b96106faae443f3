/**
 * Keeps a caller's token in a browser. Servers that share nothing but their callers can all read it, and check it as they check
 * the header of a program: what is revoked or expired is so here too.
 */
import { cookiesNamed } from './cookies.ts';

/** Browsers drop longer ones without a word. */
const COOKIE_MAX_BYTES = 4_000;

export class TokenCookie {
  readonly #name: string;
  readonly #attributes: string;

  /** `isSecure` if browsers come over TLS: then the cookie never travels without, and no other host can set it. */
  constructor(isSecure: boolean) {
    this.#name = isSecure ? '__Host-lectern' : 'lectern-token';
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /** The header that signs a browser in for so long; undefined if no browser would keep it. */
  keep(token: string, seconds: number): string | undefined {
    const cookie = `${this.#name}=${token}; Max-Age=${Math.floor(seconds)}; ${this.#attributes}`;
    return /^[\w.~+/=-]+$/u.test(token) && cookie.length <= COOKIE_MAX_BYTES ? cookie : undefined;
  }

  /** The header that signs it out. */
  forget(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }

  /** The token in the cookies of a request. */
  tokenIn(cookies: string | undefined): string | undefined {
    return cookiesNamed(this.#name, cookies).find((token) => token !== '');
  }
}
