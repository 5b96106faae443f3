/** One browser and one server for all tests of a file, and what is checked on every page. */
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

/** For all tests of the file that calls it. */
export function useBrowser(): { context(options?: BrowserContextOptions): Promise<BrowserContext> } {
  beforeAll(async () => {
    if (chromiumPath === undefined) return;
    // Root has no sandbox to put it in, and containers have little shared memory.
    const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--hide-scrollbars'];
    browser = await chromium.launch({ executablePath: chromiumPath, args });
  });
  afterAll(() => browser?.close());
  return {
    context: async (options) => {
      if (!browser) throw new Error('there is no browser');
      const context = await browser.newContext(options);
      // Only a hang reaches this, however busy the machine is.
      context.setDefaultTimeout(PATIENCE_MS);
      return context;
    },
  };
}

export interface Watched {
  /** What the browser complained about, and requests to other hosts. */
  trouble: string[];
}

/** Notes everything that a page of ours must never do. */
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

/** What axe-core finds wrong, in one line each. The context must bypass the policy, which would stop axe-core itself. */
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

/** Nothing sticks out to the right. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [wide, shown] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(wide).toBeLessThanOrEqual(shown ?? 0);
}

/** Waits until the page has heard from the server. */
export async function isLive(page: Page): Promise<void> {
  await page.waitForSelector('[data-live-state="on"]', { timeout: PATIENCE_MS });
}

/** Views with a picture in the docs. */
const PICTURES = new Set(['overview', 'agents', 'skill', 'change', 'search']);

/** Where the picture of a view goes when the pictures of the docs are made anew; undefined for none. */
export function pictureFile(view: string, device: string, colorScheme: string): string | undefined {
  if (process.env['LECTERN_PICTURES'] !== '1' || device !== 'desk' || colorScheme !== 'light') return undefined;
  return PICTURES.has(view) ? path.join(PACKAGE_DIR, 'docs', 'pictures', `${view}.png`) : undefined;
}
