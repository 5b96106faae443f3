/** The web interface of a shared catalog on small screens, and while the database is down. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasOwnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { isLive, useBrowser } from './browser.ts';
import { serveCatalog, type ServedCatalog, signIn } from './catalog.ts';
import { chromiumPath } from './chromium.ts';

const PHONE = { width: 390, height: 844 };

describe.skipIf(!hasOwnPostgres || chromiumPath === undefined)('the web interface of a shared catalog', () => {
  const browser = useBrowser();
  let postgres: TestPostgres;
  let served: ServedCatalog;
  beforeAll(async () => {
    postgres = await startPostgres();
    served = await serveCatalog(postgres);
    const { company, url } = served;
    const { versions } = await company.run(['history', 'payments/skills', '--to', url], publishing());
    const first = String(versions.at(-1).number);
    await company.run(['rollback', 'payments/skills', '--to', first, '--url', url], publishing());
  });
  afterAll(async () => {
    await served?.[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
  });

  const publishing = () => ({ LECTERN_PUBLISH_TOKEN: served.company.tokens.payments.publish });

  async function open(address: string, viewport: { width: number; height: number }) {
    const context = await browser.context({ viewport });
    await signIn(context, served.url, served.company.tokens.payments.read);
    const page = await context.newPage();
    await page.goto(served.url + address);
    await isLive(page);
    return { page, [Symbol.asyncDispose]: () => context.close() };
  }

  const edgesOf = (page: Page, selector: string): Promise<{ left: number; right: number }[]> =>
    page.$$eval(selector, (elements) =>
      elements.map((element) => {
        const { left, right } = element.getBoundingClientRect();
        return { left, right };
      }),
    );

  test('on a phone, all tabs are visible, and the header names the team', async () => {
    await using opened = await open('/sources', PHONE);
    const { page } = opened;
    const tabs = await edgesOf(page, '#nav a');
    expect(tabs).toHaveLength(5);
    for (const { left, right } of tabs) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(PHONE.width);
    }
    expect(await page.innerText('#place')).toBe('payments');
  });

  test('if the tabs do not fit, the current one is scrolled into view', async () => {
    await using opened = await open('/sources', { width: 240, height: 600 });
    const [tab] = await edgesOf(opened.page, '#nav [aria-current]');
    expect(tab?.right).toBeLessThanOrEqual(240);
    expect(tab?.left).toBeGreaterThanOrEqual(0);
  });

  test.each([PHONE, { width: 1280, height: 900 }])(
    'at $width, badges are separate and flags do not wrap',
    async (viewport) => {
      await using opened = await open('/sources/payments/skills', viewport);
      const { page } = opened;
      await page.waitForSelector('#rows li:first-child .b.warn');
      const badges = await edgesOf(page, '#rows li:first-child .b');
      expect(badges).toHaveLength(2);
      expect((badges[1]?.left ?? 0) - (badges[0]?.right ?? 0)).toBeGreaterThan(2);
      const words = await page.$$eval('.cmd code', (codes) => codes.map(({ textContent }) => textContent));
      expect(words[1]).toMatch(/^lectern rollback payments\/skills --to \d+ --url http/u);
      const flags = await page.$$eval('.cmd code', (codes) =>
        codes.flatMap((code) => {
          const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
          const found: [string, number][] = [];
          for (let node = walker.nextNode(); node; node = walker.nextNode())
            for (const { 0: flag, index } of (node.textContent ?? '').matchAll(/--\w+/gu)) {
              const range = document.createRange();
              range.setStart(node, index);
              range.setEnd(node, index + flag.length);
              found.push([flag, new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size]);
            }
          return found;
        }),
      );
      expect(flags).toEqual([
        ['--source', 1],
        ['--url', 1],
        ['--to', 1],
        ['--url', 1],
      ]);
    },
  );

  test('the 404 page links to the overview', async () => {
    await using opened = await open('/agents', PHONE);
    const text = await opened.page.innerText('main .lede');
    expect(text).toMatch(/[Ss]tart from the Overview, or search\.$/u);
    expect(text).not.toContain('/.');
    expect(await opened.page.getAttribute('main .lede a:last-child', 'href')).toBe('/');
  });

  test('the page is shown as live only while the database responds', async () => {
    await using opened = await open('/skills', PHONE);
    const { page } = opened;
    await postgres.kill();
    await page.waitForSelector('main .note:has-text("the database does not answer")');
    await page.waitForSelector('[data-live-state="late"]');
    expect(await page.innerText('.live')).toBe('Not live');
    await postgres.start();
    await isLive(page);
    expect(await page.$('main .note:has-text("the database does not answer")')).toBeNull();
    expect(await page.innerText('.live')).toBe('Live');
  });

  test('metrics count all assets in one line', async () => {
    const { url, company } = served;
    const headers = { authorization: `Bearer ${company.tokens.payments.read}` };
    const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
    expect(metrics).toContain('lectern_requests_total{path="/assets/:file",status="200"}');
    expect(metrics).not.toMatch(/path="\/assets\/[^:]/u);
    const missing = await fetch(`${url}/assets/app-0.js`);
    expect([missing.status, await missing.text()]).toEqual([404, 'File not found.\n']);
  });
});
