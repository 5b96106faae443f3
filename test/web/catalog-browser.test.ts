/** A shared catalog in a browser: every page in light and dark, on a desk and on a phone; hostile content; updates. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CatalogStore, type StoredSource } from '../../src/store/catalog-store.ts';
import { Database } from '../../src/store/database.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type Replica, shows } from '../support/replica.ts';
import { sourceFiles } from '../support/shared.ts';
import { skillText } from '../support/skill-text.ts';
import { accessibilityProblems, expectNoSidewaysScroll, isLive, useBrowser, watch } from './browser.ts';
import { CHECKOUT, serveCatalog, type ServedCatalog, signIn } from './catalog.ts';
import { chromiumPath } from './chromium.ts';

const PAGES: readonly [name: string, address: string, heading: string][] = [
  ['overview', '/', '13 skills, 3 specs and 3 changes'],
  ['skills', '/skills', 'Skills'],
  ['skills-found', '/skills?q=release&source=payments%2Fskills', 'Skills'],
  ['skills-none', '/skills?q=relaese', 'Skills'],
  ['skill', '/skills/payments%2Fskills:release-notes', 'release-notes'],
  ['skill-compared', '/skills/checkout%2Fskills:release-notes?with=WITH#compared', 'release-notes'],
  ['skill-disabled', '/skills/payments%2Fskills:price-check', 'price-check'],
  ['skill-missing', '/skills/relaese-notes', 'That did not work'],
  ['file', '/skills/payments%2Fskills:release-notes/file?path=references/template.md', 'references/template.md'],
  ['specs', '/specs', 'Specs'],
  ['spec', '/specs/identity/customer-account', 'customer-account'],
  ['changes', '/changes', 'Changes'],
  ['change', '/changes/add-wish-list', 'add-wish-list'],
  ['change-tasks', '/changes/add-wish-list/tasks', 'add-wish-list'],
  ['change-after', '/changes/add-wish-list/after', 'add-wish-list'],
  ['compare', '/changes/compare?a=add-wish-list&b=faster-checkout', 'add-wish-list and faster-checkout'],
  ['sources', '/sources', 'Sources'],
  ['sources-none', '/sources?q=zzz', 'Sources'],
  ['source', '/sources/payments/skills', 'payments/skills'],
  ['source-shared', '/sources/checkout/skills', 'checkout/skills'],
  ['source-missing', '/sources/checkout/skils', 'That did not work'],
  ['search', '/search?q=customer+pays', 'Search'],
  ['not-found', '/agents', 'Page not found'],
];

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Records the live states of the page from now on, across navigation. */
async function liveStatesOf(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    const status = document.querySelector<HTMLElement>('[data-live-state]');
    if (!status) throw new Error('the page shows no live state');
    const note = (): void =>
      sessionStorage.setItem('said', `${sessionStorage.getItem('said') ?? ''} ${status.dataset['liveState'] ?? ''}`);
    new MutationObserver(note).observe(status, { attributeFilter: ['data-live-state'] });
    note();
  });
  return () => page.evaluate(() => sessionStorage.getItem('said') ?? '');
}

const WIDTHS = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

