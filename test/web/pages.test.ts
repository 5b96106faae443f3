/** Every page, light and dark, on a desk and on a phone. A new page is one line in the table. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, expectNoSidewaysScroll, isLive, pictureFile, useBrowser, watch } from './browser.ts';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { chromiumPath } from './chromium.ts';
import { serve, type Served } from './served.ts';

const PAGES: readonly [name: string, address: string, heading: string | RegExp][] = [
  ['overview', '/', '12 skills, 3 specs and 3 changes'],
  ['skills', '/skills', 'Skills'],
  ['skills-found', '/skills?q=release&provider=claude', 'Skills'],
  ['skills-none', '/skills?q=relaese', 'Skills'],
  ['skill', '/skills/agents:release-notes', 'release-notes'],
  ['skill-compared', '/skills/agents:release-notes?with=WITH', 'release-notes'],
  ['skill-disabled', '/skills/repo:price-check', 'price-check'],
  ['skill-missing', '/skills/relaese-notes', 'That did not work'],
  ['file', '/skills/agents:release-notes/file?path=references/template.md', 'references/template.md'],
  ['agents', '/agents', 'What each agent sees'],
  ['agents-by-skill', '/agents?show=differs', 'What each agent sees'],
  ['agents-cell', '/agents?agent=codex&skill=incident-review', 'What each agent sees'],
  ['agent', '/agents/claude', 'Claude Code'],
  ['fit', '/agents/claude/fit', 'Every description fits into the list of Claude Code'],
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

const WIDTHS = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

describe.skipIf(chromiumPath === undefined)('every page', () => {
  const browser = useBrowser();
  let served: Served;
  let folder: TempFolder;
  // A copy of the example, so that screenshots do not show where they were taken.
  beforeAll(async () => {
    folder = tempFolder({ 'bookshop/.git/HEAD': 'ref: refs/heads/main\n' });
    for (const name of ['bookshop', 'home'])
      fs.cpSync(path.join(PACKAGE_DIR, 'examples', name), folder.at(name), { recursive: true });
    served = await serve(['web', '--project-dir', folder.at('bookshop'), '--user-dir', folder.at('home')]);
  });
  afterAll(async () => {
    await served?.stop();
    folder?.[Symbol.dispose]();
  });

  describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
    test.each(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[])(
      'on a %s, is accessible and reports no errors',
      async (device) => {
        await using context = await browser.context({ colorScheme, viewport: WIDTHS[device], bypassCSP: true });
        const otherCopy = encodeURIComponent(folder.at('bookshop/.claude/skills/release-notes'));
        for (const [name, address, heading] of PAGES) {
          const page = await context.newPage();
          const { trouble } = watch(page, served);
          await page.goto(served.url + address.replace('WITH', otherCopy));
          await isLive(page);
          expect.soft(await page.textContent('h1'), name).toMatch(heading);
          await expectNoSidewaysScroll(page);
          expect.soft(await accessibilityProblems(page), name).toEqual([]);
          const allowed = /not-found$|missing/u.test(name) ? trouble.filter((line) => !line.includes('404')) : trouble;
          expect.soft(allowed, name).toEqual([]);
          const picture = pictureFile(name, device, colorScheme);
          if (picture !== undefined) await page.screenshot({ path: picture, fullPage: true });
          await page.close();
        }
      },
    );
  });
});
