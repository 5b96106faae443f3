/** Keyboard use, no script, high zoom and forced colors. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoSidewaysScroll, isLive, useBrowser, watch } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { BOOKSHOP, serve, type Served } from './served.ts';

const PAGES = [
  '/',
  '/skills',
  '/skills/agents:release-notes',
  '/agents',
  '/agents?show=all',
  '/agents/claude',
  '/agents/claude/fit',
  '/specs?view=map',
  '/specs/checkout',
  '/changes',
  '/changes/add-wish-list',
  '/problems',
  '/search?q=stock',
];

describe.skipIf(chromiumPath === undefined)('by keyboard', () => {
  const browser = useBrowser();
  let served: Served;
  beforeAll(async () => {
    served = await serve(BOOKSHOP);
  });
  afterAll(() => served?.stop());

  const open = async (page: Page, address: string): Promise<void> => {
    await page.goto(served.url + address);
    await isLive(page);
  };
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
    });

  test('skip, search, open, navigate, move, copy and go back', async () => {
    await using context = await browser.context({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await open(page, '/');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');

    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
    await page.keyboard.type('g s');
    expect(await page.inputValue('#q')).toBe('g s');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.waitForURL(`${served.url}/agents`);
    await isLive(page);

    // In the table of patterns, the first cell of a row opens its skills.
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.patterns details[open]');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toMatch(/^\d+ skills? in Claude Code: /u);
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');

    await page.click('.chip:has-text("Differs between agents")');
    await page.waitForURL(`${served.url}/agents?show=differs`);
    await page.waitForSelector('#why:has-text("label-printer in Claude Code")');
    await page.click('[aria-label="release-notes in Claude Code: full description"]');
    await page.waitForSelector('#why:has-text("release-notes in Claude Code")');
    await page.goBack();
    await page.waitForSelector('#why:has-text("label-printer in Claude Code")');

    await page.focus('table.mx tbody tr:first-child .cell');
    for (let row = 0; row < 3; row++) await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('release-notes in Claude Code: full description');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('release-notes in Codex: full description');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/skill=cover-photos/u);
    expect(await focused(page)).toBe('cover-photos in Codex: in a folder it does not read');

    await page.focus('#why [data-copy]');
    await page.keyboard.press('y');
    await page.waitForSelector('#why :text("Copied")');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^lectern share cover-photos --to codex --yes --project-dir \//u);

    await page.goBack();
    await page.waitForURL(`${served.url}/agents?show=differs`);

    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(`${served.url}/skills`);
    await isLive(page);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('incident-review');
    await page.keyboard.press('k');
    expect(await focused(page)).toBe('database-migration');
    await page.keyboard.press('Enter');
    await page.waitForURL(/database-migration/u);
  });

  test('shortcuts are listed, and single-key shortcuts can be disabled', async () => {
    await using context = await browser.context();
    const page = await context.newPage();
    await open(page, '/');
    await page.keyboard.press('?');
    await page.waitForSelector('#keys[open]');
    await page.click('[data-single-keys]');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('q');
    await page.keyboard.press('Control+k');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
  });

  test('focus is always visible and never trapped', async () => {
    await using context = await browser.context();
    const page = await context.newPage();
    await open(page, '/agents');
    const seen = new Set<string>();
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const [label, outline] = await page.evaluate(() => {
        const { activeElement } = document;
        if (!activeElement || activeElement === document.body) return ['', 'end'];
        const style = getComputedStyle(activeElement);
        return [activeElement.outerHTML.slice(0, 200), style.outlineStyle];
      });
      if (outline === 'end') break;
      expect.soft([label, outline]).toEqual([label, 'solid']);
      seen.add(label ?? '');
    }
    expect(seen.size).toBeGreaterThan(25);
  });

  test('the theme button cycles through system, light and dark, and the choice persists', async () => {
    await using context = await browser.context({ colorScheme: 'light' });
    const page = await context.newPage();
    await open(page, '/');
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.click('[data-theme-button]');
    await page.click('[data-theme-button]');
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    expect(await paper()).not.toBe(light);
    await page.reload();
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    await page.click('[data-theme-button]');
    expect(await page.getAttribute('html', 'data-theme')).toBeNull();
    expect(await paper()).toBe(light);
  });

  test('results update while the user types, for the latest query only', async () => {
    await using context = await browser.context();
    const page = await context.newPage();
    await open(page, '/skills');
    await page.focus('#skills-q');
    await page.keyboard.type('release-no');
    await page.waitForSelector('#found:has-text("3 matches")');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('skills-q');
    expect(page.url()).toBe(`${served.url}/skills?q=release-no`);
    await page.keyboard.type('ts');
    await page.waitForSelector('text=No skill matches.');
    await page.waitForSelector('a:has-text("release-notes")');
    await page.reload();
    expect(await page.inputValue('#skills-q')).toBe('release-nots');
  });

  test('every page, filter, form and panel works without script', async () => {
    await using context = await browser.context({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (const address of PAGES) {
      const response = await page.goto(served.url + address);
      expect.soft([address, response?.status()]).toEqual([address, 200]);
      expect.soft(await page.locator('[data-copy]:visible, [data-theme-button]:visible').count(), address).toBe(0);
    }
    await page.goto(`${served.url}/skills`);
    await page.fill('#skills-q', 'stock');
    await page.press('#skills-q', 'Enter');
    expect(await page.textContent('#found')).toContain('2 matches');
    await page.fill('#q', 'release');
    await page.press('#q', 'Enter');
    await page.waitForURL(/\/search\?q=release/u);
    await page.goto(`${served.url}/agents?show=differs`);
    await page.click('[aria-label="release-notes in Claude Code: full description"]');
    expect(await page.textContent('#why')).toContain('release-notes in Claude Code');
    await page.click('text=Seen by no agent');
    expect(page.url()).toContain('show=nobody');
  });

  test('at 400 % zoom there is no horizontal scrolling', async () => {
    // A window of 1280 pixels at 400 % is 320 wide.
    await using context = await browser.context({ viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 });
    const page = await context.newPage();
    for (const address of PAGES) {
      await page.goto(served.url + address);
      await expectNoSidewaysScroll(page);
    }
  });

  test('with forced colors, badges have an outline', async () => {
    await using context = await browser.context({ forcedColors: 'active' });
    const page = await context.newPage();
    const { trouble } = watch(page, served);
    await open(page, '/skills/agents:release-notes');
    expect(await page.evaluate(() => getComputedStyle(document.querySelector('.b') ?? document.body).borderStyle)).toBe(
      'solid',
    );
    expect(trouble).toEqual([]);
  });
});
