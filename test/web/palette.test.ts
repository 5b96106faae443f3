/** The results below the search field, on every page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { accessibilityProblems, expectNoSidewaysScroll, isLive, useBrowser, watch } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { HOMES, serveHome, type ServedHome } from './homes.ts';
import { BROWSER, send } from './served.ts';

const QUERIES = {
  'the example': ['release notes', 'release-notes'],
  'a large home': ['invoice layout', 'invoice-layout'],
};

describe.skipIf(chromiumPath === undefined).each(HOMES)('in %s', (name) => {
  const browser = useBrowser();
  const [query = '', wanted = ''] = QUERIES[name];
  let here: ServedHome;
  beforeAll(async () => {
    here = await serveHome(name);
  });
  afterAll(() => here?.[Symbol.asyncDispose]());

  async function typed(page: Page, address: string): Promise<void> {
    await page.goto(here.served.url + address);
    await isLive(page);
    await page.keyboard.press('/');
    await page.keyboard.type(query);
    await page.waitForSelector('#palette [role="option"] mark');
  }

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
  const chosen = (page: Page) =>
    page.evaluate(() => {
      const id = document.querySelector('#q')?.getAttribute('aria-activedescendant') ?? '';
      return document.getElementById(id)?.querySelector('.ttl')?.textContent?.trim();
    });

  test('typing shows results with the words marked, and the page and the focus stay', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
    const page = await context.newPage();
    const { trouble } = watch(page, here.served);
    for (const address of ['/', '/skills', '/problems', '/changes']) {
      await typed(page, address);
      expect.soft(new URL(page.url()).pathname).toBe(address);
      expect.soft(await focused(page)).toBe('q');
      expect.soft(await page.getAttribute('#q', 'aria-expanded')).toBe('true');
      expect.soft(await page.textContent('#palette [role="status"]')).toMatch(/^\d+ results?$/u);
      expect.soft(await page.textContent('#palette')).not.toContain('meaning');
      expect.soft(await accessibilityProblems(page), address).toEqual([]);
    }
    expect(trouble).toEqual([]);
  });

  test('arrows choose, Enter opens, and the field keeps the focus', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await typed(page, '/');
    expect(await chosen(page)).toBeUndefined();
    await page.keyboard.press('ArrowDown');
    expect(await chosen(page)).toContain(wanted);
    expect(await focused(page)).toBe('q');
    await page.keyboard.press('ArrowUp');
    expect(await chosen(page)).toBeUndefined();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/skills\//u);
    expect(await page.textContent('h1')).toContain(wanted);
  });

  test('Escape closes the list and keeps the text; Enter without a choice opens the search page', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await typed(page, '/skills');
    await page.keyboard.press('Escape');
    expect(await page.isHidden('#palette')).toBe(true);
    expect(await page.inputValue('#q')).toBe(query);
    expect(await focused(page)).toBe('q');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('#palette [role="option"]');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=/u);
    expect(await page.locator('#rows [data-row]').count()).toBeGreaterThan(0);
  });

  test('it closes when the focus leaves it, and fits a phone', async () => {
    await using context = await browser.context({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await typed(page, '/');
    await expectNoSidewaysScroll(page);
    const box = await page.locator('#palette').boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 390).toBe(true);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.isHidden('#palette')).toBe(true);
  });

  test('without the script, the field is a form and no combobox', async () => {
    const { body } = await send(here.served, '/', { headers: BROWSER });
    expect(body).toMatch(/<form class="find" role="search" action="\/search"/u);
    expect(body).toMatch(/<div id="palette" class="palette" hidden/u);
    expect(body).not.toContain('combobox');
    const found = await send(here.served, `/search?q=${encodeURIComponent(query)}`, { headers: BROWSER });
    expect(found.body).toContain('<mark>');
    expect(found.body).not.toContain('class="reason"');
    const scored = await send(here.served, `/search?q=${encodeURIComponent(query)}&scores=1`, { headers: BROWSER });
    expect(scored.body).toContain('class="reason"');
  });
});
