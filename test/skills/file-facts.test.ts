import { expect, test } from 'vitest';
import { readFrontmatter } from '../../src/core/frontmatter/read.ts';
import { factsOf, readFacts } from '../../src/skills/file-facts.ts';
import { parseHeader } from '../../src/skills/parse.ts';
import { fc, times } from '../support/effort.ts';

const piece = fc.constantFrom(
  'name: a\n',
  'description: b\n',
  'description: x: y\n',
  'description:\n',
  'description: ""\n',
  'name: 1\n',
  'description: |\n  two\n  lines\n',
  'paths: [a]\n',
  'metadata:\n  k: v\n',
  'metadata:\n\tk: v\n',
  'name: b\n',
  '---\n',
  '---\r\n',
  '--- \n',
  '---yaml\n',
  '...\n',
  '\n',
  '\ufeff',
  '\t',
  'text\n',
  '# Heading\n',
  'note: [\n',
);

test('a header without facts has those that reading the whole file would find', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const text = pieces.join('');
      const bytes = Buffer.from(text);
      const header = parseHeader('/x/SKILL.md', bytes, { complete: true, read: readFrontmatter });
      const read = readFrontmatter(text);
      if (!header || !read) throw new Error('a complete file can be read');
      const { firstBodyLine, firstParagraph, firstLine, ...whole } = readFacts(text, read);
      const { firstBodyLine: ownBodyLine, firstParagraph: ownParagraph, firstLine: ownLine, ...own } = factsOf(header);
      expect({ ...own, sources: [] }).toEqual({ ...whole, sources: [] });
      // No agent needs the body of a file with a plain header.
      if (header.facts)
        expect([ownBodyLine, ownParagraph, ownLine]).toEqual([firstBodyLine, firstParagraph, firstLine]);
      else expect([own.flaws.size, own.lines]).toEqual([0, undefined]);
    }),
    { numRuns: times(2_000) },
  );
});

test('a header is not complete before the first paragraph below it, if an agent may show that', () => {
  const text = '---\nname: a\n---\n\n# A\n\nThe first line\nThe second line\n\nThe rest\n';
  const parse = (length: number) =>
    parseHeader('/x/SKILL.md', Buffer.from(text.slice(0, length)), { complete: false, read: readFrontmatter });
  expect(parse(text.indexOf('line'))).toBeUndefined();
  expect(parse(text.indexOf('The second'))).toBeUndefined();
  expect(parse(text.indexOf('The rest'))?.facts).toMatchObject({
    firstBodyLine: 'A',
    firstParagraph: 'The first line\nThe second line',
  });
});
