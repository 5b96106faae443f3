/** Every page, light and dark, on a desk and on a phone. A new page is one line in the table. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, expectNoSidewaysScroll, isLive, pictureFile, useBrowser, watch } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { HOMES, serveHome, type ServedHome } from './homes.ts';

/** The filters of the agent table. */
const SHOWS = ['differs', 'cut', 'dropped', 'hidden', 'nobody', 'all'] as const;

type Listed = readonly [name: string, address: string, heading: string | RegExp];

const PAGES: readonly Listed[] = [
  ['overview', '/', '12 skills, 3 specs and 3 changes'],
  ['skills', '/skills', 'Skills'],
  ['skills-found', '/skills?q=release&provider=claude', 'Skills'],
  ['skills-none', '/skills?q=relaese', 'Skills'],
  ['skill', '/skills/agents:release-notes', 'release-notes'],
  ['skill-compared', '/skills/agents:release-notes?with=.%2F.claude%2Fskills%2Frelease-notes', 'release-notes'],
  ['skill-disabled', '/skills/repo:price-check', 'price-check'],
  ['skill-missing', '/skills/relaese-notes', 'That did not work'],
  ['file', '/skills/agents:release-notes/file?path=references/template.md', 'references/template.md'],
  ['agents', '/agents', 'What each agent sees'],
  ['agents-by-skill', '/agents?show=differs', 'What each agent sees'],
  ['agents-cell', '/agents?agent=codex&skill=incident-review', 'What each agent sees'],
  ['agent', '/agents/claude', 'Claude Code'],
  ['fit', '/agents/claude/fit', 'Claude Code cuts 1 of 4 descriptions'],
  ['fit-no-limit', '/agents/cursor/fit', 'Cursor has no known limit'],
  ['agent-not-found-here', '/agents/cursor', 'Cursor'],
  ['context', '/agents/claude/context', 'Context of Claude Code'],
  ['try', '/agents/try?q=merge%20two%20pdf%20files', 'Which skill would each agent reach for?'],
  ['try-empty', '/agents/try', 'Which skill would each agent reach for?'],
  ['context-not-observed', '/agents/cursor/context', 'Context of Cursor'],
  ['why', '/agents/claude/why?skill=release-notes', 'release-notes in Claude Code'],
  ['specs', '/specs', 'Specs'],
  ['spec-map', '/specs?view=map', 'Where open changes meet the specs'],
  ['spec', '/specs/identity/customer-account', 'customer-account'],
  ['changes', '/changes', 'Changes'],
  ['change', '/changes/add-wish-list', 'add-wish-list'],
  ['change-proposal', '/changes/add-wish-list/proposal', 'add-wish-list'],
  ['change-tasks', '/changes/add-wish-list/tasks', 'add-wish-list'],
  ['change-after', '/changes/add-wish-list/after', 'add-wish-list'],
  ['compare', '/changes/compare?a=add-wish-list&b=faster-checkout', 'add-wish-list and faster-checkout'],
  ['problems', '/problems', 'Problems'],
  ['search', '/search?q=customer+pays+but+the+copy+is+gone', 'Search'],
  ['search-nothing', '/search?q=zzyzx+qwrt&mode=keyword', 'Search'],
  ['not-found', '/nowhere', 'Page not found'],
];

const LARGE_PAGES: readonly Listed[] = [
  ['overview', '/', '84 skills, 50 specs and 20 changes'],
  ['skills', '/skills', 'Skills'],
  ['skills-broken', '/skills?state=broken', 'Skills'],
  ['skill', '/skills/claude:release-notes', 'release-notes'],
  ['skill-with-code', '/skills/dunder-methods', 'dunder-methods'],
  ['skill-right-to-left', '/skills/right-to-left', 'right-to-left'],
  ['skill-wide-table', '/skills/wide-tables', 'wide-tables'],
  ['skill-broken', '/skills/claude:half-written', 'half-written'],
  ['skill-missing', '/skills/weather-forecast', 'That did not work'],
  ['file', '/skills/dunder-methods/file?path=references/__init__.md', 'references/__init__.md'],
  ...SHOWS.map((show): Listed => [`agents-${show}`, `/agents?show=${show}`, 'What each agent sees']),
  ['agent', '/agents/claude', 'Claude Code'],
  ['agent-codex', '/agents/codex', 'Codex'],
  ['context', '/agents/codex/context', 'Context of Codex'],
  ['why', '/agents/codex/why?skill=release-notes', 'release-notes in Codex'],
  ['specs', '/specs', 'Specs'],
  ['spec', '/specs/accounts/rules', 'accounts/rules'],
  ['changes', '/changes', 'Changes'],
  ['change', '/changes/improve-accounts-rules', 'improve-accounts-rules'],
  ['change-blocked', '/changes/improve-catalog-limits', 'improve-catalog-limits'],
  ['change-overlap', '/changes/improve-delivery-rules-again', 'improve-delivery-rules-again'],
  ['change-proposal', '/changes/improve-accounts-rules/proposal', 'improve-accounts-rules'],
  ['change-tasks', '/changes/improve-accounts-rules/tasks', 'improve-accounts-rules'],
  ['change-design', '/changes/improve-accounts-rules/design', 'improve-accounts-rules'],
  ['change-after', '/changes/improve-accounts-rules/after', 'improve-accounts-rules'],
  ['problems', '/problems', 'Problems'],
  ['search', '/search?q=repair+invoices', 'Search'],
  ['search-scores', '/search?q=repair+invoices&scores=1', 'Search'],
];

