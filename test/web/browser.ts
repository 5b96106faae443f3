/** One browser for all tests of a file, and the checks of every page. */
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { chromiumPath } from './chromium.ts';
import type { Served } from './served.ts';

const PATIENCE_MS = 300_000;

let browser: Browser | undefined;

/** Opens a browser for all tests of the calling file. */
export function useBrowser(): { context(options?: BrowserContextOptions): Promise<BrowserContext> } {
  beforeAll(async () => {
    if (chromiumPath === undefined) return;
    // Root cannot use the sandbox, and containers have little shared memory.
    const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--hide-scrollbars'];
    browser = await chromium.launch({ executablePath: chromiumPath, args });
  });
  afterAll(() => browser?.close());
  return {
    context: async (options) => {
      if (!browser) throw new Error('there is no browser');
      const context = await browser.newContext(options);
      // Long enough for a busy machine: only a hang reaches this.
      context.setDefaultTimeout(PATIENCE_MS);
      return context;
    },
  };
}

export interface Watched {
  /** Browser errors, and requests to other hosts. */
  trouble: string[];
}

/** Records everything that our pages must never do. */
export function watch(page: Page, { url }: Pick<Served, 'url'>): Watched {
  const trouble: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') trouble.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !address.startsWith('data:')) trouble.push(`request: ${address}`);
  });
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { trouble };
}

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** Findings of axe-core, one line each. The context must bypass the policy, which would block axe-core. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(
    (tags) =>
      (globalThis as unknown as { axe: { run(context: object, options: object): Promise<AxeResult> } }).axe.run(
        document,
        { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] },
      ),
    AXE_TAGS,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  );
}

/** Checks that the page does not scroll horizontally. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [wide, shown] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(wide).toBeLessThanOrEqual(shown ?? 0);
}

/** Waits until the page has received its first event. */
export async function isLive(page: Page): Promise<void> {
  await page.waitForSelector('[data-live-state="on"]', { timeout: PATIENCE_MS });
}

/** Pages with a screenshot in the docs. */
const PICTURES = new Set(['overview', 'agents', 'skill', 'change', 'search']);

/** The file for the screenshot of a page, if screenshots are being updated and the docs have one of it. */
export function pictureFile(name: string, device: string, colorScheme: string): string | undefined {
  if (process.env['LECTERN_PICTURES'] !== '1' || device !== 'desk' || colorScheme !== 'light') return undefined;
  return PICTURES.has(name) ? path.join(PACKAGE_DIR, 'docs', 'pictures', `${name}.png`) : undefined;
}
