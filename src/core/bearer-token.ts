import { Failure } from './failure.ts';

/** Fails if a token from the environment cannot be one. Sent as it is, it would only fail without a reason. */
export function checkToken(token: string, variable: string): void {
  if (/^[\x21-\x7e]+$/u.test(token)) return;
  throw new Failure('USAGE', `${variable} has characters that a token does not have.`, {
    hint: 'Set it to the token alone, without the word Bearer, spaces or quotes.',
  });
}
