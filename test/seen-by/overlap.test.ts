import { describe, expect, test } from 'vitest';
import { findOverlaps } from '../../src/agents/overlap.ts';
import type { Entry, Seen } from '../../src/agents/seen-by.ts';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { readRequest } from '../../src/search/line.ts';
import { openBundledModel } from '../../src/search/model/bundled.ts';
import { fc } from '../support/effort.ts';
import { see } from '../support/see.ts';

const model = openBundledModel(nodeFiles);
const EMPTY = await see({ 'project/.gemini/settings.json': '{}' }, 'gemini');

interface Given {
  name: string;
  text: string;
}

function listOf(lines: readonly Given[]): Seen {
  const entries = lines.map(({ name, text }, index): Entry => ({
    position: index + 1,
    name,
    verdict: undefined,
    status: 'seen',
    characters: 0,
    cost: 0,
    fullCost: 0,
    text,
    isWhole: true,
    description: text,
  }));
  return { ...EMPTY, entries };
}

/** Each pair as two names in order, with its similarity. */
function pairsIn(lines: readonly Given[]): [string, number][] {
  return findOverlaps(model, [listOf(lines)]).overlaps.map(({ similarity, agents: [{ a, b }] }) => [
    [a.name, b.name].sort().join(' and '),
    similarity,
  ]);
}

const WORDS = ['merge', 'pdf', 'files', 'release', 'notes', 'database', 'migration', 'slides', 'deploy', 'kubernetes'];
const someWords = (max: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: max });
const someLines = fc.uniqueArray(
  fc
    .record({ name: someWords(3), text: someWords(6) })
    .map(({ name, text }) => ({ name: name.join('-'), text: text.join(' ') })),
  { selector: ({ name }) => name, minLength: 3, maxLength: 10 },
);

describe('the overlaps of a list', () => {
  test('do not depend on the order of the list', () => {
    fc.assert(
      fc.property(someLines, (lines) => {
        expect(pairsIn(lines.toReversed())).toEqual(pairsIn(lines));
      }),
    );
  });

  test('keep their similarity if a third skill is removed', () => {
    fc.assert(
      fc.property(someLines, ([removed, ...rest]) => {
        const all = pairsIn([...(removed ? [removed] : []), ...rest]);
        expect(pairsIn(rest)).toEqual(all.filter(([names]) => !names.split(' and ').includes(removed?.name ?? '')));
      }),
    );
  });

  test('leave out lines without a description, and count them', () => {
    const { overlaps, withoutText } = findOverlaps(model, [
      listOf([
        { name: 'merge-pdf', text: '' },
        { name: 'pdf-merge', text: '' },
      ]),
    ]);
    expect([overlaps, withoutText]).toEqual([[], 2]);
  });

  test('compare a limited number of lines, and count the rest', () => {
    const { value: max } = LIMITS.comparedLines;
    const word = (index: number): string => [...String(index)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('');
    const lines = Array.from({ length: max + 2 }, (_, index) => ({ name: `${word(index)}x`, text: `${word(index)}z` }));
    expect(findOverlaps(model, [listOf(lines)]).notCompared).toBe(2);
  });

  test('try a limited number of requests, and count the rest', () => {
    const request = readRequest(model, 'merge two PDF files');
    const saved = Array.from({ length: 300 }, () => ({ request, agents: ['claude'] }));
    const lines = Array.from({ length: 5_000 }, (_, index) => ({ name: `x${index}`, text: 'y' }));
    expect(findOverlaps(model, [listOf(lines)], { saved }).notTried).toBe(300 - LIMITS.triedLines.value / lines.length);
  });
});

describe('a suggestion', () => {
  const suggestionFor = (lines: readonly Given[]): string | undefined =>
    findOverlaps(model, [listOf(lines)]).overlaps[0]?.suggestion;

  test('does not ask to change built-in skills', () => {
    expect(
      suggestionFor([
        { name: 'designer', text: 'Design a database schema with tables' },
        { name: 'schema-designer', text: 'Design the schema of a database with its tables' },
      ]),
    ).toBe(
      'Disable one of designer and schema-designer if you do not need both: their descriptions come with the agent or a plugin',
    );
  });
});
