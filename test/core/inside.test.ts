import path from 'node:path';
import { expect, test } from 'vitest';
import { isInside } from '../../src/core/inside.ts';
import { fc, times } from '../support/effort.ts';

test.each([
  { outer: '/x/skills', inner: '/x/skills', inside: true, because: 'it is the folder itself' },
  { outer: '/x/skills', inner: '/x/skills/a/b', inside: true, because: 'it lies below' },
  {
    outer: '/x/skills',
    inner: '/x/skills-secret/a',
    inside: false,
    because: 'a sibling only shares the beginning of the name',
  },
  { outer: '/x/skills', inner: '/x', inside: false, because: 'the parent is outside' },
  { outer: '/x/skills', inner: '/x/skills/..a', inside: true, because: 'two dots may begin a name' },
  { outer: '/x/skills', inner: '/x/skills/...', inside: true, because: 'three dots are a name' },
  { outer: '/', inner: '/etc', inside: true, because: 'everything lies below the root' },
  { outer: '/x/skills', inner: '/x/skills/../secret', inside: false, because: 'dots are resolved first' },
])('$inner in $outer: $inside, $because', ({ outer, inner, inside }) => {
  expect(isInside(outer, inner)).toBe(inside);
});

test('agrees with comparing the folders one by one', () => {
  const segment = fc.constantFrom('a', 'b', 'ab', 'a-b', '..a', '...', '..', '.', 'a b', 'é');
  const place = fc.array(segment, { maxLength: 5 }).map((parts) => path.resolve('/', ...parts));
  fc.assert(
    fc.property(place, place, (outer, inner) => {
      const folders = (text: string): string[] => text.split('/').filter((part) => part !== '');
      const expected = folders(outer).every((part, index) => folders(inner)[index] === part);
      expect(isInside(outer, inner)).toBe(expected);
    }),
    { numRuns: times(2_000) },
  );
});
