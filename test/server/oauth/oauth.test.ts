import { createHmac } from 'node:crypto';
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.ts';
import { companyOn, type Company } from '../../support/company.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { callTool, type Replica, startReplica, type Told } from '../../support/replica.ts';
import { lectern } from '../../support/run-lectern.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PUBLIC = 'https://skills.example.com';
const skill = (name: string): string => `---\nname: ${name}\ndescription: About ${name}.\n---\n\nText of ${name}.\n`;

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

interface Open extends AsyncDisposable {
  shop: Company;
  server: AuthorizationServer;
  replicas: [Replica, Replica];
}

const flagsFor = ({ issuer }: AuthorizationServer): string[] => ['--public-url', PUBLIC, '--oauth-issuer', issuer];

/** Two teams with a skill each, two replicas, and an authorization server that both know. */
async function open(flags: readonly string[] = []): Promise<Open> {
  const server = await startAuthorizationServer(PUBLIC);
  const shop = await companyOn(postgres);
  const start = (cache: string): Promise<Replica> =>
    startReplica(shop.database, shop.folder.at(cache), [...flagsFor(server), ...flags]);
  const replicas: [Replica, Replica] = [await start('cache-1'), await start('cache-2')];
  await shop.publish(replicas[0].url, 'payments', { 'skills/refund/SKILL.md': skill('refund') });
  await shop.publish(replicas[0].url, 'checkout', { 'skills/basket/SKILL.md': skill('basket') });
  return {
    shop,
    server,
    replicas,
    async [Symbol.asyncDispose]() {
      for (const replica of replicas) await replica[Symbol.asyncDispose]();
      shop[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function namesFor(replica: Replica, token: string): Promise<string[] | number> {
  const { status, body } = await callTool(replica.url, token, 'skills_list');
  return status === 200 ? body.result.structuredContent.skills.map(({ name }: Told) => name).sort() : status;
}

/** A request without or with a bad token, as a client sees the refusal. */
async function refusal(url: string, token?: string): Promise<{ status: number; challenge: string; message: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: '{}',
  });
  const { error } = (await response.json()) as Told;
  return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '', message: error.message };
}

const METADATA = `resource_metadata="${PUBLIC}/.well-known/oauth-protected-resource`;

describe.skipIf(!hasPostgres)('with an authorization server', () => {
  test('its tokens count beside those of the catalog, with groups as teams and with their scopes', async () => {
    await using opened = await open();
    const { shop, server, replicas } = opened;
    await shop.run(['team', 'add', 'guests']);
    const seen = async (claims: JWTPayload): Promise<unknown[]> => {
      const token = await server.token(claims);
      return Promise.all(replicas.map((replica) => namesFor(replica, token)));
    };
    const both = (value: unknown): unknown[] => [value, value];
    for (const replica of replicas) {
      await expect.poll(() => namesFor(replica, shop.tokens.payments.read)).toEqual(['refund']);
      await expect.poll(async () => namesFor(replica, await server.token({ groups: ['guests'] }))).toEqual([]);
    }
    expect(await seen({ groups: ['payments'] })).toEqual(both(['refund']));
    // The next token of the same person has other groups.
    expect(await seen({ groups: ['checkout'] })).toEqual(both(['basket']));
    expect(await seen({ groups: ['payments', 'checkout', 'everybody-else'] })).toEqual(both(['basket', 'refund']));
    expect(await seen({ groups: 'payments' })).toEqual(both(['refund']));
    for (const groups of [
      ['Payments', 'paymentsx', '*', '', 'payments/skills'],
      [],
      undefined,
      { payments: true },
      [[]],
    ])
      expect(await seen({ groups })).toEqual(both(403));
    const [one] = replicas;
    const outsider = await refusal(`${one.url}/mcp`, await server.token({ groups: ['others'] }));
    expect(outsider).toEqual({ status: 403, challenge: '', message: expect.stringContaining('is a team') });
    // What a token may do is in its scope, or in `scp`.
    for (const scope of ['', 'readx', 'READ', 'publish', undefined, ['read', 'x'].join(',')])
      expect(await seen({ groups: ['payments'], scope })).toEqual(both(403));
    expect(await seen({ groups: ['payments'], scope: undefined, scp: ['read'] })).toEqual(both(['refund']));
    expect(await seen({ groups: ['payments'], scope: 'openid read email' })).toEqual(both(['refund']));
    expect(await refusal(`${one.url}/mcp`, await server.token({ groups: ['payments'], scope: 'x' }))).toMatchObject({
      status: 403,
      challenge: `Bearer realm="lectern", error="insufficient_scope", scope="read", ${METADATA}/mcp"`,
    });
  });

  test('publishing requires the publish scope, and the history names the publisher', async () => {
    await using opened = await open();
    const { shop, server, replicas } = opened;
    const [{ url }] = replicas;
    shop.folder.write({ 'mine/skills/charge/SKILL.md': skill('charge') });
    const publish = async (source: string, claims: JWTPayload): Promise<Told> =>
      shop.run(['publish', shop.folder.at('mine'), '--to', url, '--source', source], {
        LECTERN_PUBLISH_TOKEN: await server.token({ groups: ['payments'], ...claims }),
      });
    expect(await publish('payments/skills', { scope: 'read' })).toMatchObject({ code: 2, error: { code: 'REFUSED' } });
    expect(await publish('checkout/skills', { scope: 'publish' })).toMatchObject({ error: { code: 'NOT_FOUND' } });
    // Nobody is an administrator because an authorization server says so.
    expect(await publish('checkout/skills', { scope: 'publish admin' })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
    const subject = 'idp|ada\u0000\u001b[31m';
    expect(await publish('payments/skills', { scope: 'publish', sub: subject })).toMatchObject({
      outcome: 'published',
    });
    const { versions } = await shop.run(['history', 'payments/skills', '--to', url], {
      LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish,
    });
    expect(versions[0].actor).toMatch(/^oauth:idp\|ada[\u0021-\u007e]+$/u);
  });

  test('prefixes select groups and scopes', async () => {
    await using opened = await open(
      '--oauth-groups-claim https://example.com/groups --oauth-group-prefix /skills/ --oauth-scope-prefix lectern:'.split(
        ' ',
      ),
    );
    const { server, replicas } = opened;
    const [one] = replicas;
    const seen = async (groups: string[], scope: string): Promise<string[] | number> =>
      namesFor(one, await server.token({ 'https://example.com/groups': groups, groups: ['checkout'], scope }));
    expect(await seen(['/skills/payments', 'checkout'], 'lectern:read')).toEqual(['refund']);
    expect(await seen(['payments'], 'lectern:read')).toBe(403);
    expect(await seen(['/skills/payments'], 'read')).toBe(403);
    expect((await refusal(`${one.url}/mcp`)).challenge).toContain('scope="lectern:read"');
  });

  test('a token that is forged, expired, not yet valid, or of another audience or issuer gives no access', async () => {
    await using opened = await open();
    const { server, replicas } = opened;
    const [one] = replicas;
    const now = Math.floor(Date.now() / 1_000);
    const good: JWTPayload = { groups: ['payments'] };
    expect(await namesFor(one, await server.token(good))).toEqual(['refund']);
    const token = await server.token(good);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
    const [{ kid, jwk }] = server.keys as [(typeof server.keys)[number]];
    const signedWith = (secret: string | Buffer): string => {
      const text = `${encode({ alg: 'HS256', kid })}.${payload}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    await using stranger = await startAuthorizationServer(PUBLIC);
    const forged: Record<string, string> = {
      'other claims': `${header}.${encode({ ...claims, groups: ['payments', 'checkout'] })}.${signature}`,
      'no signature': `${header}.${payload}.`,
      'alg none': `${encode({ alg: 'none' })}.${payload}.`,
      'alg None': `${encode({ alg: 'None', kid })}.${payload}.${signature}`,
      'the public key as a secret': signedWith(JSON.stringify(jwk)),
      'the coordinates of the key as a secret': signedWith(Buffer.from(`${jwk.x}${jwk.y}`)),
      'a key of its own': await server.token(good, { key: stranger.keys[0]?.privateKey as never }),
      'a key in the header': await stranger.token(
        { ...good, iss: server.issuer },
        { header: { jwk: stranger.keys[0]?.jwk, kid } },
      ),
      'an address of keys in the header': await stranger.token(
        { ...good, iss: server.issuer },
        { header: { jku: `${stranger.issuer}/jwks` } },
      ),
      'something critical': await server.token(good, { header: { crit: ['b64'], b64: false } }).catch(() => 'a.b.c'),
      'an empty signature of another kind': `${encode({ alg: 'ES384', kid })}.${payload}.${signature}`,
      garbage: 'a.b.c',
      dots: '...',
      'one dot': '.',
      encrypted: 'a.b.c.d.e',
      bytes: `${Buffer.from([0, 255, 254]).toString('base64url')}.${payload}.${signature}`,
    };
    for (const [what, bad] of Object.entries(forged))
      expect([what, await refusal(`${one.url}/mcp`, bad)]).toEqual([
        what,
        {
          status: 401,
          challenge: expect.stringContaining('error="invalid_token"'),
          message: 'The token is not valid.',
        },
      ]);
    for (const [wrong, said] of [
      [{ exp: now - 3_600 }, 'has expired'],
      [{ exp: undefined }, 'claim exp'],
      [{ exp: 'tomorrow' as never }, 'claim exp'],
      [{ nbf: now + 3_600 }, 'claim nbf'],
      [{ aud: 'https://other.example.com' }, 'claim aud'],
      [{ aud: `${PUBLIC}.evil.com` }, 'claim aud'],
      [{ aud: `${PUBLIC}/mcp/other` }, 'claim aud'],
      [{ aud: [] }, 'claim aud'],
      [{ aud: undefined }, 'claim aud'],
      [{ iss: 'https://other.example.com' }, 'claim iss'],
      [{ iss: `${server.issuer}/` }, 'claim iss'],
      [{ iss: undefined }, 'claim iss'],
      [{ sub: undefined }, 'claim sub'],
    ] as const)
      expect(await refusal(`${one.url}/mcp`, await server.token({ ...good, ...wrong } as JWTPayload))).toMatchObject({
        status: 401,
        challenge: expect.stringContaining(`${METADATA}/mcp"`),
        message: expect.stringContaining(said),
      });
    // A clock that is a little off, and the other names of this catalog.
    for (const fine of [
      { nbf: now + 20 },
      { aud: [`${PUBLIC}/`, 'https://other.example.com'] },
      { aud: `${PUBLIC}/mcp` },
    ])
      expect(await namesFor(one, await server.token({ ...good, ...fine }))).toEqual(['refund']);
    const huge = await server.token({ ...good, groups: Array.from({ length: 2_000 }, (_, index) => `group-${index}`) });
    expect(
      await fetch(`${one.url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${huge}` } }),
    ).toMatchObject({ status: 431 });
    expect(await namesFor(one, token)).toEqual(['refund']);
    for (const secret of [payload, signature, header, ...Object.values(forged).filter(({ length }) => length > 10)])
      expect(one.log()).not.toContain(secret);
    expect(one.log()).not.toContain('internal error');
  });

  test('key rotation and downtime do not affect valid tokens', async () => {
    await using opened = await open();
    const { server, replicas, shop } = opened;
    const [one, two] = replicas;
    const first = await server.token({ groups: ['payments'] });
    expect(await namesFor(one, first)).toEqual(['refund']);
    await server.rotate();
    const second = await server.token({ groups: ['payments'] });
    expect(await namesFor(one, second)).toEqual(['refund']);
    expect(await namesFor(one, first)).toBe(401);
    const before = server.asked('/jwks');
    const unknown = await server.token({ groups: ['payments'] }, { header: { kid: 'unknown' } });
    for (let time = 0; time < 20; time++) expect(await namesFor(one, unknown)).toBe(401);
    expect(server.asked('/jwks')).toBe(before);
    server.isDown = true;
    expect(await namesFor(one, second)).toEqual(['refund']);
    expect(await namesFor(two, first)).toEqual(['refund']);
    // The other replica has not seen the new key yet, and cannot ask: that is not the caller's fault.
    expect(await namesFor(two, second)).toBe(503);
    expect(await namesFor(two, shop.tokens.payments.read)).toEqual(['refund']);
    // One that starts now serves the tokens of the catalog, and those of the server as soon as it is back.
    await two.kill('SIGTERM');
    await using again = await startReplica(shop.database, shop.folder.at('cache-2'), flagsFor(server));
    expect(await namesFor(again, shop.tokens.payments.read)).toEqual(['refund']);
    expect(await namesFor(again, second)).toBe(503);
    server.isDown = false;
    await expect.poll(() => namesFor(again, second)).toEqual(['refund']);
    expect(again.log()).toContain(`the keys of ${server.issuer} cannot be read`);
  });

  test('every refusal leads to the metadata, which pages of any origin may read', async () => {
    await using opened = await open();
    const { server, replicas } = opened;
    const [{ url }] = replicas;
    expect(await refusal(`${url}/mcp`)).toEqual({
      status: 401,
      challenge: `Bearer realm="lectern", scope="read", ${METADATA}/mcp"`,
      message: 'A bearer token is required.',
    });
    expect((await refusal(`${url}/mcp`, 'lct_forged')).challenge).toBe(
      `Bearer realm="lectern", error="invalid_token", scope="read", ${METADATA}/mcp"`,
    );
    expect((await refusal(`${url}/api/sources/payments/skills/check`)).challenge).toBe(
      `Bearer realm="lectern", scope="publish", ${METADATA}"`,
    );
    for (const [path, resource] of [
      ['', `${PUBLIC}/`],
      ['/mcp', `${PUBLIC}/mcp`],
    ]) {
      const place = `${url}/.well-known/oauth-protected-resource${path}`;
      const answer = await fetch(place, { headers: { origin: 'https://page.example.com' } });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(await answer.json()).toEqual({
        resource,
        authorization_servers: [server.issuer],
        scopes_supported: ['read'],
        resource_name: 'lectern',
      });
      const preflight = await fetch(place, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://page.example.com',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'mcp-protocol-version',
        },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
        204,
        'mcp-protocol-version',
      ]);
      expect((await fetch(place, { method: 'POST', body: '' })).status).toBe(405);
    }
    // Only these documents: the rest is not for pages.
    const page = await fetch(`${url}/mcp`, { method: 'OPTIONS', headers: { origin: 'https://page.example.com' } });
    expect(page.status).toBe(403);
  });
});

