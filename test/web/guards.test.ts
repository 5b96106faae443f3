/** Access to the web interface and the headers of every reply, tested with raw requests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { BOOKSHOP, BROWSER, type Got, ofFolder, send, serve, type Served } from './served.ts';

const PAGES = [
  '/',
  '/skills',
  '/skills/agents:release-notes',
  '/skills/agents:release-notes/file?path=SKILL.md',
  '/agents',
  '/agents?show=all',
  '/agents/claude',
  '/agents/claude/fit',
  '/agents/claude/context',
  '/agents/claude/why?skill=release-notes',
  '/specs',
  '/specs?view=map',
  '/specs/checkout',
  '/changes',
  '/changes/add-wish-list',
  '/changes/add-wish-list/after',
  '/changes/compare?a=add-wish-list&b=faster-checkout',
  '/problems',
  '/search?q=stock',
  '/nowhere',
  '/login',
];
const TWINS = [
  '/api/overview',
  '/api/skills',
  '/api/skill?name=agents:release-notes',
  '/api/skill-file?name=agents:release-notes',
  '/api/agents',
  '/api/agents/claude',
  '/api/agents/claude/context',
  '/api/agents/claude/fit',
  '/api/why?name=release-notes',
  '/api/specs',
  '/api/specs?view=map',
  '/api/changes',
  '/api/problems',
  '/api/search?q=stock',
];

describe('the web interface of the example', () => {
  let served: Served;
  let assets: string[];
  beforeAll(async () => {
    served = await serve(BOOKSHOP);
    const { body } = await send(served, '/', { headers: BROWSER });
    assets = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/gu)].map(([, path = '']) => path);
  });
  afterAll(() => served?.stop());

  test('every reply forbids foreign scripts and frames, type sniffing and caching', async () => {
    expect(assets).toHaveLength(3);
    for (const path of [...PAGES, ...TWINS, ...assets]) {
      const { headers, status } = await send(served, path, { headers: BROWSER });
      expect.soft(status, path).toBe(path === '/nowhere' ? 404 : 200);
      expect.soft(headers, path).toMatchObject({
        'x-content-type-options': 'nosniff',
        // Browsers send the origin of a form only if the page allows a referrer, at least to the same origin.
        'referrer-policy': path === '/login' ? 'same-origin' : 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control':
          assets.includes(path) && !path.endsWith('.svg') ? expect.stringContaining('immutable') : expect.anything(),
      });
      const policy = String(headers['content-security-policy']);
      expect.soft(policy, path).toContain("default-src 'none'");
      expect.soft(policy, path).toContain("frame-ancestors 'none'");
      expect.soft(policy, path).not.toContain('unsafe');
      expect.soft(headers['access-control-allow-origin'], path).toBeUndefined();
      if (!path.startsWith('/assets/')) expect.soft(headers['cache-control'], path).toBe('no-store');
    }
  });

  test('a foreign Host or Origin is refused at every address', async () => {
    for (const path of [...PAGES, ...TWINS, ...assets, '/api/events', '/mcp', '/healthz']) {
      const host = await send(served, path, { headers: { ...BROWSER, host: 'evil.example' } });
      const origin = await send(served, path, { headers: { ...BROWSER, origin: 'https://evil.example' } });
      expect.soft([path, host.status, origin.status]).toEqual([path, 403, 403]);
      expect.soft(origin.headers['access-control-allow-origin'], path).toBeUndefined();
    }
  });

  test('pages are read-only: every other method is refused', async () => {
    for (const path of [...PAGES.filter((page) => page !== '/nowhere' && page !== '/login'), ...TWINS, '/api/events'])
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const { status, headers } = await send(served, path, { method });
        const allowed = path === '/api/events' ? 'GET' : 'GET, HEAD';
        expect.soft([path, method, status, headers.allow]).toEqual([path, method, 405, allowed]);
      }
  });

  test('HEAD has the headers of GET and no body', async () => {
    const { status, headers, body } = await send(served, '/', { method: 'HEAD' });
    expect([status, headers['content-type'], body]).toEqual([200, 'text/html; charset=utf-8', '']);
  });

  test.each([
    ['/skills/..%2f..%2fetc%2fpasswd', 404],
    ['/skills/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/skills/agents:release-notes/file?path=..%2f..%2f..%2fREADME.md', 404],
    ['/skills/agents:release-notes/file?path=..%252f..%252fREADME.md', 404],
    ['/skills/agents:release-notes/file?path=%2Fetc%2Fpasswd', 404],
    ['/skills/agents:release-notes/file?path=references\\..\\..\\x', 404],
    ['/skills/agents:release-notes/file?path=references/template.md%00.png', 404],
    ['/skills/agents:release-notes/file?path=references/template.md.', 404],
    ['/skills/agents:release-notes/file?path=references;/../template.md', 404],
    ['/skills/agents:release-notes/file?path=references/template.md?raw??', 404],
    ['/skills/agents:release-notes?copy=%2Fetc', 200],
    ['/skills/x/file?copy=%2Fetc&path=passwd', 404],
    ['/skills/__proto__', 404],
    ['/skills/constructor', 404],
    ['/agents/__proto__', 404],
    ['/specs/..%2f..%2fREADME', 404],
    ['/specs/%2e%2e', 404],
    ['/changes/..%2farchive', 404],
    ['/changes/__proto__', 404],
    ['/assets/..%2fpackage.json', 404],
    ['/skills/%', 404],
    ['/skills/%00', 404],
  ])('%s leads to no other file', async (path, expected) => {
    const { status, body } = await send(served, path, { headers: BROWSER });
    expect(status).toBe(expected);
    expect(body).not.toMatch(/root:x:0|"devDependencies"/u);
  });

  test('a twin contains the --json output of the operation', async () => {
    using folder = tempFolder();
    const cli = async (...args: string[]): Promise<object> => {
      const run = await lectern(folder, [...args, '--json', ...BOOKSHOP.slice(1)], { cwd: process.cwd() });
      return JSON.parse(run.stdout);
    };
    const twin = async (path: string): Promise<unknown> => JSON.parse((await send(served, path)).body);
    expect(await twin('/api/skill?name=agents:release-notes')).toMatchObject(await cli('show', 'agents:release-notes'));
    expect(await twin('/api/why?name=release-notes')).toMatchObject(await cli('why', 'release-notes'));
    expect(await twin('/api/agents')).toEqual(await cli('agents', '--matrix', '--by', 'pattern'));
    expect(await twin('/api/specs?view=map')).toEqual(await cli('spec', 'list', '--map'));
    expect(await twin('/api/agents/codex/fit')).toMatchObject(await cli('fit', 'codex'));
    expect(await twin('/api/agents?show=all')).toMatchObject(await cli('agents', '--matrix', '--by', 'skill'));
    expect(await twin('/api/agents/codex')).toMatchObject(await cli('agents', 'codex', '--limit', '100'));
    expect(await twin('/api/specs')).toMatchObject(await cli('spec', 'list'));
    expect(await twin('/api/skills')).toMatchObject(await cli('list', '--all', '--agents', '--limit', '100'));
  });

  test('errors of a twin equal those of --json, and similar names are links on the page', async () => {
    const twin = await send(served, '/api/skill?name=relaese-notes');
    expect([twin.status, JSON.parse(twin.body)]).toMatchObject([
      404,
      { error: { code: 'NOT_FOUND', suggestions: expect.arrayContaining(['release-notes']) } },
    ]);
    const page = await send(served, '/skills/relaese-notes', { headers: BROWSER });
    expect(page.body).toContain('href="/skills/release-notes"');
    expect((await send(served, '/api/agents?show=nonsense')).status).toBe(400);
    expect((await send(served, '/api/nowhere')).status).toBe(404);
    expect(JSON.parse((await send(served, '/api/nowhere')).body)).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  test('MCP is available on the same server', async () => {
    const { status } = await send(served, '/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }),
    });
    expect(status).toBe(200);
  });

  test.each(['/api/nope', '/nowhere', '/api/skill?name=none', '/assets/none.js', '/mcp/none'])(
    'the refusal of %s has the headers of the policy',
    async (path) => {
      const { status, headers } = await send(served, path);
      expect(status).toBe(404);
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/u);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    },
  );

  test('replies, the script and the styles stay small', async () => {
    const { gzipSync } = await import('node:zlib');
    for (const path of [...PAGES, ...TWINS])
      expect.soft((await send(served, path, { headers: BROWSER })).body.length, path).toBeLessThan(150_000);
    const size = async (extension: string): Promise<number> =>
      gzipSync((await send(served, assets.find((path) => path.endsWith(extension)) ?? '')).body).length;
    expect(await size('.js')).toBeLessThan(9 * 1024);
    expect(await size('.css')).toBeLessThan(10 * 1024);
  });
});

test('lectern mcp --transport http serves the same pages', async () => {
  const served = await serve(['mcp', '--transport', 'http', ...BOOKSHOP.slice(1)]);
  try {
    expect((await send(served, '/', { headers: BROWSER })).body).toContain('12 skills');
    expect(served.log()).toContain(`at ${served.url}/mcp`);
  } finally {
    await served.stop();
  }
});

describe('with a token', () => {
  let served: Served;
  let folder: TempFolder;
  beforeAll(async () => {
    folder = tempFolder({ 'project/.claude/skills/secret-plan/SKILL.md': skillText({ name: 'secret-plan' }) });
    served = await serve(ofFolder(folder), { LECTERN_TOKEN: 's3cret-token' });
  });
  afterAll(async () => {
    await served?.stop();
    folder?.[Symbol.dispose]();
  });

  const signInAt = (at: Served, token: string, headers: Record<string, string> = {}): Promise<Got> =>
    send(at, '/login', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: at.url,
        host: new URL(at.url).host,
        ...headers,
      },
      body: new URLSearchParams({ token, to: '/skills?q=plan' }).toString(),
    });
  const signIn = (token: string, headers: Record<string, string> = {}): Promise<Got> =>
    signInAt(served, token, headers);
  /** Another server of the same project, which has counted no wrong tokens yet. */
  const own = async () => {
    const other = await serve(ofFolder(folder), { LECTERN_TOKEN: 's3cret-token' });
    return {
      served: other,
      signIn: (token: string) => signInAt(other, token),
      [Symbol.asyncDispose]: () => other.stop(),
    };
  };

  test('without it, a browser is sent to sign in and programs get 401', async () => {
    const page = await send(served, '/skills?q=plan', { headers: BROWSER });
    expect([page.status, page.headers.location]).toEqual([303, '/login?to=%2Fskills%3Fq%3Dplan']);
    for (const path of ['/', '/skills', '/api/skills', '/api/events', '/nowhere']) {
      const { status, body } = await send(served, path);
      expect.soft([path, status]).toEqual([path, path === '/nowhere' ? 404 : 401]);
      expect.soft(body).not.toContain('secret-plan');
    }
    const form = await send(served, '/login', { headers: BROWSER });
    expect(form.status).toBe(200);
    expect(form.body).not.toMatch(/secret-plan|lectern-test/u);
  });

  test('the right token sets a cookie that scripts cannot read, and returns to the requested page', async () => {
    const right = await signIn('s3cret-token');
    expect([right.status, right.headers.location]).toEqual([303, '/skills?q=plan']);
    const [cookie = ''] = right.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/u);
    expect(cookie).not.toContain('s3cret-token');
    const [pair = ''] = cookie.split(';');
    const page = await send(served, '/skills', { headers: { ...BROWSER, cookie: pair } });
    expect([page.status, page.body.includes('secret-plan')]).toEqual([200, true]);
    expect((await send(served, '/api/skills', { headers: { cookie: pair } })).status).toBe(200);
    // The cookie is valid only for the web interface.
    const mcp = { 'content-type': 'application/json', cookie: pair };
    expect((await send(served, '/mcp', { method: 'POST', headers: mcp, body: '{}' })).status).toBe(401);
    const forged = pair.replace(/=(\d+)\./u, '=1.');
    expect((await send(served, '/api/skills', { headers: { cookie: forged } })).status).toBe(401);
  });

  test('a program may send the token itself', async () => {
    const { status } = await send(served, '/api/skills', { headers: { authorization: 'Bearer s3cret-token' } });
    expect(status).toBe(200);
  });

  test('a wrong token, a foreign origin, a missing origin and a long body are refused', async () => {
    const wrong = await signIn('guess');
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([403, undefined]);
    expect(wrong.body).toContain('That is not the token of this server.');
    expect((await signIn('s3cret-token', { origin: 'https://evil.example' })).status).toBe(403);
    const noOrigin = await send(served, '/login', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'token=s3cret-token',
    });
    expect([noOrigin.status, noOrigin.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await signIn('x'.repeat(5_000))).status).toBe(413);
    const json = await send(served, '/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: served.url },
      body: '{}',
    });
    expect(json.status).toBe(415);
  });

  test('signing in never redirects to another server', async () => {
    for (const to of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
      const reply = await send(served, '/login', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: served.url,
          host: new URL(served.url).host,
        },
        body: new URLSearchParams({ token: 's3cret-token', to }).toString(),
      });
      expect.soft([to, reply.headers.location]).toEqual([to, '/']);
    }
  });

  test('after ten wrong tokens the form requires a wait, and then accepts the right one', async () => {
    await using another = await own();
    const answers: Got[] = [];
    for (let attempt = 0; attempt < 10; attempt++) answers.push(await another.signIn(`guess-${attempt}`));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    // On a busy machine, the first wait may be over before the next token arrives. Each wait is twice as long.
    let slowed = await another.signIn('guess');
    for (let attempt = 0; slowed.status === 403 && attempt < 10; attempt++) slowed = await another.signIn('guess');
    expect([slowed.status, slowed.headers['set-cookie']]).toEqual([429, undefined]);
    expect(slowed.headers['retry-after']).toMatch(/^\d{1,2}$/u);
    expect(slowed.body).toMatch(/Too many wrong tokens were sent from your address\. Try again in \d+ seconds?\./u);
    // Programs that send the token in a header do not have to wait.
    const headers = { authorization: 'Bearer s3cret-token' };
    expect((await send(another.served, '/api/skills', { headers })).status).toBe(200);
    await expect.poll(async () => (await another.signIn('s3cret-token')).status).toBe(303);
    expect((await another.signIn('guess')).status).toBe(403);
  });

  test('the token is never logged', () => {
    expect(served.log()).not.toContain('s3cret-token');
  });
});
