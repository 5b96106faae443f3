/** Specs, changes, problems and search in a browser: content, live updates, without script, at the limits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { project, type ProjectFiles } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { expectNoSidewaysScroll, isLive, useBrowser, watch } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { serve, type Served } from './served.ts';

const SPEC = `# Checkout

## Purpose
Describes everything between a full basket and an order that is paid for.

## Requirements

### Requirement: Reserving copies
The shop SHALL reserve each copy for fifteen minutes, because most books exist only once.

#### Scenario: Two customers
- **GIVEN** one copy is left
- **WHEN** a second customer starts to pay
- **THEN** the second customer is told
- **AND** is offered a notice

#### Scenario: Time runs out
- **WHEN** fifteen minutes pass
- **THEN** the copy is offered again

### Requirement: Paying an order
The shop SHALL accept cards.

#### Scenario: Paid
- **WHEN** the card is accepted
- **THEN** the order is complete
`;

const PROPOSAL =
  '# Change: More wishes\n\n## Why\nCustomers have been asking for this for a very long time.\n\n## What Changes\n- Much\n';

const RESERVING = SPEC.slice(SPEC.indexOf('### Requirement: Reserving'), SPEC.indexOf('### Requirement: Paying'));

function change(name: string, delta: string, tasks = '- [x] 1.1 First\n- [ ] 1.2 Second\n'): ProjectFiles {
  const dir = `project/openspec/changes/${name}`;
  return {
    [`${dir}/proposal.md`]: PROPOSAL,
    [`${dir}/tasks.md`]: tasks,
    [`${dir}/specs/checkout/spec.md`]: delta,
  };
}

const FILES: ProjectFiles = {
  'project/openspec/specs/checkout/spec.md': SPEC,
  ...change(
    'wishes',
    `## MODIFIED Requirements\n\n${RESERVING.replace('a notice', 'the wish list')}\n#### Scenario: A new one\n- **WHEN** a wish is made\n- **THEN** it is kept\n`,
  ),
  ...change('slower', `## MODIFIED Requirements\n\n${RESERVING.replaceAll('fifteen', 'thirty')}`),
  ...change(
    'lost',
    '## MODIFIED Requirements\n\n### Requirement: Paying for orders\nThe shop SHALL accept cards and cash.\n\n#### Scenario: Paid\n- **WHEN** the card is accepted\n- **THEN** the order is complete\n',
    '- [x] done\n',
  ),
  ...change(
    'gone',
    '## REMOVED Requirements\n\n### Requirement: Paying an order\n**Reason**: Nobody pays.\n**Migration**: Give books away.\n',
  ),
  'project/.claude/skills/invoices/SKILL.md':
    '---\nname: invoices\ndescription: Writes invoices for orders. Use when an order is paid.\n---\nWrite it.\n',
};

/** The texts of a selector, in order. */
const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll((elements) => elements.map((element) => (element.textContent ?? '').trim()));

