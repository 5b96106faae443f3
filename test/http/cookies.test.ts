import { expect, test } from 'vitest';
import { cookiesNamed } from '../../src/http/cookies.ts';
import { SignIns, Tokens } from '../../src/http/guards.ts';
import { TokenCookie } from '../../src/http/token-cookie.ts';

/** The longest header that Node.js accepts has 16 kB. */
const LONG = 15_000;
/** So many requests that a quadratic parser would take many minutes. */
const REQUESTS = 3_000;

test.each([
  ['a=1', ['1']],
  ['b=2; a=1', ['1']],
  ['  a=1  ;b=2', ['1']],
  ['a=1; a=2', ['1', '2']],
  ['aa=1; xa=2; A=3', []],
  ['a=', ['']],
  ['a=b=c', ['b=c']],
  ['a', []],
  ['', []],
  [undefined, []],
])('the cookies of %j that are named a: %j', (header, values) => {
  expect(cookiesNamed('a', header)).toEqual(values);
});

test.each([
  ['blanks', ' '.repeat(LONG)],
  ['blanks before the name', `${' '.repeat(LONG)}lectern-80`],
  ['equals signs', '='.repeat(LONG)],
  ['semicolons', ';'.repeat(LONG)],
  ['names', 'lectern-80=; '.repeat(LONG / 13)],
  ['seals that are wrong', `lectern-80=0.${'a'.repeat(64)};`.repeat(LONG / 78)],
])('a long header of %s does not sign in, and is read in one pass', (_, header) => {
  const signIns = new SignIns(new Tokens(['a-token-of-this-server']), 80);
  const cookie = new TokenCookie(false);
  for (let request = 0; request < REQUESTS; request++) {
    expect(signIns.identify(header)).toBeUndefined();
    expect(cookie.tokenIn(header)).toBeUndefined();
  }
});

test('a sign-in among other cookies counts', () => {
  const signIns = new SignIns(new Tokens(['a-token-of-this-server']), 80);
  const signedIn = signIns.signIn('a-token-of-this-server');
  const [own = ''] = 'cookie' in signedIn ? signedIn.cookie.split(';', 1) : [];
  expect(signIns.identify(`theme=dark; lectern-80=0.0; ${own} ; x=y`)).toBe('0');
});
