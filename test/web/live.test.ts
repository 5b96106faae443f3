/** Open pages follow changes on disk without disturbing the reader. */
import fs from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { isLive, useBrowser, watch, type Watched } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { ofFolder, serve, type Served } from './served.ts';

const SPEC = `# cap Specification

## Purpose
This capability exists so that the change has something to change.

## Requirements

### Requirement: Alpha
The system SHALL do alpha.

#### Scenario: One
- **WHEN** a
- **THEN** b
`;

describe.skipIf(chromiumPath === undefined)('live', () => {
  const browser = useBrowser();
  let folder: TempFolder;
  let served: Served;
  let context: BrowserContext;
  let page: Page;
  let watched: Watched;

  beforeAll(async () => {
    folder = tempFolder({
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => {
          const name = `skill-${String(index).padStart(2, '0')}`;
          return [`project/.claude/skills/${name}/SKILL.md`, skillText({ name, description: `Number ${index}` })];
        }),
      ),
      'home/.claude/settings.json': '{}',
      'project/openspec/specs/cap/spec.md': SPEC,
      'project/openspec/changes/grow/proposal.md': '# Grow\n\n## Why\nBecause.\n\n## What Changes\n- More\n',
      'project/openspec/changes/grow/tasks.md': '## 1. Work\n- [ ] 1.1 First\n- [ ] 1.2 Second\n',
    });
    served = await serve(ofFolder(folder));
  });
  afterAll(async () => {
    await served?.stop();
    folder?.[Symbol.dispose]();
  });
  beforeEach(async () => {
    context = await browser.context({ viewport: { width: 1280, height: 700 } });
    page = await context.newPage();
    watched = watch(page, served);
  });
  afterEach(() => context.close());

  const open = async (address: string): Promise<void> => {
    await page.goto(served.url + address);
    await isLive(page);
  };
  const skill = (name: string, description: string): void =>
    folder.write({ [`project/.claude/skills/${name}/SKILL.md`]: skillText({ name, description }) });

  test('the page follows a skill that is added, edited, broken, fixed, disabled and removed', async () => {
    await open('/skills?q=newcomer');
    await page.waitForSelector('text=No skill matches.');
    skill('newcomer', 'A newcomer arrives');
    await page.waitForSelector('text=A newcomer arrives');
    skill('newcomer', 'The newcomer settles in');
    await page.waitForSelector('text=The newcomer settles in');
    folder.write({ 'project/.claude/skills/newcomer/SKILL.md': '---\nname: newcomer\n' });
    await page.waitForSelector('text=No skill matches.');
    await page.waitForSelector('.lede:has-text("1 broken file")');
    skill('newcomer', 'The newcomer is well again');
    await page.waitForSelector('text=The newcomer is well again');
    const dir = folder.at('project/.claude/skills/newcomer');
    fs.renameSync(`${dir}/SKILL.md`, `${dir}/.SKILL.md`);
    await page.waitForSelector('.rows .b:has-text("disabled")');
    fs.rmSync(dir, { recursive: true });
    await page.waitForSelector('text=No skill matches.');
    expect(watched.trouble).toEqual([]);
  });

  test('an update keeps focus, typed text, scroll position, selection, open details and unchanged nodes', async () => {
    await open('/');
    await page.click('#strips-table summary');
    await page.fill('#q', 'half a wor');
    await page.evaluate(() => {
      const first = document.querySelector('h1');
      if (first) Object.assign(first, { isTheSame: true });
      scrollTo(0, 200);
      getSelection()?.selectAllChildren(document.querySelector('.lede') as Node);
    });
    await page.focus('#q');
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector('.lede') as Node));
    const before = await page.evaluate(() => scrollY);
    folder.write({ 'project/openspec/changes/grow/tasks.md': '## 1. Work\n- [x] 1.1 First\n- [ ] 1.2 Second\n' });
    await page.waitForSelector('text=1 of 2 tasks done');
    const after = await page.evaluate(() => ({
      focus: document.activeElement?.id,
      typed: document.querySelector<HTMLInputElement>('#q')?.value,
      scroll: scrollY,
      details: document.querySelector<HTMLDetailsElement>('#strips-table')?.open,
      heading: (document.querySelector('h1') as unknown as { isTheSame?: boolean }).isTheSame,
      selection: getSelection()?.toString().includes('Found for'),
    }));
    expect(after).toEqual({
      focus: 'q',
      typed: 'half a wor',
      scroll: before,
      details: true,
      heading: true,
      selection: true,
    });
    expect(watched.trouble).toEqual([]);
  });

  test('focus stays on its row while other rows change, and moves to the page if its row is removed', async () => {
    await open('/skills');
    await page.focus('#rows li:nth-child(5) a');
    skill('aaa-first', 'Comes before all others');
    await page.waitForSelector('text=Comes before all others');
    const focused = (): Promise<string | undefined> =>
      page.evaluate(
        () =>
          document.activeElement?.closest('[data-row]')?.querySelector('.ttl')?.textContent ??
          document.activeElement?.id,
      );
    expect(await focused()).toBe('skill-04');
    fs.rmSync(folder.at('project/.claude/skills/skill-04'), { recursive: true });
    await page.waitForSelector('#rows:not(:has-text("skill-04"))');
    expect(await focused()).toBe('main');
    fs.rmSync(folder.at('project/.claude/skills/aaa-first'), { recursive: true });
    skill('skill-04', 'Number 4');
    await page.waitForSelector('#rows:has-text("skill-04")');
  });

  test('a changed row is highlighted briefly, but not with reduced motion', async () => {
    await open('/skills');
    skill('skill-00', 'Said anew');
    await page.waitForSelector('[data-fresh]:has-text("Said anew")');
    const animation = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.querySelector('[data-fresh]') ?? document.body).animationName);
    expect(await animation()).toBe('fresh');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await animation()).toBe('none');
    skill('skill-00', 'Number 0');
    await page.waitForSelector('text=Number 0');
  });

  test('a hidden page closes its stream and catches up when it becomes visible', async () => {
    await open('/skills?q=hidden-news');
    const setHidden = (hidden: boolean): Promise<void> =>
      page.evaluate((isHidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await setHidden(true);
    skill('hidden-news', 'Written while nobody looked');
    await setHidden(false);
    await page.waitForSelector('text=Written while nobody looked');
    fs.rmSync(folder.at('project/.claude/skills/hidden-news'), { recursive: true });
    await page.waitForSelector('text=No skill matches.');
  });

  test('a page whose server stops shows that, stays usable and reconnects when the server restarts', async () => {
    await open('/skills?q=after-restart');
    const { port } = served;
    await served.stop();
    await page.waitForSelector('.live:has-text("Not live, reconnecting")');
    expect(await page.isVisible('h1')).toBe(true);
    skill('after-restart', 'Written while the server was away');
    served = await serve([...ofFolder(folder), '--port', String(port)]);
    await page.waitForSelector('text=Written while the server was away');
    await page.waitForSelector('.live:has-text("Live")');
    fs.rmSync(folder.at('project/.claude/skills/after-restart'), { recursive: true });
    await page.waitForSelector('text=No skill matches.');
  });
});
