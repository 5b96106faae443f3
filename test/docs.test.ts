import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml, parseAllDocuments } from 'yaml';
import { COMMANDS } from '../src/cli/commands.ts';
import { parseCommandLine } from '../src/cli/parse.ts';
import { Failure, FAILURE_CODES } from '../src/core/failure.ts';
import { camelKey } from '../src/core/fields/camel-case.ts';
import { LIMITS } from '../src/core/limits.ts';
import {
  cliPage,
  configPage,
  diagnosticsPage,
  errorsPage,
  jsonPage,
  limitsPage,
  operationsPage,
  snakeKeys,
} from '../scripts/reference.ts';
import { paramsFor } from '../src/operations/define.ts';
import { OPERATIONS } from '../src/operations/index.ts';
import { ALL_CODES, CODES } from '../src/codes.ts';
import { DIAGNOSTICS_PAGE } from '../src/core/diagnostics.ts';
import { AGENTS } from './agents/agents.ts';
import { LISTED_AGENTS } from './agents/more-agents.ts';
import { agentsPage, Lists } from './agents/page.ts';
import { Seen } from './agents/seen.ts';

/** `npm run docs` writes these pages; here they must be what the code would write. */
const docs = (page: string): string => fileURLToPath(new URL(`../docs/${page}`, import.meta.url));

const SNAKE_KEYS = [
  'archived_as',
  'archived_total',
  'change_id',
  'dry_run',
  'is_new',
  'keyword_before',
  'left_out',
  'open_tasks',
  'overlaps_left_out',
  'recovered_change',
  'requirement_description',
  'scenario_count',
  'spec_id',
  'task_progress',
  'when_clauses',
];

