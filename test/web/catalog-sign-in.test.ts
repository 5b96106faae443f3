/** Access to the web interface of a shared catalog, with real replicas, a real database and raw requests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminStore } from '../../src/store/admin-store.ts';
import { Database } from '../../src/store/database.ts';
import { startAuthorizationServer } from '../support/authorization-server.ts';
import { companyOn } from '../support/company.ts';
import { hasOwnPostgres, hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type Replica, startReplica, type Told } from '../support/replica.ts';
import { skillText } from '../support/skill-text.ts';
import { serveCatalog, type ServedCatalog } from './catalog.ts';
import { BROWSER, type Got, send } from './served.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const at = ({ url }: { url: string }, path: string, sent: Sent = {}): Promise<Got> =>
  send({ port: Number(new URL(url).port) } as never, path, sent);

function signIn(replica: { url: string }, token: string, more: Record<string, string> = {}): Promise<Got> {
  const headers = { ...FORM, origin: replica.url, host: new URL(replica.url).host, ...more };
  const body = new URLSearchParams({ token, to: '/skills?q=refund' }).toString();
  return at(replica, '/login', { method: 'POST', headers, body });
}

/** The cookie header that a browser sends back. */
function cookieOf({ headers }: Got): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

const pageWith = (replica: { url: string }, path: string, cookie: string): Promise<Got> =>
  at(replica, path, { headers: { ...BROWSER, cookie } });

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

