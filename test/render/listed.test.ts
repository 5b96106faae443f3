import { expect, test } from 'vitest';
import { listed } from '../../src/render/listed.ts';

test('a message that joins several suggestions becomes a list, with the rest as the last line', () => {
  const suggestions = ['one', 'two'];
  expect(listed({ message: 'It failed: one; two.', suggestions })).toEqual(['It failed:', 'one', 'two']);
  expect(listed({ message: 'In one; two; and 3 more.', suggestions })).toEqual(['In', 'one', 'two', 'and 3 more']);
});

test('any other message stays one line', () => {
  expect(listed({ message: 'There is no skill one; two.', suggestions: ['pdf', 'doc'] })).toHaveLength(1);
  expect(listed({ message: 'It failed: one.', suggestions: ['one'] })).toEqual(['It failed: one.']);
  expect(listed({ message: 'It failed.' })).toEqual(['It failed.']);
});