describe.skipIf(!hasPostgres || chromiumPath === undefined)('a shared catalog in a browser', () => {
  const browser = useBrowser();
  let postgres: TestPostgres;
  let served: ServedCatalog;
  beforeAll(async () => {
    postgres = await startPostgres();
    served = await serveCatalog(postgres);
  });
  afterAll(async () => {
    await served?.[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
  });

  describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
    test.each(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[])(
      'on a %s, every page is accessible and reports no errors',
      async (device) => {
        await using context = await browser.context({ colorScheme, viewport: WIDTHS[device], bypassCSP: true });
        const form = await context.newPage();
        await form.goto(`${served.url}/sources`);
        expect(await form.textContent('h1')).toBe('Sign in');
        await expectNoSidewaysScroll(form);
        expect(await accessibilityProblems(form)).toEqual([]);
        await form.close();
        await signIn(context, served.url, served.company.tokens.payments.read);
        for (const [name, address, heading] of PAGES) {
          const page = await context.newPage();
          const { trouble } = watch(page, served);
          const other = encodeURIComponent('/payments/skills/.agents/skills/release-notes');
          await page.goto(served.url + address.replace('WITH', other));
          await isLive(page);
          expect.soft(await page.textContent('h1'), name).toContain(heading);
          await expectNoSidewaysScroll(page);
          expect.soft(await accessibilityProblems(page), name).toEqual([]);
          const allowed = /not-found$|missing/u.test(name) ? trouble.filter((line) => !line.includes('404')) : trouble;
          expect.soft(allowed, name).toEqual([]);
          await page.close();
        }
      },
    );
  });

  test('on a phone, specs stay in their card, paths in their column, and the current tab of a change in view', async () => {
    await using context = await browser.context({ viewport: WIDTHS.phone });
    await signIn(context, served.url, served.company.tokens.payments.read);
    const page = await context.newPage();
    const rightOf = (selector: string): Promise<number[]> =>
      page.$$eval(selector, (elements) => elements.map((element) => element.getBoundingClientRect().right));
    await page.goto(`${served.url}/specs`);
    const [card = 0] = await rightOf('main .card');
    const parts = await rightOf('.spec-list .about, .spec-list svg, .spec-list .num');
    expect(parts.length).toBeGreaterThan(8);
    expect(Math.max(...parts)).toBeLessThanOrEqual(card);
    await page.goto(`${served.url}/changes/add-wish-list/after`);
    await isLive(page);
    const [tab = 0] = await rightOf('.tabs [aria-current]');
    const paths = await rightOf('main .path');
    expect(paths.length).toBeGreaterThan(1);
    // Tabs are scrolled by whole pixels.
    expect(Math.max(tab, ...paths)).toBeLessThan(card + 1);
  });

  test('a user signs in, browses, searches and signs out', async () => {
    await using context = await browser.context();
    const page = await context.newPage();
    await page.goto(`${served.url}/sources`);
    await page.fill('#token', 'lct_guess');
    await page.click('main button');
    expect(await page.textContent('[role=alert]')).toBe('The token is unknown, expired or revoked.');
    await page.fill('#token', served.company.tokens.payments.read);
    await page.click('main button');
    await page.waitForSelector('#rows');
    expect(page.url()).toBe(`${served.url}/sources`);
    expect(await page.textContent('#place')).toMatch(/^payments · snapshot \d+$/u);
    expect(await page.$$eval('#nav a', (links) => links.map((link) => link.getAttribute('href')))).toEqual([
      '/',
      '/skills',
      '/specs',
      '/changes',
      '/sources',
    ]);
    await page.click('text=checkout/skills');
    await page.waitForSelector('#history');
    expect(await page.textContent('#rows')).toContain('served now');
    await page.click('.chips a');
    await page.waitForSelector('#skills-q');
    expect(await page.$$eval('#rows .ttl', (links) => links.map((link) => link.textContent))).toEqual([
      'refund',
      'release-notes',
    ]);
    await isLive(page);
    await page.focus('#q');
    await page.keyboard.type('pay money back');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.res');
    expect(await page.textContent('.res .ttl')).toBe('refund');
    await isLive(page);
    await page.focus('#main');
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.waitForURL(`${served.url}/sources`);
    await page.click('text=Sign out');
    await page.waitForSelector('#token');
    await page.goto(`${served.url}/skills`);
    expect(await page.textContent('h1')).toBe('Sign in');
  });

  test('new publications and counts appear without a reload', async () => {
    await using context = await browser.context();
    await signIn(context, served.url, served.company.tokens.checkout.read);
    const page = await context.newPage();
    await page.goto(`${served.url}/sources/checkout/skills`);
    await isLive(page);
    const before = await page.textContent('#place');
    const files = { ...CHECKOUT, 'skills/vouchers/SKILL.md': skillText({ name: 'vouchers' }) };
    await served.company.publish(served.url, 'checkout', files);
    await page.waitForSelector('text=3 skills in 3 files');
    expect(await page.textContent('#place')).not.toBe(before);
    // Restore the state for the other tests.
    await served.company.publish(served.url, 'checkout', CHECKOUT);
    await page.waitForSelector('text=2 skills in 2 files');
  });

  test('when its token is revoked, an open page leads to the sign-in form, which gives the reason', async () => {
    const { company, url } = served;
    const { token, id } = await company.run(['token', 'add', 'payments', '--name', 'lost']);
    await using context = await browser.context();
    await expect.poll(async () => (await fetch(`${url}/api/overview`, { headers: bearer(token) })).status).toBe(200);
    await signIn(context, url, token);
    const page = await context.newPage();
    await page.goto(`${url}/skills?q=gift`);
    await isLive(page);
    const said = await liveStatesOf(page);
    await company.run(['token', 'revoke', String(id)]);
    await page.waitForSelector('#token');
    expect(await said()).not.toContain('lost');
    expect(await page.textContent('[role=alert]')).toBe('The token is unknown, expired or revoked.');
    expect(new URL(page.url()).searchParams.get('to')).toBe('/skills?q=gift');
  });

  test('a page that was signed out in another tab leads to the sign-in form on its next update', async () => {
    const { company, url } = served;
    await using context = await browser.context();
    for (const cause of ['typing', 'a publication']) {
      await signIn(context, url, company.tokens.checkout.read);
      const page = await context.newPage();
      await page.goto(`${url}/skills?q=refun`);
      await isLive(page);
      await context.clearCookies();
      if (cause === 'typing')
        await page
          .locator('#skills-q')
          .press('End')
          .then(() => page.keyboard.type('d'));
      else await company.publish(url, 'checkout', { ...CHECKOUT, 'skills/once/SKILL.md': skillText({ name: 'once' }) });
      await page.waitForSelector('#token');
      const to = cause === 'typing' ? '/skills?q=refund' : '/skills?q=refun';
      expect(new URL(page.url()).searchParams.get('to')).toBe(to);
      await page.close();
    }
    // Restore the state for the other tests.
    await company.publish(url, 'checkout', CHECKOUT);
  });

  test('without a script, signing in, filters, forms and signing out work', async () => {
    await using context = await browser.context({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${served.url}/skills`);
    await page.fill('#token', served.company.tokens.payments.read);
    await page.click('main button');
    await page.fill('#skills-q', 'gift');
    await page.press('#skills-q', 'Enter');
    expect(await page.textContent('#rows .ttl')).toBe('gift-cards');
    await page.click('text=Sign out');
    expect(await page.textContent('h1')).toBe('Sign in');
  });

  test('names and texts of a publisher cannot run scripts or deceive the reader', async () => {
    const { company, url } = served;
    const attack = `<img src=x onerror="document.title='owned'">`;
    const hostile = {
      [`skills/${attack.replaceAll('/', '')}/SKILL.md`]: `---\nname: ${JSON.stringify(attack)}\ndescription: ${JSON.stringify(`${attack} safe\u202Egnp.exe`)}\n---\n\n${attack}\n\n[x](javascript:document.title='owned')\n`,
      'openspec/specs/attack/spec.md': `# ${attack}\n\n## Purpose\n${attack} and enough words.\n\n## Requirements\n\n### Requirement: ${attack}\nIt SHALL ${attack}\n\n#### Scenario: ${attack}\n- **WHEN** a\n- **THEN** b\n`,
    };
    // Bypasses the rules of this version, as an older version would. Names of tokens and commits are not validated.
    const database = new Database({ url: company.database });
    const store = new CatalogStore(database);
    const source = (await store.findSource('checkout', 'skills')) as StoredSource;
    const { files, contents } = sourceFiles(hostile);
    for (const content of contents.values()) await store.upload(content);
    const published = await store.publish(source, source.version, files, {
      actor: `checkout/${attack}`,
      commit: attack,
    });
    expect(published.outcome).toBe('published');
    await database.close();
    await shows(served.replicas[0] as Replica, published.number);
    await using context = await browser.context();
    await signIn(context, url, company.tokens.checkout.read);
    const page = await context.newPage();
    const { trouble } = watch(page, served);
    for (const address of [
      '/',
      '/skills',
      '/sources',
      '/sources/checkout/skills',
      '/specs',
      '/specs/attack',
      '/search?q=img',
    ]) {
      await page.goto(url + address);
      await isLive(page);
      expect.soft(await page.title(), address).not.toContain('owned');
    }
    expect(await page.content()).not.toContain('\u202E');
    await page.goto(`${url}/skills`);
    await page.click('#rows .ttl');
    await page.waitForSelector('text=Published with');
    expect(await page.title()).not.toMatch(/^owned/u);
    expect(await page.textContent('h1')).toContain('<img');
    expect(trouble).toEqual([]);
  });
});