describe('reference pages match the code; npm run docs rewrites them', () => {
  test('commands and flags', async () => {
    await expect(cliPage(COMMANDS)).toMatchFileSnapshot(docs('reference/cli.md'));
  });
  test('operations', async () => {
    await expect(operationsPage(OPERATIONS)).toMatchFileSnapshot(docs('reference/operations.md'));
  });
  test('JSON output', async () => {
    await expect(jsonPage(OPERATIONS, COMMANDS)).toMatchFileSnapshot(docs('json.md'));
  });
  test('every command that prints JSON and is not an operation describes its document', () => {
    const derived = new Set(OPERATIONS.map(({ command }) => command?.name));
    const missing = COMMANDS.filter(({ name, serves, document }) => !derived.has(name) && !serves && !document);
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
  test('new keys of results are in camelCase', () => {
    expect(snakeKeys(OPERATIONS), 'these older keys stay; spell a new one in camelCase').toEqual(SNAKE_KEYS);
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
  test('agents and their models, from the records of the last runs', async () => {
    const read = (file: string): unknown =>
      JSON.parse(readFileSync(new URL(`agents/${file}`, import.meta.url), 'utf8'));
    // An agent has a record once all its lists are as predicted.
    const lists = LISTED_AGENTS.filter(({ client }) =>
      existsSync(new URL(`agents/lists/${client}.json`, import.meta.url)),
    );
    const page = agentsPage(
      AGENTS.map(({ id }) => Seen.parse(read(`seen/${id}.json`))),
      lists.map(({ client }) => Lists.parse(read(`lists/${client}.json`))),
    );
    await expect(page).toMatchFileSnapshot(docs('agents.md'));
  });
  test('every code is defined once and has one section', () => {
    const page = readFileSync(docs(`../${DIAGNOSTICS_PAGE}`), 'utf8');
    expect(new Set(ALL_CODES.map(({ code }) => code)).size).toBe(ALL_CODES.length);
    const unlisted = ALL_CODES.map(({ code }) => code).filter((code) => page.split(`\n### ${code}\n`).length !== 2);
    expect(unlisted, `codes without a section in ${DIAGNOSTICS_PAGE}: run npm run docs, then this test again`).toEqual(
      [],
    );
  });
});

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every page of the repository, below its root. */
const PAGES = ['.', '.github', 'docs']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: folder !== '.' }).map((name) =>
      path.join(folder, String(name)).split(path.sep).join('/'),
    ),
  )
  .filter((file) => file.endsWith('.md'));
const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8');
const withoutBlocks = (text: string): string => text.replace(/^(`{3,})[^]*?^\1$/gmu, '');

/** The anchors of a page, as code hosts make them from its headings. */
function anchorsOf(page: string): string[] {
  return [...withoutBlocks(textOf(page)).matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('references in the pages', () => {
  test('there are pages', () => {
    expect(PAGES).toEqual(
      expect.arrayContaining([
        'README.md',
        'AGENTS.md',
        'docs/architecture.md',
        'docs/decisions/0001-synchronous-file-reading.md',
      ]),
    );
  });

  test.each(PAGES)('%s: links lead somewhere', (page) => {
    const links = [...withoutBlocks(textOf(page)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/gu)];
    const broken = links
      .map(([link, target = '', anchor]) => ({
        link,
        anchor,
        file: target === '' ? page : path.posix.join(path.posix.dirname(page), target),
      }))
      .filter(
        ({ file, anchor }) =>
          !existsSync(path.join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor)),
      );
    expect(broken.map(({ link }) => link)).toEqual([]);
  });

  // The page about a new operation names what its reader is about to write; it has a test of its own.
  const existing = PAGES.filter((page) => page !== 'docs/adding-an-operation.md');

  test.each(existing)('%s: files exist', (page) => {
    const named = [...textOf(page).matchAll(/`((?:src|test|scripts|bench|docs|examples)\/[\w./-]+)`/gu)];
    expect(named.map(([, file = '']) => file).filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test.each(existing)('%s: commands exist', (page) => {
    expect(shownCommands(textOf(page)).filter((line) => !isCommand(line))).toEqual([]);
  });

  test.each(PAGES)('%s: scripts exist', (page) => {
    const scripts = [...textOf(page).matchAll(/\bnpm run ([\w:-]+)/gu)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
  });
});

test('the terminal in the README shows four commands, and no path of the machine that drew it', () => {
  const drawing = textOf('docs/pictures/demo.svg');
  const commands = [...drawing.matchAll(/<tspan class="p">\$<\/tspan> (lectern [^<]+)</gu)].map(
    ([, line = '']) => line,
  );
  expect(commands).toHaveLength(4);
  expect(commands.filter((line) => !isCommand(line))).toEqual([]);
  expect(drawing).not.toMatch(/\/(?:tmp|home|work|Users)\//u);
  expect(drawing.length).toBeLessThan(60_000);
});

test('docs/library.md shows methods with the parameters they have', () => {
  const shown = [...textOf('docs/library.md').matchAll(/`([\w.]+)\((?:\{ ([^}]*) \})?\)`/gu)];
  const methods = new Map<string | undefined, readonly string[]>([
    ...OPERATIONS.map((operation): [string | undefined, string[]] => [
      operation.library,
      Object.keys(paramsFor('library', operation)).map(camelKey),
    ]),
    ...['diagnostics', 'reload', 'close'].map((own): [string, string[]] => [own, []]),
  ]);
  expect(shown.length).toBeGreaterThan(20);
  const wrong = shown.filter(([, name, params = '']) => {
    const known = methods.get(name);
    const named = params.split(', ').filter((param) => param !== '');
    // A list that ends with … shows only some.
    return !known || (params.endsWith('…') ? named.length < 2 : named.toSorted().join() !== known.toSorted().join());
  });
  expect(wrong.map(([call]) => call)).toEqual([]);
});

test('the workflows and templates for code hosts are YAML', () => {
  const files = readdirSync(path.join(root, '.github'), { recursive: true }).map(String);
  const yaml = files.filter((file) => file.endsWith('.yml'));
  expect(yaml.length).toBeGreaterThan(3);
  for (const file of yaml) expect(parseYaml(textOf(path.join('.github', file)))).toBeInstanceOf(Object);
});

test('the examples of a shared catalog are YAML, and start commands that exist', () => {
  const commandsIn = (value: unknown): string[][] => {
    if (Array.isArray(value) && value[0] === 'lectern') return [value.map(String)];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(commandsIn) : [];
  };
  const commands = ['compose/compose.yaml', 'kubernetes/lectern.yaml'].flatMap((file) =>
    parseAllDocuments(textOf(path.join('examples', file))).flatMap((document) => {
      expect(document.errors).toEqual([]);
      return commandsIn(document.toJS());
    }),
  );
  const [, started = '[]'] = /^CMD (.*)$/mu.exec(textOf('examples/compose/Dockerfile')) ?? [];
  commands.push(...commandsIn(JSON.parse(started)));
  expect(commands.length).toBe(5);
  expect(commands.map((words) => words.join(' ')).filter((line) => !isCommand(line))).toEqual([]);
});

const manifest = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** Command lines in code, inline and in blocks. */
function shownCommands(text: string): string[] {
  const inline = [...withoutBlocks(text).matchAll(/`(lectern [^`]+)`/gu)].map(([, line = '']) => line);
  const blocks = [...text.matchAll(/^(`{3,})(?:sh|console)\n([^]*?)^\1$/gmu)].flatMap(([, , block = '']) =>
    block.split('\n').flatMap((line) => /^(?:\$ )?(lectern .+)$/u.exec(line)?.[1] ?? []),
  );
  return [...inline, ...blocks];
}

/** Whether a line names a command and flags that exist. What stands for a value may be anything. */
function isCommand(line: string): boolean {
  const [plain = ''] = line.replace(/\s#.*$/u, '').split(/ [|>] /u);
  const words = plain
    // A quoted text is one word.
    .replace(/"[^"]*"/gu, (quoted) => quoted.replaceAll(/\s/gu, '-'))
    .split(' ')
    .slice(1)
    .flatMap((word) => /[^\s"'[\]<>…]+/u.exec(word) ?? []);
  try {
    parseCommandLine(words, COMMANDS);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A page may name a command without its arguments.
    return /needs (?:<|a value|one more word)/u.test(error.message);
  }
}
