import { expect, test } from 'vitest';
import { makeEntry, textKey } from '../../src/search/entry.ts';
import { textsOf } from '../../src/search/texts.ts';
import { hashTerm, queryTerms } from '../../src/search/words/terms.ts';
import { doc } from '../support/documents.ts';

test('every word of a document is found with its weight, and no other', () => {
  const entry = makeEntry(
    doc('pdf-forms', { description: 'Fills forms.' }),
    'Prose about tables.\n```\ncode here\n```\n',
    undefined,
  );
  const weight = (word: string): number => entry.weights[entry.terms.indexOf(hashTerm(queryTerms(word)[0] ?? ''))] ?? 0;
  expect([weight('pdf'), weight('forms'), weight('fills'), weight('tables'), weight('code'), weight('excel')]).toEqual([
    6, 10, 4, 2, 1, 0,
  ]);
});

test('a text has another key when a name, the description or the body changes', () => {
  const keys = [
    textKey(doc('a', { description: 'd' }), 'b'),
    textKey(doc('a', { description: 'd' }), 'c'),
    textKey(doc('a', { description: 'e' }), 'b'),
    textKey(doc('a', { names: ['z'], description: 'd' }), 'b'),
  ];
  expect(new Set(keys).size).toBe(4);
  expect(textKey(doc('other id', { names: ['a'], description: 'd' }), 'b')).toBe(keys[0]);
});

test('vectors are made of the head, and of pieces of sixty words of the prose; a short rest has none', () => {
  const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
  const { head, chunks } = textsOf(
    doc('git-bisect', { description: 'Find it.' }),
    `# Title\n\n${words(70)}\n\n\`\`\`\ncode\n\`\`\`\n`,
  );
  expect(head).toBe('git-bisect. Find it.');
  expect(chunks.map((chunk) => chunk.split(' ').length)).toEqual([60]);
  expect(chunks.join(' ')).not.toContain('code');
  expect(textsOf(doc('a'), words(500)).chunks).toHaveLength(3);
});
