/** Addresses work on every machine with the same files: they contain no path of this one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOMES, serveHome, type ServedHome } from './homes.ts';
import { BROWSER, send } from './served.ts';

/** More pages of one kind would only repeat. */
const PER_KIND = 12;

/** The attributes whose values are shared or shown: addresses, IDs and tooltips. */
function shared(body: string): string[] {
  return [...body.matchAll(/\s(?:href|id|title|action)="([^"]*)"/gu)].map(([, value = '']) =>
    decodeURIComponent(value.replaceAll('&amp;', '&').replaceAll('%%', '%25')),
  );
}

function kindOf(address: string): string {
  const [path = '', query = ''] = address.split('?');
  const keys = [...new URLSearchParams(query).keys()].join('&');
  return `${path.split('/').slice(0, 2).join('/')} ${path.split('/').length} ${keys}`;
}

describe.each(HOMES)('in %s', (name) => {
  let here: ServedHome;
  beforeAll(async () => {
    here = await serveHome(name);
  });
  afterAll(() => here?.[Symbol.asyncDispose]());

  const page = async (address: string) => send(here.served, address, { headers: BROWSER });

  test('no link, ID or tooltip contains a path of this machine, and every link works', async () => {
    const [todo, seen, kinds] = [['/'], new Set(['/']), new Map<string, number>()];
    for (let address = todo.shift(); address !== undefined; address = todo.shift()) {
      const { status, body } = await page(address);
      expect.soft([address, status]).toEqual([address, 200]);
      const values = shared(body);
      expect
        .soft(
          values.filter((value) => value.includes(here.folder.dir)),
          address,
        )
        .toEqual([]);
      for (const [, href = ''] of body.matchAll(/<a[^>]*\shref="(\/[^"#]*)/gu)) {
        const next = href.replaceAll('&amp;', '&');
        if (seen.has(next) || next.startsWith('/api/')) continue;
        seen.add(next);
        const kind = kindOf(next);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if ((kinds.get(kind) ?? 0) <= PER_KIND) todo.push(next);
      }
    }
    expect(seen.size).toBeGreaterThan(60);
  });

  test('the name alone is the address of a skill that it loads', async () => {
    const { body } = await page('/skills');
    const links = [...body.matchAll(/href="(\/skills\/[^"]+)"/gu)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(8);
    expect(links.filter((href) => href.includes('copy=/') || href.includes('copy=%2F'))).toEqual([]);
    const named = links.filter((href) => !href.includes('copy='));
    expect(named.length).toBeGreaterThan(links.length / 2);
  });

  test('a copy that is not here falls back to the name, and the page says so', async () => {
    for (const address of [
      '/skills/claude:release-notes?copy=~%2F.elsewhere%2Fskills%2Frelease-notes',
      '/skills/claude:release-notes/file?path=SKILL.md&copy=.%2Felsewhere%2Frelease-notes',
      '/agents/claude/why?skill=release-notes&copy=~%2F.elsewhere%2Fskills%2Frelease-notes',
    ]) {
      const { status, body } = await page(address);
      expect.soft([address, status]).toEqual([address, 200]);
      expect.soft(body).toContain('The copy in this address is not here');
    }
  });

  test('a copy is found below the home and below the project', async () => {
    for (const [copy, other] of [
      ['~/.claude/skills/release-notes', '.claude/skills/release-notes'],
      ['./.claude/skills/release-notes', '~/.claude/skills/release-notes'],
    ]) {
      const address = `/skills/claude:release-notes?${new URLSearchParams({ copy: copy ?? '' }).toString()}`;
      const { body } = await page(address);
      expect.soft(body).toContain(`<dd class="path">${copy?.replace('./', '')}</dd>`);
      expect.soft(body).not.toContain(`<dd class="path">${other}</dd>`);
      expect.soft(body).not.toContain('is not here');
    }
  });
});

describe('a skill that cannot be read', () => {
  test('is explained at its folder’s name, with and without its provider', async () => {
    await using here = await serveHome('a large home');
    for (const address of ['half-written', 'claude:half-written', 'codex:release-notez', 'no-header']) {
      const { status, body } = await send(here.served, `/skills/${address}`, { headers: BROWSER });
      expect.soft([address, status]).toEqual([address, 200]);
      expect.soft(body).toContain('Its file cannot be read as a skill');
    }
  });
});

describe('a page that does not exist', () => {
  test('suggests only close names, and links to the list and to a search', async () => {
    await using here = await serveHome('a large home');
    const far = await send(here.served, '/skills/weather-forecast', { headers: BROWSER });
    expect(far.body).not.toContain('Did you mean');
    expect(far.body).toContain('<a href="/skills">All skills</a>');
    expect(far.body).toContain('<a href="/search?q=weather-forecast">');
    const near = await send(here.served, '/skills/relaese-notes', { headers: BROWSER });
    expect(near.body).toContain('Did you mean <a href="/skills/release-notes">');
    const spec = await send(here.served, '/specs/acounts/rules', { headers: BROWSER });
    expect(spec.body).toContain('href="/specs/accounts/rules"');
    expect(spec.body).toContain('All specs');
  });
});

test('for visitors from other machines, paths in the home are shortened on pages and in twins', async () => {
  const token = 'a-token-of-many-characters';
  await using here = await serveHome('a large home', ['--host', '0.0.0.0'], {
    LECTERN_TOKEN: token,
  });
  const headers = { ...BROWSER, authorization: `Bearer ${token}`, host: `127.0.0.1:${here.served.port}` };
  for (const address of ['/', '/skills', '/problems', '/skills/release-notes', '/api/skills', '/api/problems']) {
    const { status, body } = await send(here.served, address, { headers });
    expect.soft([address, status]).toEqual([address, 200]);
    expect.soft(body, address).not.toContain(here.home);
    expect.soft(body, address).toContain('~/.claude/skills');
  }
});