const WIDTHS = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** What broke on real homes, although axe-core found nothing. */
async function layoutProblems(page: Page, device: keyof typeof WIDTHS): Promise<string[]> {
  return page.evaluate(
    ([isDesk, rowMax]) => {
      const problems: string[] = [];
      const shown = (element: Element): boolean => element.getBoundingClientRect().width > 0;
      for (const row of isDesk ? document.querySelectorAll('.problems .todo li') : []) {
        const { height } = row.getBoundingClientRect();
        if (height > rowMax) problems.push(`a finding is ${height} px high: ${row.textContent}`);
      }
      for (const head of document.querySelectorAll('table.mx thead th')) {
        const { left, right } = head.getBoundingClientRect();
        if (left < 0 || right > innerWidth) problems.push(`a column of agents is out of view: ${head.textContent}`);
      }
      for (const wrap of document.querySelectorAll('.mx-wrap'))
        if (wrap.scrollWidth > wrap.clientWidth) problems.push('the table of agents scrolls sideways');
      for (const cell of document.querySelectorAll('.read td')) {
        const { width, height } = cell.getBoundingClientRect();
        if (height > 5 * width) problems.push(`a table cell is ${width} px wide: ${cell.textContent}`);
      }
      const hot = document.querySelector('.nav .hot');
      if (hot && shown(hot) && hot.getBoundingClientRect().right > innerWidth)
        problems.push('the number of problems is out of view');
      for (const link of document.querySelectorAll('#nav a'))
        if (/[a-z]\d/u.test(link.textContent ?? '')) problems.push(`no blank before a number: ${link.textContent}`);
      for (const text of document.querySelectorAll('.lede, .tasks li, .cl'))
        if (text.textContent?.includes('`')) problems.push(`raw backticks: ${text.textContent}`);
      return problems;
    },
    [device === 'desk', ROW_MAX] as const,
  );
}

/** Height of a finding with one line of text and one of advice. */
const ROW_MAX = 64;

describe.skipIf(chromiumPath === undefined).each(HOMES)('every page of %s', (home) => {
  const browser = useBrowser();
  let here: ServedHome;
  beforeAll(async () => {
    here = await serveHome(home);
  });
  afterAll(() => here?.[Symbol.asyncDispose]());

  describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
    // The large home shows the same pages with more on them, so half of the combinations is enough.
    const devices = (Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]).filter(
      (device) => home === 'the example' || (device === 'desk') === (colorScheme === 'light'),
    );
    test.each(devices)('on a %s, is accessible, keeps its layout and reports no errors', async (device) => {
      await using context = await browser.context({ colorScheme, viewport: WIDTHS[device], bypassCSP: true });
      const { served } = here;
      for (const [name, address, heading] of home === 'the example' ? PAGES : LARGE_PAGES) {
        const page = await context.newPage();
        const { trouble } = watch(page, served);
        await page.goto(served.url + address);
        await isLive(page);
        expect.soft(await page.textContent('h1'), name).toMatch(heading);
        await expectNoSidewaysScroll(page);
        expect.soft(await accessibilityProblems(page), name).toEqual([]);
        expect.soft(await layoutProblems(page, device), name).toEqual([]);
        const allowed = /not-found$|missing/u.test(name) ? trouble.filter((line) => !line.includes('404')) : trouble;
        expect.soft(allowed, name).toEqual([]);
        const picture = home === 'the example' ? pictureFile(name, device, colorScheme) : undefined;
        if (picture !== undefined) await page.screenshot({ path: picture, fullPage: true });
        await page.close();
      }
    });
  });

  test('prints in light colors, also in the dark theme', async () => {
    await using context = await browser.context({ colorScheme: 'dark', bypassCSP: true });
    await context.addCookies([{ name: 'lectern-theme', value: 'dark', url: here.served.url }]);
    const page = await context.newPage();
    await page.goto(`${here.served.url}/problems`);
    const color = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).color);
    expect(await color()).toBe('rgb(236, 232, 223)');
    await page.emulateMedia({ media: 'print' });
    expect(await color()).toBe('rgb(33, 31, 27)');
  });
});
