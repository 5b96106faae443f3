/**
 * Stores a caller's token in a browser. All servers with the same callers can read it without shared state, and check it like the
 * header of a program: revoked or expired tokens are refused here too.
 */
import { cookiesNamed } from './cookies.ts';

/** Browsers drop longer cookies without an error. */
const COOKIE_MAX_BYTES = 4_000;

export class TokenCookie {
  readonly #name: string;
  readonly #attributes: string;

  /** Set `isSecure` if browsers connect over TLS. Then the cookie is sent only over TLS, and no other host can set it. */
  constructor(isSecure: boolean) {
    this.#name = isSecure ? '__Host-lectern' : 'lectern-token';
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /** Returns the header that signs a browser in for this many seconds, or undefined if browsers would not store the cookie. */
  keep(token: string, seconds: number): string | undefined {
    const cookie = `${this.#name}=${token}; Max-Age=${Math.floor(seconds)}; ${this.#attributes}`;
    return /^[\w.~+/=-]+$/u.test(token) && cookie.length <= COOKIE_MAX_BYTES ? cookie : undefined;
  }

  /** Returns the header that signs a browser out. */
  forget(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }

  /** Returns the token in the cookies of a request. */
  tokenIn(cookies: string | undefined): string | undefined {
    return cookiesNamed(this.#name, cookies).find((token) => token !== '');
  }
}