describe.skipIf(chromiumPath === undefined)('specs and changes', () => {
  const browser = useBrowser();
  const folder = project(FILES, 'disk');
  let served: Served;
  beforeAll(async () => {
    served = await serve(['web', '--project-dir', folder.at('project'), '--user-dir', folder.at('home')]);
  });
  afterAll(async () => {
    await served?.stop();
    folder[Symbol.dispose]();
  });

  test('a change is shown next to the current spec, with differing words marked', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${served.url}/changes/wishes`);
    expect(await texts(page, '.pair del')).toEqual(['a notice']);
    expect(await texts(page, '.pair:not(.head) ins')).toEqual(['the wish list']);
    expect(await texts(page, '.req-h .sum')).toEqual(['in checkout · 1 clause changed, 1 scenario added']);
    expect(await texts(page, 'details.same summary')).toEqual(['1 scenario unchanged: Time runs out · show']);
    await page.click('details.same summary');
    expect(await page.isVisible('text=the copy is offered again')).toBe(true);
    expect(await texts(page, '.note b')).toEqual(['slower modifies “Reserving copies” too']);
    expect(await page.textContent('.note .dim')).toContain('If wishes is archived first, slower is then refused');

    await page.click('text=Compare the two');
    expect(await page.textContent('h1')).toBe('wishes and slower');
    expect(await texts(page, '.sides.three > div')).toEqual([
      'Now',
      expect.stringContaining('wishes modified'),
      expect.stringContaining('slower modified'),
    ]);
    expect(await texts(page, '.three ins')).toEqual(['thirty', 'the wish list', 'thirty']);
  });

  test('a missing requirement is compared with the nearest one, and a removed one shows its reason', async () => {
    await using context = await browser.context();
    const page = await context.newPage();
    await page.goto(`${served.url}/changes/lost`);
    expect(await page.textContent('.near')).toBe(
      'The current spec has no “Paying for orders”. The nearest is “Paying an order”, shown on the left.',
    );
    expect(await texts(page, '.pair ins')).toEqual(['and cash']);
    expect(await page.textContent('.note.bad')).toContain('cannot be applied');
    expect(await texts(page, '.bigbar .b')).toEqual(['blocked']);
    await page.click('text=After archiving');
    expect(await page.textContent('.note.bad')).toContain('Archiving would fail');

    await page.goto(`${served.url}/changes/gone`);
    expect(await texts(page, '.why-gone dd')).toEqual(['Nobody pays.', 'Give books away.']);
    expect(await page.textContent('.one.gone')).toContain('The shop SHALL accept cards.');
  });

  test('a completed task appears on the open page, and expanded details stay open', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const { trouble } = watch(page, served);
    await page.goto(`${served.url}/changes/wishes`);
    await isLive(page);
    await page.click('details.same summary');
    const tasks = 'project/openspec/changes/wishes/tasks.md';
    folder.write({ [tasks]: '- [x] 1.1 First\n- [x] 1.2 Second\n' });
    await page.waitForSelector('text=Tasks 2/2', { timeout: 120_000 });
    expect(await page.getAttribute('details.same', 'open')).not.toBeNull();
    expect(await page.textContent('.crumb')).toBe('Changes / ready to archive');
    expect(await page.textContent('.bigbar')).toContain('2 of 2');

    const delta = 'project/openspec/changes/wishes/specs/checkout/spec.md';
    const before = folder.read(delta);
    folder.write({ [delta]: before.replace('the wish list', 'a wish list of their own') });
    await page.waitForSelector('ins:has-text("a wish list of their own"), ins:has-text("wish list of their own")', {
      timeout: 120_000,
    });
    expect(trouble).toEqual([]);
    folder.write({ [delta]: before, [tasks]: '- [x] 1.1 First\n- [ ] 1.2 Second\n' });
  });

  test('results update while the user types, and a late reply does not replace a newer one', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${served.url}/search`);
    expect(await page.textContent('h1')).toBe('Search');
    const asked: string[] = [];
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/search?q=*', async (route) => {
      const query = new URL(route.request().url()).searchParams.get('q') ?? '';
      asked.push(query);
      // The first reply is slow: it arrives after that of a later query.
      if (query === 'invoices') await held;
      await route.continue();
    });
    await page.fill('#q', 'invoices');
    await page.waitForRequest('**/search?q=invoices');
    await page.fill('#q', 'reserving copies');
    await page.waitForSelector('.res .ttl:has-text("Reserving copies")', { timeout: 120_000 });
    release?.();
    await page.waitForResponse('**/search?q=invoices');
    expect(asked).toEqual(['invoices', 'reserving copies']);
    expect((await texts(page, '.res .ttl'))[0]).toBe('Reserving copies');
    expect(new URL(page.url()).search).toBe('?q=reserving+copies');
    expect(await texts(page, '.res li:first-child mark')).toContain('copy');
    await page.click('.honest a:has-text("show scores")');
    await page.waitForSelector('.res .reason');
    expect(await page.textContent('.res li')).toContain('words: reserving, copies');

    // Move to the results with the keyboard, and open one.
    await page.focus('#q');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Reserving copies');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/specs\/checkout\?requirement=Reserving\+copies#r-reserving-copies$/u);
    expect(await page.isVisible('#r-reserving-copies')).toBe(true);
  });

  test('the selected kind stays while the query changes', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${served.url}/search?q=order`);
    await page.click('.chip:has-text("Requirements")');
    await page.waitForURL(/in=specs/u);
    await page.fill('#q', 'order paid');
    await page.waitForURL(/q=order\+paid/u);
    expect(new URL(page.url()).searchParams.get('in')).toBe('specs');
    await page.waitForFunction(() => document.title.startsWith('Search: order paid'));
    expect(new Set(await texts(page, '.res .kind'))).toEqual(new Set(['Requirement']));
  });

  test('every page, tab and form works without script', async () => {
    await using context = await browser.context({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${served.url}/changes`);
    await page.click('.tick .t:text-is("wishes")');
    expect(await page.textContent('h1')).toBe('wishes');
    for (const [tab, text] of [
      ['Proposal', 'Customers have been asking'],
      ['Tasks', '1.2 Second'],
      ['After archiving', 'the wish list'],
    ] as const) {
      await page.click(`.tabs a:has-text("${tab}")`);
      expect.soft(await page.textContent('main'), tab).toContain(text);
    }
    await page.fill('#q', 'who pays for invoices');
    await page.press('#q', 'Enter');
    expect(await page.textContent('.honest')).toMatch(/^\d+ results? in 1 skill, /u);
    await page.click('.honest a:has-text("show scores")');
    expect(await page.textContent('.res .reason')).toContain('meaning');
    await page.click('.chip:has-text("Skills")');
    expect(await texts(page, '.res .ttl')).toEqual(['invoices']);
    await page.click('.res .ttl');
    await page.goto(`${served.url}/specs`);
    await page.click('text=checkout');
    expect(await page.textContent('h1')).toBe('Checkout');
    await page.click('a.b:has-text("wishes")');
    expect(await page.textContent('h1')).toBe('wishes');
    await page.goto(`${served.url}/problems?kind=changes`);
    await page.click('.chip:has-text("Warnings")');
    expect(await page.textContent('main')).toContain('delta-target-missing');
  });

  test('a missing name gives a 404 page with links to similar names', async () => {
    await using context = await browser.context();
    const page = await context.newPage();
    for (const [address, near] of [
      ['/changes/wishs', 'wishes'],
      ['/specs/chekout', 'checkout'],
    ] as const) {
      const response = await page.goto(served.url + address);
      expect(response?.status()).toBe(404);
      await page.click(`main a:has-text("${near}")`);
      expect((await page.textContent('h1'))?.toLowerCase()).toBe(near);
    }
    expect((await page.goto(`${served.url}/changes/wishes/nothing`))?.status()).toBe(404);
  });

  test('the twin of each page contains the --json output of the command', async () => {
    const run = async (...args: string[]): Promise<object> =>
      JSON.parse((await lectern(folder, [...args, '--json'])).stdout);
    const twin = async (address: string): Promise<unknown> => (await fetch(served.url + address)).json();
    const pairs: [string, string[]][] = [
      ['/api/specs', ['spec', 'list']],
      ['/api/spec?id=checkout', ['spec', 'show', 'checkout', '--limit', '50']],
      ['/api/changes', ['change', 'list', '--with-archived', '20']],
      ['/api/change?id=wishes', ['change', 'diff', 'wishes', '--limit', '200']],
      ['/api/change/texts?id=wishes', ['change', 'show', 'wishes']],
      ['/api/change/after?id=wishes', ['change', 'archive', 'wishes', '--dry-run', '--full', '--characters', '65536']],
      ['/api/change/after?id=lost', ['change', 'archive', 'lost', '--dry-run', '--full', '--characters', '65536']],
      ['/api/compare?a=wishes&b=slower', ['change', 'overlap', 'wishes', 'slower']],
      ['/api/problems', ['validate', '--all', '--limit', '100']],
      ['/api/search?q=paid+orders', ['search', 'paid orders', '--limit', '20']],
    ];
    for (const [address, args] of pairs) expect.soft(await twin(address), address).toMatchObject(await run(...args));
  });
});

