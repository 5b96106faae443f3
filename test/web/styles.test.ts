/** Style sheets and components agree: no rule without a component, and no class without a rule. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGE_DIR } from '../support/run-lectern.ts';

const WEB = path.join(PACKAGE_DIR, 'src/web');
const files = fs
  .readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .toSorted();
const read = (file: string): string => fs.readFileSync(path.join(WEB, file), 'utf8');
const styleFiles = files.filter((file) => file.endsWith('.css') && file !== 'lectern.css');
const imported = [...read('lectern.css').matchAll(/@import '\.\/([^']+)';/gu)].map(([, file = '']) => file);

/** Classes that components choose by value: tones of badges and icons, marks of operations, kinds of blocks, sides and diff lines. */
const BY_VALUE = {
  Badge: ['ok', 'warn', 'bad', 'cut', 'acc', 'line'],
  OPERATIONS: ['a', 'm', 'r'],
  Strip: ['own'],
  PartStrip: ['mem', 'aux'],
  Squares: ['touch', 'none'],
  Side: ['kept'],
  Diff: ['now', 'was', 'at'],
};

/** The classes in a source file. A class such as `g-${tone}` is returned as its prefix `g-`. */
function classesIn(source: string): string[] {
  const found: string[] = [];
  for (const { index, 0: start } of source.matchAll(/\bclass=(?=["{])/gu)) {
    const value = valueAt(source, index + start.length).replace(/[!=]== '[^']*'/gu, '');
    for (const [, plain, template = ''] of value.matchAll(/["']([^"'`]*)["']|`([^`]*)`/gu)) {
      const chosen = [...template.matchAll(/'([^']*)'/gu)].map(([, name = '']) => name);
      found.push(...[plain ?? template.replace(/\$\{[^}]*\}/gu, '$'), ...chosen].flatMap((text) => text.split(/\s+/u)));
    }
  }
  return [...new Set(found.map((name) => name.split('$')[0] ?? '').filter((name) => name !== ''))];
}

/** The attribute value at a position: a string, or an expression in braces. */
function valueAt(source: string, at: number): string {
  if (source[at] === '"') return source.slice(at, source.indexOf('"', at + 1) + 1);
  let depth = 0;
  for (let end = at; end < source.length; end += 1) {
    if (source[end] === '{') depth += 1;
    if (source[end] === '}') depth -= 1;
    if (depth === 0) return source.slice(at, end + 1);
  }
  return '';
}

const used = new Map<string, string>();
for (const file of files.filter((name) => /\.tsx?$/u.test(name)))
  for (const name of classesIn(read(file))) used.set(name, file);
for (const names of Object.values(BY_VALUE)) for (const name of names) used.set(name, 'by value');

const ruled = new Map<string, string>();
for (const file of styleFiles) {
  const selectors = read(file)
    .replace(/\/\*.*?\*\//gsu, '')
    .replace(/\{[^{}]*\}/gu, ' ');
  for (const [, name = ''] of selectors.matchAll(/\.([a-z][\w-]*)/giu)) ruled.set(name, file);
}

const isPrefix = (name: string): boolean => name.endsWith('-');

describe('the style sheets', () => {
  test('every class with a rule is used by a component', () => {
    const prefixes = [...used.keys()].filter(isPrefix);
    const unused = [...ruled].filter(
      ([name]) => !used.has(name) && !prefixes.some((prefix) => name.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });

  test('every class that a component uses has a rule', () => {
    const bare = [...used].filter(([name]) =>
      isPrefix(name) ? ![...ruled.keys()].some((each) => each.startsWith(name)) : !ruled.has(name),
    );
    expect(bare).toEqual([]);
  });

  test('every file is imported exactly once', () => {
    expect(imported.toSorted()).toEqual(styleFiles);
    expect(new Set(imported).size).toBe(imported.length);
  });

  test('the styles of a component are next to it', () => {
    const alone = styleFiles.filter(
      (file) =>
        file !== 'base.css' &&
        !file.startsWith('primitives/') &&
        !['.tsx', '.ts'].some((extension) => files.includes(file.replace(/\.css$/u, extension))),
    );
    expect(alone).toEqual([]);
  });

  test('no selector is repeated with the same conditions', () => {
    for (const file of styleFiles) {
      const [plain = ''] = read(file).split('\n@media');
      const selectors = [...plain.replace(/\/\*.*?\*\//gsu, '').matchAll(/(?:^|\})\s*([^{}]+?)\s*\{/gu)].map(
        ([, selector]) => selector,
      );
      expect.soft(selectors, file).toHaveLength(new Set(selectors).size);
    }
  });
});