describe.skipIf(!hasPostgres)('the web interface of a shared catalog', () => {
  let served: ServedCatalog;
  let first: Replica;
  let second: Replica;
  let read: string;
  beforeAll(async () => {
    served = await serveCatalog(postgres, 2, ['--log', 'json']);
    [first, second] = served.replicas as [Replica, Replica];
    ({ read } = served.company.tokens.payments);
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  test('shows nothing without a token: browsers are sent to sign in, programs get 401', async () => {
    for (const path of ['/', '/skills', '/sources/payments/skills', '/nowhere']) {
      const page = await at(first, path, { headers: BROWSER });
      expect.soft([path, page.status]).toEqual([path, 303]);
      expect.soft(page.headers.location).toMatch(/^\/login/u);
    }
    for (const path of ['/', '/api/skills', '/api/sources', '/api/sources/payments/skills', '/api/events'])
      expect.soft([path, (await at(first, path)).status]).toEqual([path, 401]);
    const form = await at(first, '/login', { headers: BROWSER });
    expect(form.status).toBe(200);
    expect(form.body).not.toMatch(/payments|refund|snapshot \d/u);
  });

  test('a token with the read permission gives a cookie for some hours that every replica accepts', async () => {
    const signedIn = await signIn(first, read);
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, '/skills?q=refund']);
    const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^lectern-token=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/u);
    const seconds = Number(/Max-Age=(\d+)/u.exec(cookie)?.[1]);
    expect(seconds).toBeGreaterThan(3_600);
    expect(seconds).toBeLessThanOrEqual(12 * 3_600);
    const pair = cookieOf(signedIn);
    for (const path of ['/', '/skills', '/sources', '/api/sources', '/sources/checkout/skills', '/specs', '/changes'])
      for (const replica of [first, second, first]) {
        const { status, body } = await pageWith(replica, path, pair);
        expect.soft([path, status]).toEqual([path, 200]);
        expect.soft(body, path).not.toBe('');
      }
    // The same snapshot gives the same bytes everywhere.
    const twins = await Promise.all([first, second].map((replica) => pageWith(replica, '/api/skills', pair)));
    expect(twins[0]?.body).toBe(twins[1]?.body);
    expect(twins[0]?.headers['lectern-snapshot']).toMatch(/^\d+$/u);
  });

  test('the cookie does not outlive its token', async () => {
    const database = new Database({ url: served.company.database });
    const expiresAt = new Date(Date.now() + 30 * 60_000);
    const token = { name: 'short', team: 'payments', scopes: ['read'] as const, expiresAt };
    const { secret } = await new AdminStore(database, 'operator').addToken(token);
    await database.close();
    await expect.poll(async () => (await signIn(first, secret)).status).toBe(303);
    const [cookie = ''] = (await signIn(first, secret)).headers['set-cookie'] ?? [];
    const seconds = Number(/Max-Age=(\d+)/u.exec(cookie)?.[1]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(30 * 60);
  });

  test('the cookie is valid only for the web interface, not for tools, publishing or metrics', async () => {
    const cookie = cookieOf(await signIn(first, read));
    const json = { 'content-type': 'application/json', cookie };
    const post = (path: string): Promise<Got> => at(first, path, { method: 'POST', headers: json, body: '{}' });
    const publisher = cookieOf(await signIn(first, served.company.tokens.payments.publish));
    expect(publisher).toBe('');
    expect((await post('/mcp')).status).toBe(401);
    expect((await post('/api/sources/payments/skills/history')).status).toBe(401);
    expect((await post('/api/sources/payments/skills')).status).toBe(405);
    expect((await at(first, '/metrics', { headers: { cookie } })).status).toBe(401);
    expect((await at(first, '/api/replicas', { headers: { cookie } })).status).toBe(401);
    const bearer = { authorization: `Bearer ${read}` };
    expect((await at(first, '/api/sources', { headers: bearer })).status).toBe(200);
  });

  test('a wrong token, one without the read permission and a cross-origin form are refused with the reason', async () => {
    const wrong = await signIn(first, 'lct_guess');
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([403, undefined]);
    expect(wrong.body).toContain('The token is unknown, expired or revoked.');
    const publisher = await signIn(first, served.company.tokens.payments.publish);
    expect([publisher.status, publisher.headers['set-cookie']]).toEqual([403, undefined]);
    expect(publisher.body).toContain('The token has no scope read.');
    const elsewhere = await signIn(first, read, { origin: 'https://evil.example' });
    expect([elsewhere.status, elsewhere.headers['set-cookie']]).toEqual([403, undefined]);
    const { host } = new URL(first.url);
    const nowhere = await at(first, '/login', { method: 'POST', headers: { ...FORM, host }, body: `token=${read}` });
    expect([nowhere.status, nowhere.headers['set-cookie']]).toEqual([403, undefined]);
    const injected = await signIn(first, `${read}; Domain=example.com`);
    expect([injected.status, injected.headers['set-cookie']]).toEqual([403, undefined]);
  });

  test('signing out removes the cookie, and refuses cross-origin forms', async () => {
    const { host } = new URL(first.url);
    const out = (origin: string): Promise<Got> =>
      at(first, '/logout', { method: 'POST', headers: { ...FORM, host, origin }, body: '' });
    const signedOut = await out(first.url);
    expect([signedOut.status, signedOut.headers.location]).toEqual([303, '/login']);
    expect(signedOut.headers['set-cookie']).toEqual(['lectern-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
    expect((await out('https://evil.example')).headers['set-cookie']).toBeUndefined();
    expect((await at(first, '/logout', { headers: BROWSER })).status).toBe(405);
  });

  test('revoking a token signs its browsers out on every replica and ends their streams', async () => {
    const { company } = served;
    const { token: secret, id } = await company.run(['token', 'add', 'payments', '--name', 'lost']);
    const cookies = await Promise.all(
      [first, second].map(async (replica) => {
        await expect.poll(async () => (await signIn(replica, secret)).status).toBe(303);
        return cookieOf(await signIn(replica, secret));
      }),
    );
    const [cookie = ''] = cookies;
    const stream = await fetch(`${first.url}/api/events`, { headers: { cookie } });
    const ended = stream.text();
    await company.run(['token', 'revoke', String(id)]);
    for (const replica of [first, second]) {
      await expect.poll(async () => (await pageWith(replica, '/skills', cookie)).status).toBe(303);
      expect((await at(replica, '/api/skills', { headers: { cookie } })).status).toBe(401);
      const form = await pageWith(replica, '/login', cookie);
      expect([form.status, form.body.includes('The token is unknown, expired or revoked.')]).toEqual([200, true]);
    }
    expect(await ended).toMatch(/^event: here\n[^]*event: ended\n/u);
  });

  test('open pages are notified only of changes that their caller can see', async () => {
    const { company } = served;
    const cookie = cookieOf(await signIn(first, company.tokens.checkout.read));
    const stream = await fetch(`${first.url}/api/events`, { headers: { cookie } });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    void (async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) heard += part.value;
    })();
    await expect.poll(() => heard).toContain('event: here');
    // Checkout cannot read the sources of payments.
    await company.publish(first.url, 'payments', { 'skills/hidden/SKILL.md': skillText({ name: 'hidden' }) });
    const seen = await pageWith(first, '/', cookie);
    await company.publish(first.url, 'checkout', { 'skills/seen/SKILL.md': skillText({ name: 'seen' }) });
    await expect.poll(() => heard).toContain('event: changed');
    expect(heard.match(/event: changed/gu)).toHaveLength(1);
    const [, before] = /data-snapshot="([^"]*)"/u.exec(seen.body) ?? [];
    const [here, changed] = [...heard.matchAll(/"snapshot":"([^"]*)"/gu)].map(([, stamp]) => stamp);
    expect(here).toBe(before);
    expect(changed).not.toBe(before);
    await reader?.cancel();
  });

  test('requests are logged and counted by route, without tokens, cookies or names', async () => {
    const cookie = cookieOf(await signIn(first, read));
    await pageWith(first, '/sources/checkout/skills?x=secret-word', cookie);
    await pageWith(first, '/no/such/place', cookie);
    const lines = (): Told[] =>
      first
        .log()
        .split('\n')
        .filter((line) => line.includes('"request"'))
        .map((line) => JSON.parse(line));
    await expect.poll(() => lines().at(-1)?.path).toBe('');
    expect(lines().at(-2)).toMatchObject({
      verb: 'GET',
      path: '/sources/:team/:name',
      status: 200,
      snapshot: expect.any(Number),
    });
    for (const secret of [read, 'secret-word', 'no/such/place', 'lectern-token'])
      expect.soft(first.log()).not.toContain(secret);
    const { body } = await at(first, '/metrics', { headers: { authorization: `Bearer ${read}` } });
    expect(body).toContain('lectern_requests_total{path="/sources/:team/:name",status="200"}');
    expect(body).not.toMatch(/checkout|no\/such/u);
    expect(first.log()).toContain(`the page is at ${first.url}/`);
  });
});

