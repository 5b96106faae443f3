import { Failure } from './failure.ts';

/** Characters allowed in a bearer token: visible ASCII. */
const SENDABLE = /^[\x21-\x7e]+$/u;

export function isSendable(token: string): boolean {
  return SENDABLE.test(token);
}

/** Returns the token of an `Authorization` header, or undefined if there is none or the scheme differs. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1];
}

/** Fails if a token from the environment is malformed. Sending it would fail without a clear reason. */
export function checkToken(token: string, variable: string): void {
  if (isSendable(token)) return;
  throw new Failure('USAGE', `${variable} has characters that a token does not have.`, {
    hint: 'Set it to the token alone, without the word Bearer, spaces or quotes.',
  });
}
