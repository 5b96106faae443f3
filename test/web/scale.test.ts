/** Many skills: lists are paginated, replies stay small, and the drawing of a long list has few parts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { times } from '../support/effort.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { isLive, useBrowser, watch } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { BROWSER, ofFolder, send, serve, type Served } from './served.ts';

const SKILLS = times(1_000, 10_000);
const LIST_BYTES = 150_000;
const NODES_MAX = 3_000;

const nameOf = (index: number): string => `skill-${String(index).padStart(5, '0')}`;
const description = (index: number): string =>
  `Does thing number ${index} for people who need it. Use when somebody asks for thing ${index} or for what is near it.`;

describe(`${SKILLS} skills`, () => {
  let folder: TempFolder;
  let served: Served;
  beforeAll(async () => {
    folder = tempFolder({ 'home/.claude/settings.json': '{}', 'home/.codex/config.toml': '' });
    for (let index = 0; index < SKILLS; index += 1)
      folder.write({
        [`project/.claude/skills/${nameOf(index)}/SKILL.md`]: skillText({
          name: nameOf(index),
          description: description(index),
        }),
      });
    served = await serve(ofFolder(folder));
  });
  afterAll(async () => {
    await served?.stop();
    folder?.[Symbol.dispose]();
  });

  const VIEWS = [
    '/',
    '/skills',
    '/skills?q=thing',
    '/agents',
    '/agents?show=all',
    '/agents?show=cut',
    '/agents/claude/fit',
    '/agents/codex/fit',
    '/agents/claude',
    '/agents/codex',
    '/problems',
    '/search?q=thing',
  ];

  test('every list stays within its budget, as a page and as its twin', async () => {
    for (const address of VIEWS) {
      const { status, body } = await send(served, address, { headers: BROWSER });
      expect.soft([address, status]).toEqual([address, 200]);
      expect.soft(Buffer.byteLength(body), address).toBeLessThan(LIST_BYTES);
    }
    for (const address of [
      '/api/skills',
      '/api/agents',
      '/api/agents?show=all',
      '/api/agents/codex/fit',
      '/api/agents/claude',
      '/api/overview',
      '/api/problems',
    ])
      expect.soft(Buffer.byteLength((await send(served, address)).body), address).toBeLessThan(LIST_BYTES);
  });

  test('pagination reaches the end of every list', async () => {
    const names = new Set<string>();
    let cursor: string | undefined;
    do {
      const { body } = await send(served, `/api/skills?limit=400${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      const page = JSON.parse(body) as { skills: { name: string }[]; nextCursor?: string };
      for (const { name } of page.skills) names.add(name);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names.size).toBe(SKILLS);
  });

  describe.skipIf(chromiumPath === undefined)('in the browser', () => {
    const browser = useBrowser();

    test('pages have few nodes, and lists load their next page on scroll', async () => {
      await using context = await browser.context({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      const { trouble } = watch(page, served);
      for (const address of VIEWS) {
        await page.goto(served.url + address);
        await isLive(page);
        expect.soft(await page.evaluate(() => document.querySelectorAll('*').length), address).toBeLessThan(NODES_MAX);
      }
      await page.goto(`${served.url}/skills`);
      await isLive(page);
      const rows = (): Promise<number> => page.locator('#rows > li').count();
      expect(await rows()).toBe(100);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await expect.poll(rows).toBe(200);
      // A live update keeps the loaded pages.
      folder.write({
        [`project/.claude/skills/${nameOf(0)}/SKILL.md`]: skillText({ name: nameOf(0), description: 'Said anew' }),
      });
      await page.waitForSelector('text=Said anew', { state: 'attached' });
      expect(await rows()).toBeGreaterThanOrEqual(200);
      expect(trouble).toEqual([]);
    });

    test('typing finds one skill among all', async () => {
      await using context = await browser.context();
      const page = await context.newPage();
      await page.goto(`${served.url}/skills`);
      await isLive(page);
      await page.focus('#skills-q');
      await page.keyboard.type(`number ${SKILLS - 1} for`);
      await page.waitForSelector('#found:has-text("1 match")');
      expect(await page.textContent('#rows .ttl')).toBe(nameOf(SKILLS - 1));
    });
  });
});

/** Exact character counts, as measured with agents: see test/seen-by. */
describe('figures of a home whose skill list is too long', () => {
  test('the table, the list and the overview show the same figures', async () => {
    using folder = tempFolder({ 'home/.claude/settings.json': '{"model":"claude-sonnet-4"}' });
    for (let index = 0; index < 60; index += 1)
      folder.write({
        [`project/.claude/skills/${nameOf(index)}/SKILL.md`]: skillText({
          name: nameOf(index),
          description: 'd'.repeat(250),
        }),
      });
    const served = await serve(ofFolder(folder));
    try {
      const json = async (
        path: string,
      ): Promise<{ agent: { counts: Record<string, number>; budget: Record<string, number> } }> =>
        JSON.parse((await send(served, path)).body) as never;
      const { agent } = await json('/api/agents/claude?window=200k');
      // Each line: "- ", a name of eleven characters, ": ", 250 characters, a line break; plus built-in skills.
      const wanted = 60 * (2 + 11 + 2 + 250 + 1) + 6_198;
      expect(agent.budget).toMatchObject({ limit: 8_000, unit: 'characters', wanted });
      expect((agent.counts['seen'] ?? 0) + (agent.counts['nameOnly'] ?? 0)).toBe(60);
      const page = await send(served, '/agents/claude?window=200k', { headers: BROWSER });
      expect(page.body).toContain(`<dd>${agent.counts['nameOnly']}</dd>`);
      expect(page.body).toContain(`<dd>${Math.round((wanted * 100) / 8_000)} %</dd>`);
      expect(page.body).toContain('Make it fit');
      expect(page.body.match(/<del>/gu)?.length).toBe(agent.counts['nameOnly']);
    } finally {
      await served.stop();
    }
  });
});
