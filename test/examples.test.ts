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
  'docs/context.md',
  'docs/descriptions.md',
  'docs/trying.md',
  'docs/names-and-filters.md',
  'docs/search.md',
  'docs/specs.md',
  'docs/library.md',
  'docs/coming-from.md',
  'docs/troubleshooting.md',
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
    // `why` reports a skill that an agent does not use with 1.
    expect(result.status).toBe(command.startsWith('lectern why stock-import ') ? 1 : 0);
    expect(result.stdout).not.toBe('');
  });
});

test('the tutorial works, command by command, in an empty folder with an empty home', () => {
  const commands = blocks('docs/tutorial.md', 'sh').flatMap((block) => block.trim().split('\n'));
  const at = mkdtempSync(join(tmpdir(), 'lectern-tutorial-'));
  // Each command is followed by its exit code.
  const script = commands.map(
    (command) => `${command}\necho "$? ${command.replaceAll(/["$]/gu, '')}" >> ${join(at, 'codes')}`,
  );
  const lectern = `lectern() { "${process.execPath}" "${join(root, 'dist/cli.cjs')}" "$@"; }`;
  const result = spawnSync('bash', ['-c', [lectern, ...script].join('\n')], {
    cwd: at,
    env: { PATH: process.env['PATH'], HOME: mkdtempSync(join(tmpdir(), 'lectern-home-')) },
    encoding: 'utf8',
  });
  expect(result.stderr).toBe('');
  const failed = readFileSync(join(at, 'codes'), 'utf8')
    .split('\n')
    .filter((line) => /^[1-9]/u.test(line));
  // The first one reports that Codex does not read the folder.
  expect(failed).toEqual(['1 lectern why deploy']);
  expect(result.stdout).toContain('4 passed, 0 close, 0 failed');
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
