import ignore from 'ignore';
import { expect, test } from 'vitest';
import { parseGitignore } from '../../src/skills/gitignore.ts';
import { fc, times } from '../support/effort.ts';

const isIgnored = (rules: string, dir: string): boolean => parseGitignore(rules)?.(dir.split('/')) ?? false;

test.each([
  ['build', 'build', true],
  ['build', 'app/build', true],
  ['build', 'app/build/skills', true],
  ['/build', 'app/build', false],
  ['app/build', 'app/build', true],
  ['app/build', 'more/app/build', false],
  ['build/', 'build', true],
  ['Build', 'bUILD', true],
  ['*.tmp', 'a.tmp', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['**/logs', 'a/b/logs', true],
  ['**/logs', 'logs', true],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z', true],
  ['a/**', 'a', false],
  ['a/**', 'a/b', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[!a-c]x', 'dx', true],
  ['[]a]x', ']x', true],
  ['# build', '# build', false],
  [String.raw`\#build`, '#build', true],
  [String.raw`\!build`, '!build', true],
  [String.raw`a\*`, 'a*', true],
  [String.raw`a\*`, 'ab', false],
  ['build   ', 'build', true],
  ['build\r\nout\r\n', 'out', true],
  ['*\n!keep', 'keep', false],
  ['*\n!keep', 'other', true],
  ['/a\n!a/keep', 'a/keep', true],
  ['!a\na', 'a', true],
])('%j and the folder %s: %s', (rules, dir, expected) => {
  expect(isIgnored(rules, dir)).toBe(expected);
});

test('agrees with the library that most tools use', () => {
  const piece = fc.constantFrom('a', 'b', '*', '?', '/', '**/', '[ab]', '[!a]', '.');
  const rule = fc
    .tuple(fc.constantFrom('', '', '!', '/'), fc.array(piece, { minLength: 1, maxLength: 5 }))
    .map(([mark, pieces]) => mark + pieces.join(''))
    // Git and the library differ in rules with empty names, and in stars that touch others.
    .filter((text) => !/\/\/|\*{3}|\*\*[^/]|[^/!]\*\*|^!?\/?$/u.test(text));
  const folder = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', 'a.b'), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), folder, (rules, folders) => {
      const theirs = ignore()
        .add(rules.join('\n'))
        .ignores(`${folders.join('/')}/`);
      expect(isIgnored(rules.join('\n'), folders.join('/'))).toBe(theirs);
    }),
    { numRuns: times(2_000) },
  );
});

test('rules of many stars are matched without trying every way to match them', () => {
  const name = 'a'.repeat(200);
  expect(isIgnored(`${'*a'.repeat(60)}*b`, name)).toBe(false);
  expect(isIgnored(`${'**/a/'.repeat(60)}b`, Array.from({ length: 120 }, () => 'a').join('/'))).toBe(false);
  expect(isIgnored(`${'[a]*'.repeat(60)}b`, name)).toBe(false);
  expect(isIgnored('['.repeat(200_000), name)).toBe(false);
});

test('a file with more patterns than anyone writes is not applied', () => {
  const patterns = Array.from({ length: 2_001 }, (_, index) => `${index}*`);
  expect(parseGitignore(patterns.join('\n'))).toBeUndefined();
  expect(parseGitignore(patterns.slice(1).join('\n'))?.(['2000x'])).toBe(true);
});
