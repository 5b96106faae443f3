/** The first search on a machine, before there is a search index, in a browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { isLive, useBrowser, watch } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { ofFolder, send, serve, type Served } from './served.ts';

/** Enough text that the index takes several times as long as the page waits, even on a fast machine. */
const SKILLS = 300;
const WORDS = 4_000;

/** No word occurs twice, because a known word takes no time. */
function bodyOf(skill: number): string {
  return Array.from({ length: WORDS }, (_, word) => `w${(skill * WORDS + word).toString(36)}`).join(' ');
}

describe.skipIf(chromiumPath === undefined)('without a search index', () => {
  const browser = useBrowser();
  let folder: TempFolder;
  let served: Served;

  beforeAll(async () => {
    folder = tempFolder({
      'project/.claude/skills/decks/SKILL.md': skillText({
        name: 'decks',
        description: 'Creates presentations for meetings.',
      }),
      // The only skill with both words of the question.
      'project/.claude/skills/notes/SKILL.md': skillText({
        name: 'notes',
        description: 'Takes notes of a call.',
        body: 'Make a list of the decisions. The slides are attached.\n',
      }),
      ...Object.fromEntries(
        Array.from({ length: SKILLS }, (_, index) => [
          `project/.claude/skills/s${index}/SKILL.md`,
          skillText({ name: `s${index}`, description: `Number ${index}`, body: bodyOf(index) }),
        ]),
      ),
    });
    served = await serve(ofFolder(folder));
  });
  afterAll(async () => {
    await served?.stop();
    folder?.[Symbol.dispose]();
  });

  test('a page says that the index is being built, lists nothing, and shows the results when it is ready', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 700 } });
    const page = await context.newPage();
    const { trouble } = watch(page, served);
    await page.goto(`${served.url}/search?q=presentation+slides`);
    expect(await page.textContent('#honest')).toBe('Building the search index of 302 documents');
    expect(await page.locator('.res li').count()).toBe(0);
    await isLive(page);
    await page.waitForSelector('.res li');
    // Results by words alone would not have this one.
    expect(await page.textContent('.res .ttl')).toBe('decks');
    expect(await page.textContent('#honest')).not.toContain('Building');
    expect(trouble).toEqual([]);
    const { body } = await send(served, '/api/search?q=presentation+slides');
    expect(JSON.parse(body)).toMatchObject({
      mode: 'auto',
      results: expect.arrayContaining([expect.objectContaining({ name: 'decks' })]),
    });
    expect(JSON.parse(body)).not.toHaveProperty('preparing');
  });
});
