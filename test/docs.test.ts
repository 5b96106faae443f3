import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../src/cli/commands.ts';
import { FAILURE_CODES } from '../src/core/failure.ts';
import { LIMITS } from '../src/core/limits.ts';
import { cliPage, configPage, diagnosticsPage, errorsPage, limitsPage, operationsPage } from '../scripts/reference.ts';
import { OPERATIONS } from '../src/operations/index.ts';
import { ALL_CODES, CODES } from '../src/codes.ts';
import { DIAGNOSTICS_PAGE } from '../src/core/diagnostics.ts';
import { AGENTS } from './agents/agents.ts';
import { agentsPage } from './agents/page.ts';
import { Seen } from './agents/seen.ts';

/** `npm run docs` writes these pages; here they must be what the code would write. */
const docs = (page: string): string => fileURLToPath(new URL(`../docs/${page}`, import.meta.url));

describe('reference pages are written from the code', () => {
  test('commands and flags', async () => {
    await expect(cliPage(COMMANDS)).toMatchFileSnapshot(docs('reference/cli.md'));
  });
  test('operations', async () => {
    await expect(operationsPage(OPERATIONS)).toMatchFileSnapshot(docs('reference/operations.md'));
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
  test('diagnostics', async () => {
    await expect(diagnosticsPage(CODES)).toMatchFileSnapshot(docs(`../${DIAGNOSTICS_PAGE}`));
  });
  test('what agents show their models, from the records of the last runs', async () => {
    const read = (id: string): unknown =>
      JSON.parse(readFileSync(new URL(`agents/seen/${id}.json`, import.meta.url), 'utf8'));
    await expect(agentsPage(AGENTS.map(({ id }) => Seen.parse(read(id))))).toMatchFileSnapshot(docs('agents.md'));
  });
  test('every code is defined once and has one section', () => {
    const page = readFileSync(docs(`../${DIAGNOSTICS_PAGE}`), 'utf8');
    expect(new Set(ALL_CODES.map(({ code }) => code)).size).toBe(ALL_CODES.length);
    expect(ALL_CODES.filter(({ code }) => page.split(`\n### ${code}\n`).length !== 2)).toEqual([]);
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
    const codes = [...text.matchAll(/reference\/diagnostics\.md#([^)]+)/gu)].map((match) => match[1] ?? '');
    expect(codes.filter((code) => !ALL_CODES.some((rule) => rule.code === code))).toEqual([]);
  });
});
