import { expect, test, vi } from 'vitest';
import { bodyOf, splitFrontmatter } from '../../../src/core/frontmatter/split.ts';
import { fc, times } from '../../support/effort.ts';

const line = fc.oneof(
  fc.constantFrom(
    '---',
    '...',
    ' ---',
    '  ---',
    '--- ',
    '----',
    '---x: y',
    '...more: x',
    '---js',
    'name: a',
    'description: b',
    '',
    '# c',
    '\ufeff---',
    '\t---',
  ),
  fc.string({ maxLength: 5 }),
);
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 8 })
  .map((lines) => lines.flat().join(''));

test('a decision made from the beginning of a text holds for the whole text', () => {
  let decided = 0;
  fc.assert(
    fc.property(text, fc.nat({ max: 60 }), (whole, cut) => {
      const part = splitFrontmatter(whole.slice(0, cut), { complete: false });
      if (part.kind === 'need-more') return;
      decided += 1;
      expect(part).toEqual(splitFrontmatter(whole, { complete: true }));
    }),
    { numRuns: times(2_000) },
  );
  expect(decided).toBeGreaterThan(times(500));
});

test.each([
  ['a fence that goes on', '---\nname: a\n---', '-\nbody'],
  ['an end that goes on', '---\nname: a\n...', 'more: x\n---\n'],
  ['an opening that goes on', '---', '-\n'],
])('%s is waited for', (_, beginning, rest) => {
  expect(splitFrontmatter(beginning, { complete: false }).kind).toBe('need-more');
  expect(splitFrontmatter(beginning, { complete: true })).not.toEqual(
    splitFrontmatter(beginning + rest, { complete: true }),
  );
});

test('an indented fence is closed by the next one, whatever follows in the body', () => {
  const head = ' ---\nname: a\n ---\n';
  expect(splitFrontmatter(head, { complete: true })).toMatchObject({
    kind: 'found',
    yaml: 'name: a\n',
    bodyStart: head.length,
  });
  expect(splitFrontmatter(`${head}# Title\n\n---\n\nmore: yes\n`, { complete: true })).toMatchObject({
    yaml: 'name: a\n',
    bodyStart: head.length,
  });
});

test.each([
  ['---\nname: a\n---\nBody\n\n---\n\nmore\n', 'Body\n\n---\n\nmore\n'],
  ['---\nname: a\n...\nBody\n\n---\n\nmore\n', 'Body\n\n---\n\nmore\n'],
  ['\ufeff\r\n---\r\nname: a\r\n---\r\nBody\r\n', 'Body\r\n'],
  ['---\nname: a\n---', ''],
  ['---\nname: a\n', '---\nname: a\n'],
  ['Body\n---\n', 'Body\n---\n'],
  ['', ''],
])('the body of %j is %j', (text, body) => {
  expect(bodyOf(text)).toBe(body);
});

test('long frontmatter is measured once, not once per line', () => {
  let measured = 0;
  const byteLength = vi.spyOn(Buffer, 'byteLength').mockImplementation((text) => {
    measured += String(text).length;
    return String(text).length;
  });
  try {
    expect(splitFrontmatter(`---\n${'\n'.repeat(60_000)}`, { complete: true }).kind).toBe('only-fence');
    expect(splitFrontmatter(`---\n${'\n'.repeat(70_000)}`, { complete: true }).kind).toBe('too-large');
  } finally {
    byteLength.mockRestore();
  }
  expect(measured).toBeLessThan(1_000_000);
});
