/** Signing in with a browser, which sends its own headers. */
import { describe, expect, test } from 'vitest';
import { useBrowser, watch } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { BOOKSHOP, serve } from './served.ts';

describe.skipIf(chromiumPath === undefined)('a browser at a server with a token', () => {
  const browser = useBrowser();

  test('signs in with the token, returns to the requested page and stays signed in', async () => {
    const served = await serve(BOOKSHOP, { LECTERN_TOKEN: 's3cret-token' });
    try {
      await using context = await browser.context();
      const page = await context.newPage();
      const { trouble } = watch(page, served);
      await page.goto(`${served.url}/skills?q=release`);
      expect(await page.textContent('h1')).toBe('Sign in');
      await page.fill('#token', 'a guess');
      await page.click('main button');
      expect(await page.textContent('[role=alert]')).toBe('That is not the token of this server.');
      await page.fill('#token', 's3cret-token');
      await page.click('main button');
      await page.waitForSelector('#rows');
      expect(page.url()).toBe(`${served.url}/skills?q=release`);
      await page.goto(`${served.url}/specs`);
      expect(await page.textContent('h1')).toBe('Specs');
      expect(trouble.filter((line) => !line.includes('403'))).toEqual([]);
    } finally {
      await served.stop();
    }
  });
});
