import { describe, expect, test } from 'vitest';
import { readMemoryText } from '../../../src/agents/context/memory-text.ts';

describe('comments', () => {
  test.each([
    ['a comment between paragraphs is removed with the lines after it', 'A\n\n<!-- c -->\n\nB\n', 'A\n\nB\n'],
    ['a comment over several lines is removed', 'A\n<!-- c\n\nd -->\nB\n', 'A\nB\n'],
    ['text after the comment stays', 'A\n<!-- c --> after\nB\n', 'A\n after\nB\n'],
    ['two comments on a line are removed', '<!--x--><!--y-->\n\nB', 'B'],
    ['a comment after other text stays', 'A <!-- c --> B\n', 'A <!-- c --> B\n'],
    ['a comment in a fence stays', '```\n<!-- c -->\n```\n', '```\n<!-- c -->\n```\n'],
    ['a comment in a fence of tildes stays', '~~~\n<!-- c -->\n~~~\nB', '~~~\n<!-- c -->\n~~~\nB'],
    ['a comment in a list item stays', '- a\n  <!-- c -->\n  b\n', '- a\n  <!-- c -->\n  b\n'],
    ['a comment with less indentation ends the list', '* a\n <!-- c -->\nb\n', '* a\nb\n'],
    ['an indented comment inside a paragraph stays', 'a\n   <!-- c -->\n', 'a\n   <!-- c -->\n'],
    ['a comment in indented code stays', 'a\n\n    <!-- c -->\n', 'a\n\n    <!-- c -->\n'],
    ['a comment inside tags stays', '<div>\n<!-- c -->\n</div>\n', '<div>\n<!-- c -->\n</div>\n'],
    ['an open comment stays', 'a\n\n<!-- c\nb', 'a\n\n<!-- c\nb'],
    ['line breaks stay without comments', 'a\r\nb\r\n', 'a\r\nb\r\n'],
  ])('%s', (_, text, kept) => {
    expect(readMemoryText(text).kept).toBe(kept);
  });
});

describe('imports', () => {
  test.each([
    ['at the start and inside a line', '@a.md then @b/c.md', ['a.md', 'b/c.md']],
    [
      'in lists, quotes, tables, headings and bold text',
      '- @a.md\n> @b.md\n| @c.md |\n\n# @d.md\n**@e.md**',
      ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'],
    ],
    ['in the text of a link', '[@a.md](x)', ['a.md']],
    ['with an escaped blank', '@a\\ b.md', ['a b.md']],
    ['without a fragment', '@a.md#part', ['a.md']],
    ['from the home folder and from the root', '@~/a.md @/b.md @./c.md', ['~/a.md', '/b.md', './c.md']],
    ['not in code spans', '`@a.md` ``x ` @b.md`` @c.md', ['c.md']],
    ['not in fences', '```\n@a.md\n```\n@b.md', ['b.md']],
    ['not in indented code', 'a\n\n    @a.md\n', []],
    ['not inside a word, a bracket or quotes', 'me@a.md (@b.md) "@c.md"', []],
    ['not in comments', 'a <!-- @a.md --> b\n\n<!-- @b.md -->\n', []],
    ['each once', '@a.md @a.md', ['a.md']],
  ])('are found %s', (_, text, imports) => {
    expect(readMemoryText(text).imports).toEqual(imports);
  });

  test('long hostile texts take linear time', () => {
    for (const text of [
      '`'.repeat(200_000),
      '<!--'.repeat(50_000),
      '@'.repeat(200_000),
      '` '.repeat(100_000),
      '- '.repeat(100_000),
    ])
      expect(readMemoryText(text).kept.length).toBeLessThanOrEqual(text.length);
  });
});
