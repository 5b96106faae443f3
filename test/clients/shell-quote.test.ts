import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commandLine, quoteForCmd, quoteForPowerShell } from '../../src/clients/shell-quote.ts';
import { quoteForBash } from '../../src/core/quote-for-bash.ts';
import { fc, times } from '../support/effort.ts';

const AWKWARD = [
  '',
  ' ',
  "it's",
  '"',
  '$HOME',
  '`id`',
  '$(id)',
  '!x',
  '~',
  '=ls',
  '*',
  'a\nb',
  '\\',
  'ü',
  '😀',
  '-n',
  '#',
  ';',
  '{a,b}',
  '%PATH%',
  '\t',
];

describe('bash', () => {
  /** printf reuses its format for every argument, so the words come back separated by NUL. */
  const echoed = (line: string): string[] =>
    execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1);

  test('any words reach the program unchanged', () => {
    const word = fc.oneof(
      fc.constantFrom(...AWKWARD),
      fc.array(fc.constantFrom(...AWKWARD, 'a', '/'), { maxLength: 6 }).map((parts) => parts.join('')),
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '').toWellFormed()),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        expect(echoed(words.map(quoteForBash).join(' '))).toEqual(words);
      }),
      { numRuns: times(150) },
    );
  });

  test('plain words are not quoted', () => {
    expect(
      commandLine('bash', [
        'claude',
        'mcp',
        'add',
        '--scope',
        'project',
        'lectern',
        '--',
        'npx',
        '-y',
        'lectern',
        'mcp',
        '--port=1',
      ]),
    ).toBe('claude mcp add --scope project lectern -- npx -y lectern mcp --port=1');
  });

  test('the folder is entered first, whatever its name', () => {
    expect(commandLine('bash', ['x'], "/p/it's $x ü😀")).toBe(`cd '/p/it'\\''s $x ü😀' && x`);
  });
});

describe('PowerShell', () => {
  test.each([
    ['npx', 'npx'],
    ['C:\\a\\b.js', 'C:\\a\\b.js'],
    ['C:\\my dir', "'C:\\my dir'"],
    ["it's", "'it''s'"],
    ['it’s', "'it’’s'"],
    ['$HOME `x` $(id)', "'$HOME `x` $(id)'"],
    ['ü😀', "'ü😀'"],
    ['a,b', "'a,b'"],
    ['@x', "'@x'"],
    ['{a}', "'{a}'"],
    ['a;b', "'a;b'"],
    ['', "''"],
    ['%PATH%', "'%PATH%'"],
  ])('%s', (word, quoted) => expect(quoteForPowerShell(word)).toBe(quoted));

  test('the folder is a literal path, and the words follow', () => {
    expect(commandLine('powershell', ['claude', 'a b'], 'C:\\it’s [1]')).toBe(
      "Set-Location -LiteralPath 'C:\\it’’s [1]'; claude 'a b'",
    );
  });

  test('quotes for a batch file are escaped twice', () => {
    expect(commandLine('powershell', ['code', '--add-mcp', '{"a":"b\\\\"}'])).toBe(
      String.raw`code --add-mcp '{\"a\":\"b\\\\\"}'`,
    );
  });
});

describe('cmd', () => {
  test.each([
    ['npx', 'npx'],
    ['C:\\a\\b.js', 'C:\\a\\b.js'],
    ['C:\\my dir', '"C:\\my dir"'],
    ['C:\\my dir\\', '"C:\\my dir\\\\"'],
    ["it's $x", `"it's $x"`],
    ['ü😀', '"ü😀"'],
    ['a&b|c<d>', '"a&b|c<d>"'],
    ['a^b', '"a^b"'],
    ['', '""'],
    ['%PATH%', '^"^%PATH^%^"'],
    ['100% & more', '^"100^% ^& more^"'],
    ['say "hi"', String.raw`"say \"hi\""`],
    ['say "hi" & go', String.raw`^"say \^"hi\^" ^& go^"`],
    ['a\\"b', String.raw`"a\\\"b"`],
  ])('%s', (word, quoted) => expect(quoteForCmd(word)).toBe(quoted));

  test('the drive is changed with the folder', () => {
    expect(commandLine('cmd', ['claude', 'a b'], 'D:\\my dir')).toBe('cd /d "D:\\my dir" && claude "a b"');
  });
});
