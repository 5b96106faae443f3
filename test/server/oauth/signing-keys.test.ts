import { jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { SigningKeys, type SigningKeysOptions } from '../../../src/server/oauth/signing-keys.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.ts';

const AUDIENCE = 'https://skills.example.com';
const MINUTE = 60_000;

function keysOf(server: AuthorizationServer, more: Partial<SigningKeysOptions> = {}) {
  const said: string[] = [];
  const clock = { at: 1_000 };
  const log = { info: (text: string) => said.push(text), warn: (text: string) => said.push(text) };
  const keys = new SigningKeys({ issuer: server.issuer, jwksUrl: undefined, log, now: () => clock.at, ...more });
  const accepts = (token: string): Promise<boolean> =>
    jwtVerify(token, keys.find).then(
      () => true,
      (error: { code: string }) => (error.code === 'UNREACHABLE' ? Promise.reject(error) : false),
    );
  return { keys, accepts, clock, said };
}

test('the keys are found in the metadata of the server and read once for many calls', async () => {
  for (const path of ['', '/realms/shop']) {
    await using server = await startAuthorizationServer(AUDIENCE, path);
    const { accepts, said } = keysOf(server);
    const token = await server.token();
    expect(await Promise.all(Array.from({ length: 20 }, () => accepts(token)))).not.toContain(false);
    expect([server.asked('/jwks'), said]).toEqual([1, []]);
  }
});

test('the configuration of OpenID Connect is enough, and so is the address of the keys', async () => {
  await using server = await startAuthorizationServer(AUDIENCE, '/realms/shop');
  const { origin } = new URL(server.issuer);
  const token = await server.token();
  server.documents.set('/.well-known/oauth-authorization-server/realms/shop', 'nothing');
  server.documents.set('/realms/shop/.well-known/openid-configuration', {
    issuer: server.issuer,
    jwks_uri: `${origin}/jwks`,
  });
  expect(await keysOf(server).accepts(token)).toBe(true);
  server.documents.set('/realms/shop/.well-known/openid-configuration', 'nothing');
  await expect(keysOf(server).accepts(token)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(await keysOf(server, { jwksUrl: `${origin}/jwks` }).accepts(token)).toBe(true);
});

test('metadata of another issuer, with an insecure key address, or of excessive length is not used', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const place = '/.well-known/oauth-authorization-server';
  const jwks = `${server.issuer}/jwks`;
  for (const [document, reason] of [
    [{ issuer: 'https://evil.example.com', jwks_uri: jwks }, 'is of the issuer https://evil.example.com'],
    [{ issuer: `${server.issuer}/`, jwks_uri: jwks }, 'is of the issuer'],
    [{ issuer: server.issuer, jwks_uri: 'http://skills.example.com/jwks' }, 'no usable jwks_uri'],
    [{ issuer: server.issuer }, 'no usable jwks_uri'],
    [{ issuer: server.issuer, jwks_uri: jwks, more: 'x'.repeat(1024 * 1024) }, 'is too long'],
    ['text', 'not a JSON object'],
  ] as const) {
    server.documents.set(place, document);
    const { accepts, said } = keysOf(server);
    await expect(accepts(await server.token())).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(said).toEqual([expect.stringContaining(reason)]);
  }
  expect(server.asked('/jwks')).toBe(0);
});

test('a token with a new key is accepted immediately, and tokens with unknown keys do not each cause a request', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const { accepts, clock } = keysOf(server);
  const old = await server.token();
  expect(await accepts(old)).toBe(true);
  await server.rotate();
  expect(await accepts(await server.token())).toBe(true);
  expect(await accepts(old)).toBe(false);
  const unknown = Array.from({ length: 50 }, (_, index) => server.token({}, { header: { kid: `key-${index}` } }));
  for (const token of await Promise.all(unknown)) expect(await accepts(token)).toBe(false);
  expect(server.asked('/jwks')).toBe(2);
  clock.at += MINUTE;
  const results = await Promise.all((await Promise.all(unknown)).map(accepts));
  expect([results.includes(true), server.asked('/jwks')]).toEqual([false, 3]);
});

test('a key that was withdrawn is forgotten, beside the calls', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const { accepts, clock } = keysOf(server);
  const old = await server.token();
  expect(await accepts(old)).toBe(true);
  await server.rotate();
  clock.at += 9 * MINUTE;
  expect([await accepts(old), server.asked('/jwks')]).toEqual([true, 1]);
  clock.at += 2 * MINUTE;
  await expect.poll(() => accepts(old)).toBe(false);
});

test('while the server is down, known keys stay valid, and tokens with other keys are neither accepted nor rejected', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const { accepts, clock, said } = keysOf(server);
  const token = await server.token();
  expect(await accepts(token)).toBe(true);
  server.isDown = true;
  clock.at += 1_000 * MINUTE;
  expect(await accepts(token)).toBe(true);
  const later = await server.token({}, { header: { kid: 'later' } });
  for (let time = 0; time < 20; time++) {
    clock.at += MINUTE;
    await expect(accepts(later)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(await accepts(token)).toBe(true);
  }
  expect(said).toEqual([expect.stringContaining('closed the connection without an answer')]);
  server.isDown = false;
  clock.at += MINUTE;
  expect([await accepts(later), await accepts(token)]).toEqual([false, true]);
  expect(said).toHaveLength(2);
});

test('a server that is down is not retried immediately', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  server.isDown = true;
  const { accepts, clock } = keysOf(server);
  const token = await server.token();
  await expect(accepts(token)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  server.isDown = false;
  await expect(accepts(token)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(server.asked('/jwks')).toBe(0);
  clock.at += 6_000;
  expect(await accepts(token)).toBe(true);
});
