import { Failure } from './failure.ts';

/** What can follow `Bearer` in a header: visible ASCII. */
const SENDABLE = /^[\x21-\x7e]+$/u;

export function isSendable(token: string): boolean {
  return SENDABLE.test(token);
}

/** The token in an `Authorization` header; undefined if it has none, or another scheme. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1];
}

/** Fails if a token from the environment cannot be one. Sent as it is, it would only fail without a reason. */
export function checkToken(token: string, variable: string): void {
  if (isSendable(token)) return;
  throw new Failure('USAGE', `${variable} has characters that a token does not have.`, {
    hint: 'Set it to the token alone, without the word Bearer, spaces or quotes.',
  });
}
