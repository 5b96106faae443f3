/** The views of a home with 80 skills and four agents, and of a project with 50 specs and 20 changes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentsOutput } from '../../src/operations/agents.ts';
import type { AgentSummary } from '../../src/operations/agent-shapes.ts';
import { crowdedHome } from '../support/crowded-home.ts';
import { project } from '../support/project.ts';
import { accessibilityProblems, expectNoSidewaysScroll, isLive, useBrowser, watch } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { BROWSER, ofFolder, send, serve, type Served } from './served.ts';

const VIEWS: readonly [address: string, heading: RegExp][] = [
  ['/agents', /^What each agent sees$/u],
  ['/agents?q=caching&agent=codex&skill=caching-audit', /^What each agent sees$/u],
  ['/agents?show=all', /^What each agent sees$/u],
  ['/agents/claude/fit', /^Claude Code cuts \d+ of \d+ descriptions$/u],
  ['/agents/codex/fit', /^Codex cuts \d+ of \d+ descriptions$/u],
  ['/agents/codex/fit?after=limit', /^Codex cuts/u],
  ['/agents/copilot/fit', /^Copilot CLI cuts/u],
  ['/agents/claude/context', /^Context of Claude Code$/u],
  ['/specs?view=map', /^Where open changes meet the specs$/u],
];

const WIDTHS = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
const BYTES_MAX = 150_000;
const NODES_MAX = 3_000;

describe('a large home', () => {
  const onDisk = () => project(crowdedHome(), 'disk');
  let served: Served;
  let folder: ReturnType<typeof onDisk>;
  beforeAll(async () => {
    folder = onDisk();
    served = await serve(ofFolder(folder));
  });
  afterAll(async () => {
    await served?.stop();
    folder?.[Symbol.dispose]();
  });

  test('every view and its twin stay within the budget', async () => {
    for (const [address] of VIEWS)
      for (const each of [address, `/api${address}`]) {
        const { status, body } = await send(served, each, { headers: BROWSER });
        expect.soft([each, status]).toEqual([each, 200]);
        expect.soft(Buffer.byteLength(body), each).toBeLessThan(BYTES_MAX);
      }
  });

  test('no link of the new views has a path of this machine', async () => {
    for (const address of ['/agents', '/specs?view=map']) {
      const { body } = await send(served, address, { headers: BROWSER });
      const links = [...body.matchAll(/href="([^"]*)"/gu)].map(([, link = '']) => decodeURIComponent(link));
      expect(links.filter((link) => link.includes(folder.at('home')) || link.includes(folder.at('project')))).toEqual(
        [],
      );
    }
  });

  describe.skipIf(chromiumPath === undefined)('in the browser', () => {
    const browser = useBrowser();

    describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
      test.each(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[])(
        'on a %s, every view is accessible, fits and has few nodes',
        async (device) => {
          await using context = await browser.context({ colorScheme, viewport: WIDTHS[device], bypassCSP: true });
          for (const [address, heading] of VIEWS) {
            const page = await context.newPage();
            const { trouble } = watch(page, served);
            await page.goto(served.url + address);
            await isLive(page);
            expect.soft(await page.textContent('h1'), address).toMatch(heading);
            await expectNoSidewaysScroll(page);
            expect.soft(await accessibilityProblems(page), address).toEqual([]);
            expect.soft(trouble, address).toEqual([]);
            expect
              .soft(await page.evaluate(() => document.querySelectorAll('*').length), address)
              .toBeLessThan(NODES_MAX);
            await page.close();
          }
        },
      );
    });

    test('without script, patterns open, the filter and the selection of a remedy work', async () => {
      await using context = await browser.context({ javaScriptEnabled: false, viewport: WIDTHS.desk });
      const page = await context.newPage();
      await page.goto(`${served.url}/agents`);
      await page.click('.patterns tbody tr:first-child summary');
      expect(await page.isVisible('.patterns a:text-is("caching-audit")')).toBe(true);
      await page.fill('#agents-q', 'caching');
      await page.press('#agents-q', 'Enter');
      await page.waitForURL(/\/agents\?q=caching$/u);
      expect(await page.textContent('.chip[aria-current]')).toMatch(/^By pattern \d+$/u);
      await page.click('.patterns tbody tr:first-child .cell >> nth=1');
      expect(await page.textContent('#why')).toContain('in Codex');
      await page.goto(`${served.url}/agents/codex/fit`);
      await page.click('#fit-limit .ttl');
      expect(await page.textContent('#lost')).toBe('Descriptions that are then still cut');
      await page.goto(`${served.url}/specs`);
      await page.click('.chip:has-text("Map")');
      expect(await page.textContent('h1')).toBe('Where open changes meet the specs');
    });

    test('the filter updates the table while the user types, and keeps opened lines open', async () => {
      await using context = await browser.context({ viewport: WIDTHS.desk });
      const page = await context.newPage();
      await page.goto(`${served.url}/agents`);
      await isLive(page);
      await page.click('.patterns tbody tr:first-child summary');
      await page.fill('#agents-q', 'accessibility-audit');
      await page.waitForSelector('.patterns tbody tr:only-child');
      expect(await page.textContent('.patterns .many')).toBe('1');
      expect(await page.getAttribute('.patterns details', 'open')).not.toBeNull();
      expect(page.url()).toBe(`${served.url}/agents?q=accessibility-audit`);
    });

    test('the head of the table stays in view', async () => {
      for (const viewport of Object.values(WIDTHS)) {
        await using context = await browser.context({ viewport });
        const page = await context.newPage();
        await page.goto(`${served.url}/agents`);
        await page.locator('.patterns tbody tr:last-child').scrollIntoViewIfNeeded();
        await page.evaluate(() => scrollTo(0, document.querySelector('.patterns')?.clientHeight ?? 0));
        const [head, header] = await page.evaluate(() =>
          ['.patterns thead th', 'header.top'].map((one) =>
            document.querySelector(one)?.getBoundingClientRect().toJSON(),
          ),
        );
        expect(Math.abs(head.top - header.bottom)).toBeLessThan(2);
      }
    });

    test('the column of each agent is in view for every filter', async () => {
      for (const viewport of Object.values(WIDTHS)) {
        await using context = await browser.context({ viewport });
        const page = await context.newPage();
        for (const show of ['', '?show=all', '?show=differs', '?show=cut', '?show=hidden', '?show=nobody']) {
          await page.goto(`${served.url}/agents${show}`);
          const right = await page.evaluate(() =>
            Math.max(
              ...[...document.querySelectorAll('.mx th, .mx td')].map((cell) => cell.getBoundingClientRect().right),
            ),
          );
          expect.soft(right, `${show} at ${viewport.width}`).toBeLessThanOrEqual(viewport.width);
        }
      }
    });

    test('the drawing of each list has the length of the figure beside it', async () => {
      const { body } = await send(served, '/api/agents');
      const ids = (JSON.parse(body) as AgentsOutput).agents as string[];
      await using context = await browser.context({ viewport: WIDTHS.desk });
      const page = await context.newPage();
      await page.goto(`${served.url}/agents`);
      for (const [index, id] of ids.entries()) {
        const twin = JSON.parse((await send(served, `/api/agents/${id}`)).body) as { agent: AgentSummary };
        const { limit, wanted, used } = twin.agent.budget;
        const head = page.locator('.patterns thead th').nth(index + 1);
        if (limit === null) {
          expect(await head.textContent()).toContain('no known limit');
          continue;
        }
        const percent = Math.round((wanted * 100) / limit);
        expect(await head.textContent()).toContain(`${percent} % of limit`);
        const [drawn, full, mark] = await head.locator('svg').evaluate((svg) => {
          const ends = [...svg.querySelectorAll('.seg')].map(
            (part) => Number(part.getAttribute('x') ?? 0) + Number(part.getAttribute('width')),
          );
          return [ends[0] ?? 0, Math.max(...ends), Number(svg.querySelector('.limit')?.getAttribute('x1'))];
        });
        expect(Math.abs(((full ?? 0) * 100) / (mark ?? 1) - percent)).toBeLessThan(1);
        expect(Math.abs((drawn ?? 0) / (full ?? 1) - used / wanted)).toBeLessThan(0.01);
      }
    });
  });
});