const EVIL = '<img src=x onerror=alert(1)><script>alert(2)</script> [x](javascript:alert(3)) \u202Eevil';

describe.skipIf(chromiumPath === undefined)('at the limits', () => {
  const browser = useBrowser();
  const rules = Array.from(
    { length: 2_000 },
    (_, index) =>
      `\n### Requirement: Rule ${index} of the house\nThe system SHALL follow rule ${index} whenever it is asked to, and SHALL say so in the log.\n\n#### Scenario: Rule ${index} applies\n- **GIVEN** a house with rule ${index}\n- **WHEN** somebody asks for rule ${index}\n- **THEN** the rule is followed\n- **AND** the log has the number ${index}\n`,
  );
  const huge = `# Huge\n\n## Purpose\nA spec as large as they come, so that the page has to stay quick with it.\n\n## Requirements\n${rules.join('')}`;
  const evil = `# ${EVIL}\n\n## Purpose\n${EVIL}\n\n## Requirements\n\n### Requirement: ${EVIL}\nThe system SHALL ${EVIL}\n\n#### Scenario: ${EVIL}\n- **GIVEN** ${EVIL}\n- **WHEN** ${EVIL}\n- **THEN** ${EVIL} ${'x'.repeat(100_000)}\n`;
  const folder = project(
    {
      'project/openspec/specs/huge/spec.md': huge,
      'project/openspec/specs/evil/spec.md': evil,
      'project/openspec/changes/evil/proposal.md': `# ${EVIL}\n\n## Why\n${EVIL}\n\n## What Changes\n${EVIL}\n`,
      'project/openspec/changes/evil/design.md': EVIL,
      'project/openspec/changes/evil/tasks.md': `## ${EVIL}\n- [ ] ${EVIL}\n`,
      'project/openspec/changes/evil/specs/evil/spec.md': `## MODIFIED Requirements\n\n### Requirement: ${EVIL}\nThe system SHALL never ${EVIL}\n\n#### Scenario: ${EVIL}\n- **GIVEN** ${EVIL}\n- **WHEN** not ${EVIL}\n- **THEN** ${EVIL}\n\n## REMOVED Requirements\n### Requirement: ${EVIL} gone\n**Reason**: ${EVIL}\n`,
      'project/openspec/changes/other/proposal.md': '## Why\nBecause.\n',
      'project/openspec/changes/other/specs/evil/spec.md': `## MODIFIED Requirements\n\n### Requirement: ${EVIL}\nThe system SHALL ${EVIL} otherwise.\n\n#### Scenario: ${EVIL}\n- **WHEN** ${EVIL}\n- **THEN** b\n`,
      'project/openspec/changes/large/proposal.md': '## Why\nEverything changes.\n',
      'project/openspec/changes/large/specs/huge/spec.md': `## MODIFIED Requirements\n${rules.slice(0, 300).join('').replaceAll('the rule is followed', 'the rule is followed at once')}`,
    },
    'disk',
  );
  let served: Served;
  beforeAll(async () => {
    served = await serve(['web', '--project-dir', folder.at('project'), '--user-dir', folder.at('home')]);
  });
  afterAll(async () => {
    await served?.stop();
    folder[Symbol.dispose]();
  });

  test('text from files never becomes markup in any field of any page', async () => {
    for (const width of [1280, 390]) {
      await using context = await browser.context({ viewport: { width, height: 844 } });
      const page = await context.newPage();
      const { trouble } = watch(page, served);
      for (const address of [
        '/specs',
        '/specs/evil',
        '/changes',
        '/changes/evil',
        '/changes/evil/proposal',
        '/changes/evil/tasks',
        '/changes/evil/design',
        '/changes/evil/after',
        '/changes/compare?a=evil&b=other',
        '/problems',
        `/search?q=${encodeURIComponent('evil onerror alert')}`,
        `/search?q=${encodeURIComponent(EVIL)}`,
      ]) {
        await page.goto(served.url + address);
        expect.soft(await page.locator('main img, main script, main a[href^="javascript"]').count(), address).toBe(0);
        expect.soft(await page.title(), address).toMatch(/· Lectern$/u);
        // Characters that reorder text are made visible.
        expect.soft(await page.content(), address).not.toContain('\u202E');
        await expectNoSidewaysScroll(page);
      }
      expect.soft(trouble).toEqual([]);
    }
  });

  test('a spec of 600 KB and a change of 300 requirements stay within the page limits', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const { trouble } = watch(page, served);
    expect(Buffer.byteLength(huge)).toBeGreaterThan(600_000);
    for (const address of [
      '/specs/huge',
      '/specs',
      '/changes',
      '/changes/large',
      '/problems',
      '/search?q=rule+house',
    ]) {
      const body = await (await fetch(served.url + address)).text();
      expect.soft(Buffer.byteLength(body), address).toBeLessThan(150_000);
      await page.goto(served.url + address);
      expect.soft(await page.locator('*').count(), address).toBeLessThan(3_000);
    }
    const twins = ['/api/spec?id=huge', '/api/change?id=large', '/api/change/after?id=large', '/api/problems'];
    for (const twin of twins) {
      const body = await (await fetch(served.url + twin)).text();
      expect.soft(Buffer.byteLength(body), twin).toBeLessThan(500_000);
    }

    await page.goto(`${served.url}/specs/huge`);
    await page.click('text="Rule 7 of the house"');
    await page.waitForSelector('#r-rule-7-of-the-house .scn');
    expect(await page.textContent('#r-rule-7-of-the-house')).toContain('a house with rule 7');
    expect(await page.locator('.scn').count()).toBe(1);
    await page.locator('#more').scrollIntoViewIfNeeded();
    await page.waitForSelector('text="Rule 250 of the house"');

    await page.goto(`${served.url}/changes/large`);
    expect(await page.locator('.heads li').count()).toBeGreaterThan(150);
    await page.click('#r-huge-rule-199-of-the-house a');
    await page.waitForSelector('#r-huge-rule-199-of-the-house ins:has-text("at once")');
    expect(trouble).toEqual([]);
  });

  test('without script, each requirement links to its text', async () => {
    await using context = await browser.context({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${served.url}/specs/huge`);
    await page.click('text="Rule 7 of the house"');
    expect(await page.textContent('#r-rule-7-of-the-house')).toContain('a house with rule 7');
    await page.goto(`${served.url}/specs/huge?requirement=Rule+1000+of+the+house`);
    expect(await page.textContent('#r-rule-1000-of-the-house')).toContain('a house with rule 1000');
    await page.click('#more a');
    expect(await page.textContent('.heads li')).toContain('Rule 200');
  });
});
