/** What keeps text from strangers harmless in the page, read from the source. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGE_DIR } from '../support/run-lectern.ts';

const WEB = path.join(PACKAGE_DIR, 'src', 'web');
const sources = fs
  .readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/u.test(file) && !file.startsWith('client'))
  .map((file) => ({ file: file.split(path.sep).join('/'), text: fs.readFileSync(path.join(WEB, file), 'utf8') }));

const having = (pattern: RegExp): string[] => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

describe('the source of the page', () => {
  test('only the component for links writes an address that is computed', () => {
    // The frame has two more: its own style sheet and its own script.
    expect(having(/\bhref=\{/u)).toEqual(['html.tsx']);
    expect(having(/\bsrc=\{/u)).toEqual(['html.tsx']);
    expect(
      sources.find(({ file }) => file === 'html.tsx')?.text.match(/\bhref=\{(?!to\}|styles\.path\})/gu),
    ).toBeNull();
  });

  test('only Markdown is put in without escaping', () => {
    expect(having(/\braw\(|hono\/html/u)).toEqual(['markdown.ts']);
    expect(having(/dangerouslySetInnerHTML/u)).toEqual([]);
  });

  test('there is no style and no handler in the markup: the policy would stop them', () => {
    expect(having(/\sstyle=/u)).toEqual([]);
    expect(having(/\son[A-Z]\w*=/u)).toEqual([]);
  });

  test('the script turns text into markup in one place', () => {
    const client = fs.readdirSync(path.join(WEB, 'client'));
    const using = client.filter((file) =>
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|parseFromString|\beval\b|new Function/u.test(
        fs.readFileSync(path.join(WEB, 'client', file), 'utf8'),
      ),
    );
    expect(using).toEqual(['fetch-page.ts']);
  });
});
