/** Checks in the source code that untrusted text stays harmless. */
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

describe('the source of the pages', () => {
  test('only the Link component writes computed addresses', () => {
    // The frame has two more: the style sheet and the script.
    expect(having(/\bhref=\{/u)).toEqual(['html.tsx']);
    expect(having(/\bsrc=\{/u)).toEqual(['html.tsx']);
    expect(
      sources.find(({ file }) => file === 'html.tsx')?.text.match(/\bhref=\{(?!to\}|styles\.path\})/gu),
    ).toBeNull();
  });

  test('only rendered Markdown is not escaped', () => {
    expect(having(/\braw\(|hono\/html/u)).toEqual(['markdown.ts']);
    expect(having(/dangerouslySetInnerHTML/u)).toEqual([]);
  });

  test('the markup has no inline styles or handlers, which the policy would block', () => {
    expect(having(/\sstyle=/u)).toEqual([]);
    expect(having(/\son[A-Z]\w*=/u)).toEqual([]);
  });

  test('the script converts text to markup in one place', () => {
    const client = fs.readdirSync(path.join(WEB, 'client'));
    const using = client.filter((file) =>
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|parseFromString|\beval\b|new Function/u.test(
        fs.readFileSync(path.join(WEB, 'client', file), 'utf8'),
      ),
    );
    expect(using).toEqual(['fetch-page.ts']);
  });
});
