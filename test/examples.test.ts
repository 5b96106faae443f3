import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';

/** The examples in the documents are run as they stand, from the root of the project, on an empty home. */
const root = fileURLToPath(new URL('..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'lectern-examples-'));
/** Pages whose commands only read. */
const pages = [
  'README.md',
  'docs/what-agents-see.md',
  'docs/trying.md',
  'docs/names-and-filters.md',
  'docs/search.md',
  'docs/specs.md',
  'docs/library.md',
];

function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gmsu)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');
}

describe('commands in the documents succeed', () => {
  const commands = pages.flatMap((page) =>
    blocks(page, 'sh').flatMap((block) => block.split('\n').filter((line) => line.startsWith('lectern '))),
  );
  test.each(commands)('%s', (command) => {
    const script = command.replace(/^lectern/u, `"${process.execPath}" "${join(root, 'dist/cli.cjs')}"`);
    const result = spawnSync('sh', ['-c', script], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: home },
      encoding: 'utf8',
    });
    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
    expect(result.stdout).not.toBe('');
  });
});

/** Codex counts the paths of skills, and requests have the paths of memory files, so their sizes depend on where the checkout lies. */
function anywhere(text: string): string {
  return text
    .replaceAll(/~[\d,]+(?: tokens before the first message, [\d,]+| \([\d,]+)/gu, 'some')
    .replaceAll(/[█░▒]+ [\d,]+ of (?=[\d,]+ tokens)/gu, 'some of ')
    .replaceAll(/(?<=^ {2}Codex.*?)[█░▒]+ \d+ %/gmu, 'some');
}

describe('command output in the documents', () => {
  const sessions = pages.flatMap((page) =>
    blocks(page, 'console').flatMap((block) => block.split(/^\$ lectern /mu).slice(1)),
  );
  test.each(sessions)('%s', (session) => {
    const [command = '', ...lines] = session.split('\n');
    const { stdout } = spawnSync(process.execPath, [join(root, 'dist/cli.cjs'), ...command.split(' ')], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: home },
      encoding: 'utf8',
    });
    // The rest of a long output is left out.
    const [shown = ''] = lines.join('\n').split('…\n');
    const printed = anywhere(stdout.replaceAll(root, '~/lectern/'));
    expect(printed.slice(0, anywhere(shown).length)).toBe(anywhere(shown));
  });
});

describe('code in the documents runs', () => {
  const programs = pages.flatMap((page) =>
    blocks(page, 'ts').map((program, index): [string, string] => [`${page}, block ${index + 1}`, program]),
  );
  test.each(programs)('%s', (_, program) => {
    const file = join(mkdtempSync(join(tmpdir(), 'lectern-program-')), 'program.mjs');
    writeFileSync(file, program.replace(`'lectern'`, JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)));
    expect(() =>
      execFileSync(process.execPath, [file], { cwd: root, env: { PATH: process.env['PATH'], HOME: home } }),
    ).not.toThrow();
  });
});
