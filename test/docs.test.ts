import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMANDS, OVERVIEW } from '../src/cli/commands.ts';
import { FAILURE_CODES } from '../src/core/failure.ts';
import { LIMITS } from '../src/core/limits.ts';
import { cliPage, codePage, codesIndex, configPage, errorsPage, limitsPage } from '../scripts/reference.ts';
import { ALL_CODES } from '../src/codes.ts';
import { AGENTS } from './agents/agents.ts';
import { agentsPage } from './agents/page.ts';
import { Seen } from './agents/seen.ts';

/** `npm run docs` writes these pages; here they must be what the code would write. */
const docs = (page: string): string => fileURLToPath(new URL(`../docs/${page}`, import.meta.url));

describe('reference pages are written from the code', () => {
  test('commands and flags', async () => {
    await expect(cliPage([OVERVIEW, ...COMMANDS])).toMatchFileSnapshot(docs('reference/cli.md'));
  });
  test('limits', async () => {
    await expect(limitsPage(LIMITS)).toMatchFileSnapshot(docs('reference/limits.md'));
  });
  test('errors', async () => {
    await expect(errorsPage(FAILURE_CODES)).toMatchFileSnapshot(docs('reference/errors.md'));
  });
  test('configuration', async () => {
    await expect(configPage()).toMatchFileSnapshot(docs('configuration.md'));
  });
  test('the index of diagnostics', async () => {
    await expect(codesIndex(ALL_CODES)).toMatchFileSnapshot(docs('diagnostics/README.md'));
  });
  test.each(ALL_CODES.map((code) => [code.code, code] as const))('diagnostic %s', async (name, code) => {
    await expect(codePage(code)).toMatchFileSnapshot(docs(`diagnostics/${name}.md`));
  });
  test('what agents show their models, from the records of the last runs', async () => {
    const read = (id: string): unknown =>
      JSON.parse(readFileSync(new URL(`agents/seen/${id}.json`, import.meta.url), 'utf8'));
    await expect(agentsPage(AGENTS.map(({ id }) => Seen.parse(read(id))))).toMatchFileSnapshot(docs('agents.md'));
  });
  test('no page is left over from a code that is gone, and no code is defined twice', () => {
    const pages = readdirSync(docs('diagnostics')).filter((page) => page !== 'README.md');
    expect(pages.sort()).toEqual(ALL_CODES.map(({ code }) => `${code}.md`).sort());
  });
});

describe('links in the documents', () => {
  const pages = [
    '../README.md',
    '../CONTRIBUTING.md',
    '../CHANGELOG.md',
    'README.md',
    'discovery.md',
    'names-and-filters.md',
    'specs.md',
    'configuration.md',
    'search.md',
    'library.md',
    'mcp.md',
    'agents.md',
    'requirements.md',
  ];
  test.each(pages)('%s leads nowhere wrong', (page) => {
    const text = readFileSync(docs(page), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/gu)].map((match) => match[1] ?? '');
    const missing = targets.filter(
      (target) => !existsSync(new URL(target, new URL(`../docs/${page}`, import.meta.url))),
    );
    expect(missing).toEqual([]);
  });
});
