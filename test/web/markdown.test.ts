import { describe, expect, test } from 'vitest';
import { markdown } from '../../src/web/markdown.ts';

const render = (text: string, files: readonly string[] = []): string =>
  String(markdown(text, { fileAddress: (path) => (files.includes(path) ? `/file/${path}` : undefined) }));

describe('untrusted Markdown', () => {
  test.each([
    ['a script', '<script>alert(1)</script>', '<script'],
    ['an image with a handler', '<img src=x onerror=alert(1)>', '<img'],
    ['an address that is code', '[x](javascript:alert(1))', 'href'],
    ['the same in capitals and with entities', '[x](JaVaScRiPt&colon;alert(1))', 'href'],
    ['the same with a tab', '[x](java\tscript:alert(1))', 'href'],
    ['data as a page', '[x](data:text/html,<script>alert(1)</script>)', 'href'],
    ['a file of the machine', '[x](file:///etc/passwd)', 'href'],
    ['another server by two slashes', '[x](//evil.example/)', 'href'],
    ['an automatic link to code', '<javascript:alert(1)>', 'href'],
    ['a reference to code', '[x][y]\n\n[y]: javascript:alert(1)', 'href'],
    ['a style', '<p style="position:fixed">x</p>', '<p style'],
    ['an aligned column', '| a |\n|:-:|\n| b |', 'style'],
  ])('%s has no effect', (_, text, never) => {
    expect(render(text)).not.toContain(never);
  });

  test('an image is never loaded: its description is shown instead', () => {
    expect(render('![a cover](https://evil.example/x.png)')).toBe(
      '<p dir="auto"><span class="dead">image: a cover</span></p>\n',
    );
    expect(render('![](pictures/a.png)', ['pictures/a.png'])).toBe(
      '<p dir="auto"><a href="/file/pictures/a.png">image: no description</a></p>\n',
    );
  });

  test('a link to a bundled file leads to its page; a link to a missing file becomes text', () => {
    expect(render('[style](./references/style.md#top)', ['references/style.md'])).toContain(
      '<a href="/file/references/style.md">style</a>',
    );
    expect(render('[secret](../../secret.md)', ['references/style.md'])).toContain('<span class="dead">secret</span>');
  });

  test('a link to the web sends no referrer', () => {
    expect(render('[home](https://example.org/a?b=c)')).toContain(
      '<a href="https://example.org/a?b=c" rel="noopener noreferrer">home</a>',
    );
  });

  test('headings are below those of the page, and skip no level', () => {
    expect(render('# One\n\n###### Six')).toBe('<h2 dir="auto">One</h2>\n<h3 dir="auto">Six</h3>\n');
  });

  test('nesting depth is limited', () => {
    expect(render(`${'> '.repeat(1_000)}x`).match(/<blockquote[ >]/gu)?.length).toBeLessThan(21);
  });
});
