/** A shared catalog with a web interface: real replicas and database, three publications and a grant. */
import fs from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { type Company, companyOn } from '../support/company.ts';
import type { TestPostgres } from '../support/postgres.ts';
import { type Replica, startReplica } from '../support/replica.ts';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';

export interface ServedCatalog extends AsyncDisposable {
  company: Company;
  replicas: Replica[];
  /** Address of the first replica. */
  url: string;
}

/** The files of the example, to publish. */
export function bookshop(): Record<string, string> {
  const dir = path.join(PACKAGE_DIR, 'examples/bookshop');
  const entries = fs.readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(dir, file).split(path.sep).join('/'), fs.readFileSync(file, 'utf8')];
    }),
  );
}

export const CHECKOUT = {
  'skills/refund/SKILL.md': skillText({ name: 'refund', description: 'Pay back what a customer paid too much.' }),
  'skills/release-notes/SKILL.md': skillText({
    name: 'release-notes',
    description: 'Notes for a release of checkout.',
  }),
};

/** Payments has three versions of the example; checkout grants it two skills. */
export async function serveCatalog(postgres: TestPostgres, replicas = 1, flags: string[] = []): Promise<ServedCatalog> {
  const company = await companyOn(postgres);
  const started: Replica[] = [];
  for (let at = 0; at < replicas; at += 1)
    started.push(await startReplica(company.database, company.folder.at(`cache-${at}`), flags));
  const url = started[0]?.url ?? '';
  await company.publish(url, 'payments', { 'skills/first/SKILL.md': skillText({ name: 'first' }) }, []);
  await company.publish(url, 'payments', bookshop(), ['--accept-findings']);
  await company.run(['grant', 'add', 'checkout/skills', 'payments']);
  const more = skillText({ name: 'gift-cards', description: 'Sells and redeems gift cards.' });
  await company.publish(url, 'payments', { ...bookshop(), 'skills/gift-cards/SKILL.md': more }, ['--accept-findings']);
  await company.publish(url, 'checkout', CHECKOUT);
  return {
    company,
    replicas: started,
    url,
    async [Symbol.asyncDispose]() {
      for (const replica of started) await replica[Symbol.asyncDispose]();
      company[Symbol.dispose]();
    },
  };
}

/** Signs in with the form. */
export async function signIn(context: BrowserContext, url: string, token: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.fill('#token', token);
  await page.click('main button');
  await page.waitForSelector('[data-live-state]');
  await page.waitForSelector('#nav');
  await page.close();
}