/** What the proxy in front of the replicas does: the public address leads to each of them in turn. */
function throughTheProxy(replicas: readonly Replica[]): typeof fetch {
  let turn = 0;
  return (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const { url: replica = '' } = replicas[turn++ % replicas.length] ?? {};
    return fetch(url.startsWith(`${PUBLIC}/`) ? url.replace(PUBLIC, replica) : url, init);
  };
}

describe.skipIf(!hasPostgres)('a client that knows only the address', () => {
  test('finds the authorization server by itself, and calls tools with its token', async () => {
    await using opened = await open();
    const { server, replicas } = opened;
    server.groups.set('ci', ['payments']);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${PUBLIC}/mcp`), {
        fetch: throughTheProxy(replicas),
        authProvider: new ClientCredentialsProvider({
          clientId: 'ci',
          clientSecret: 'ic',
          expectedIssuer: server.issuer,
        }),
      }),
    );
    const answer = await client.callTool({ name: 'skill', arguments: { name: 'refund' } });
    expect(JSON.stringify(answer)).toContain('Text of refund.');
    await client.close();
    expect(server.asked('/token')).toBe(1);
  });

  test('lets a user sign in, and calls tools with that user’s access', async () => {
    await using opened = await open();
    const { server, replicas } = opened;
    server.groups.set('registered', ['checkout']);
    const kept: Record<string, Told> = {};
    let asked: URL | undefined;
    const transport = new StreamableHTTPClientTransport(new URL(`${PUBLIC}/mcp`), {
      fetch: throughTheProxy(replicas),
      authProvider: {
        redirectUrl: 'http://127.0.0.1:1/back',
        clientMetadata: { redirect_uris: ['http://127.0.0.1:1/back'], client_name: 'test' },
        clientInformation: () => kept['client'],
        saveClientInformation: (client) => void (kept['client'] = client),
        tokens: () => kept['tokens'],
        saveTokens: (tokens) => void (kept['tokens'] = tokens),
        redirectToAuthorization: (url) => void (asked = url),
        saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
        codeVerifier: () => kept['verifier'],
        discoveryState: () => kept['discovery'],
        saveDiscoveryState: (state) => void (kept['discovery'] = state),
      },
    });
    await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow('Unauthorized');
    expect(asked?.searchParams.get('resource')).toBe(`${PUBLIC}/mcp`);
    expect(asked?.searchParams.get('scope')).toBe('read');
    const back = await fetch(asked as URL, { redirect: 'manual' });
    await transport.finishAuth(new URL(back.headers.get('location') ?? '').searchParams);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${PUBLIC}/mcp`), {
        fetch: throughTheProxy(replicas),
        requestInit: { headers: { authorization: `Bearer ${kept['tokens'].access_token}` } },
      }),
    );
    const answer = await client.callTool({ name: 'skills_list', arguments: {} });
    expect(JSON.stringify(answer)).toContain('basket');
    expect(JSON.stringify(answer)).not.toContain('refund');
    await client.close();
  });
});

test('unsafe OAuth settings are refused at startup', async () => {
  using folder = tempFolder();
  const serve = async (...flags: string[]): Promise<Told> => {
    const { code, stdout } = await lectern(folder, ['serve', '--json', '--port', '0', ...flags], {
      env: { LECTERN_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    });
    return { exit: code, ...JSON.parse(stdout).error };
  };
  const issuer = ['--oauth-issuer', 'https://login.example.com'];
  for (const [flags, said] of [
    [issuer, '--public-url'],
    [[...issuer, '--public-url', 'http://skills.example.com'], '--public-url must be an https address'],
    [['--oauth-issuer', 'http://login.example.com', '--public-url', PUBLIC], '--oauth-issuer must be an https address'],
    [['--oauth-issuer', 'login.example.com', '--public-url', PUBLIC], '--oauth-issuer must be an https address'],
    [[...issuer, '--public-url', PUBLIC, '--oauth-jwks-url', 'http://a.example.com/'], '--oauth-jwks-url must be'],
    [['--oauth-jwks-url', 'https://a.example.com/'], '--oauth-jwks-url needs --oauth-issuer'],
  ] as const)
    expect(await serve(...flags)).toMatchObject({ exit: 2, code: 'USAGE', message: expect.stringContaining(said) });
});