test.skipIf(!hasPostgres)(
  'behind TLS the cookie is secure, and forms from the public address are accepted',
  async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'), [
      '--public-url',
      'https://skills.example.com/',
    ]);
    // The proxy uses another host name for the replica.
    const signedIn = await signIn(replica, shop.tokens.payments.read, { origin: 'https://skills.example.com' });
    expect(signedIn.headers['set-cookie']?.[0]).toMatch(
      /^__Host-lectern=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/u,
    );
    const page = await pageWith(replica, '/', cookieOf(signedIn));
    expect(page.body).toContain('lectern setup claude --url https://skills.example.com --write');
  },
);

test.skipIf(!hasPostgres)(
  'an access token of the authorization server signs in, if it fits into a cookie',
  async () => {
    await using server = await startAuthorizationServer('https://skills.example.com');
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'), [
      '--public-url',
      'https://skills.example.com',
      '--oauth-issuer',
      server.issuer,
    ]);
    const good = await signIn(replica, await server.token({ groups: ['payments', 'checkout'] }));
    expect(good.headers['set-cookie']?.[0]).toMatch(/Max-Age=3[56]\d\d;/u);
    const page = await pageWith(replica, '/sources', cookieOf(good));
    expect([page.status, page.body.includes('payments and checkout')]).toEqual([200, true]);
    // Callers whose groups no longer map to teams must use another token.
    const nobody = await server.token({ groups: ['nobody'] });
    const left = await pageWith(replica, '/sources', `__Host-lectern=${nobody}`);
    expect([left.status, left.headers.location]).toEqual([303, '/login?to=%2Fsources']);
    const reasons = {
      'None of the groups in the token is a team of this catalog.': nobody,
      'The token has no scope read.': await server.token({ groups: ['payments'], scope: 'publish' }),
      'The token has expired.': await server.token({ groups: ['payments'], exp: 1_000 }),
      'The token is too long for a browser cookie.': await server.token({
        groups: ['payments'],
        more: 'x'.repeat(4_000),
      }),
    };
    for (const [reason, token] of Object.entries(reasons)) {
      const refused = await signIn(replica, token);
      expect.soft([reason, refused.status, refused.headers['set-cookie']]).toEqual([reason, 403, undefined]);
      expect.soft(refused.body).toContain(reason);
    }
  },
);

describe.skipIf(!hasOwnPostgres)('while the database is down', () => {
  test('pages show a warning, signing in works, and only the history is unavailable', async () => {
    await using server = await startPostgres();
    await using served = await serveCatalog(server);
    const [replica] = served.replicas as [Replica];
    const { read } = served.company.tokens.payments;
    const before = await pageWith(replica, '/sources/payments/skills', cookieOf(await signIn(replica, read)));
    expect(before.body).toContain('Version ');
    expect(before.body).not.toContain('Last confirmed by the database');
    await server.kill();
    const cookie = cookieOf(await signIn(replica, read));
    await expect
      .poll(async () => (await pageWith(replica, '/skills', cookie)).body)
      .toContain('Last confirmed by the database a moment ago: the database does not answer.');
    for (const path of ['/', '/skills', '/sources', '/specs', '/changes', '/search?q=customer', '/api/sources'])
      expect.soft([path, (await pageWith(replica, path, cookie)).status]).toEqual([path, 200]);
    const source = await pageWith(replica, '/sources/payments/skills', cookie);
    expect(source.status).toBe(200);
    expect(source.body).toContain('The history is unavailable');
    expect(source.body).toContain('<dd>payments/publish</dd>');
    const twin = JSON.parse((await pageWith(replica, '/api/sources/payments/skills', cookie)).body);
    expect(twin).toMatchObject({
      source: 'payments/skills',
      versions: [],
      unreadable: true,
      published: { commit: 'abc123' },
    });
    expect((await pageWith(replica, '/sources/secret/plans', cookie)).status).toBe(404);
  });

  test('a replica that starts without the database still shows the publisher of each source', async () => {
    await using server = await startPostgres();
    await using served = await serveCatalog(server);
    const { company, replicas } = served;
    await replicas[0]?.kill('SIGKILL');
    await server.kill();
    await using replica = await startReplica(company.database, company.folder.at('cache-0'));
    const cookie = cookieOf(await signIn(replica, company.tokens.payments.read));
    const { sources } = JSON.parse((await pageWith(replica, '/api/sources', cookie)).body) as Told;
    expect(sources[0]).toMatchObject({
      source: 'payments/skills',
      published: { actor: 'payments/publish', commit: 'abc123' },
    });
  });
});
