import { describe, expect, test } from 'vitest';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { openBundledModel } from '../../src/search/model/bundled.ts';
import {
  areDistinguished,
  COMPETING,
  type ComparedLine,
  ownWords,
  readComparedLine,
  refersTo,
  sharedWords,
  similarityOf,
  similarPairs,
} from '../../src/search/similar-lines.ts';
import { fc } from '../support/effort.ts';

const model = openBundledModel(nodeFiles);
const line = (name: string, text: string): ComparedLine => readComparedLine(model, name, text);

const WORDS = ['merge', 'pdf', 'files', 'release', 'notes', 'database', 'migration', 'slides', 'deploy', 'kubernetes'];
const someWords = (min: number, max: number) => fc.array(fc.constantFrom(...WORDS), { minLength: min, maxLength: max });
const someLine = fc
  .record({ name: someWords(1, 3), text: someWords(1, 8) })
  .map(({ name, text }) => line(name.join('-'), text.join(' ')));
const someLines = fc.uniqueArray(someLine, { selector: ({ name }) => name, minLength: 3, maxLength: 12 });

/** The pairs with their names, in any order of lines. */
function pairsIn(lines: readonly ComparedLine[], least: number): [string, number][] {
  return similarPairs(lines, least)
    .pairs.map(({ a, b, similarity }): [string, number] => [
      [lines[a]?.name, lines[b]?.name].sort().join(' and '),
      similarity,
    ])
    .sort(([x], [y]) => (x < y ? -1 : 1));
}

describe('the similarity of two lines', () => {
  test('is the same in both directions, from 0 to 1', () => {
    fc.assert(
      fc.property(someLine, someLine, (a, b) => {
        const similarity = similarityOf(a, b);
        expect(similarity).toBe(similarityOf(b, a));
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity).toBeLessThanOrEqual(1);
        expect(sharedWords(a, b, 9)).toEqual(sharedWords(b, a, 9));
      }),
    );
  });

  test('is 1 for the same line', () => {
    fc.assert(
      fc.property(someLine, (a) => {
        expect(similarityOf(a, a)).toBeCloseTo(1, 2);
      }),
    );
  });

  test('counts words alone if the model does not know the language', () => {
    const [a, b, c] = [line('发票', '检查发票'), line('发票审核', '检查发票'), line('路线图', '计划季度')] as const;
    expect(a.vector).toBeUndefined();
    expect(similarityOf(a, b)).toBeGreaterThan(COMPETING);
    expect(similarityOf(a, c)).toBe(0);
  });

  test('is high for descriptions of one task, and low for others', () => {
    const design = line('database-designer', 'Designs database schemas, plans migrations and models relationships.');
    const schema = line('schema-planner', 'Use when designing a database schema with relationships and migrations.');
    const slides = line('slides', 'Make a slide deck for a talk.');
    expect(similarityOf(design, schema)).toBeGreaterThan(COMPETING);
    expect(similarityOf(design, slides)).toBeLessThan(0.3);
    expect(sharedWords(design, schema, 3)).toEqual(['migrations', 'relationships', 'designer']);
    expect(ownWords(schema, slides, 3).map(({ word }) => word)).toEqual(['planner', 'schema', 'migrations']);
  });
});

describe('the pairs of a list', () => {
  test('are those that comparing each line with each other finds', () => {
    fc.assert(
      fc.property(someLines, fc.constantFrom(0.3, 0.5, COMPETING, 0.8), (lines, least) => {
        const all = lines.flatMap((a, index) =>
          lines.slice(index + 1).flatMap((b): [string, number][] => {
            const similarity = similarityOf(a, b);
            return similarity >= least ? [[[a.name, b.name].sort().join(' and '), similarity]] : [];
          }),
        );
        expect(pairsIn(lines, least)).toEqual(all.sort(([x], [y]) => (x < y ? -1 : 1)));
      }),
    );
  });

  test('do not depend on the order of the list', () => {
    fc.assert(
      fc.property(someLines, (lines) => {
        expect(pairsIn(lines.toReversed(), COMPETING)).toEqual(pairsIn(lines, COMPETING));
      }),
    );
  });

  test('keep their similarity if a third line is removed', () => {
    fc.assert(
      fc.property(someLines, ([removed, ...rest]) => {
        const all = pairsIn([...(removed ? [removed] : []), ...rest], COMPETING);
        expect(pairsIn(rest, COMPETING)).toEqual(
          all.filter(([names]) => !names.split(' and ').includes(removed?.name ?? '')),
        );
      }),
    );
  });

  test('take bounded work: with too many similar lines, the rest is counted', () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const one = line('x', words);
    const lines = Array.from({ length: 4_000 }, (_, index) => ({ ...one, name: `skill-${index}` }));
    const { pairs, notCompared } = similarPairs(lines, COMPETING);
    expect(notCompared).toBeGreaterThan(0);
    expect(pairs.length).toBeLessThan(1_000_000);
  });
});

describe('a request tells two lines apart', () => {
  const isApart = (a: [string, string], b: [string, string]): boolean => areDistinguished(line(...a), line(...b));

  test('if their names differ in words that the other line does not have', () => {
    expect(isApart(['convert-pdf', 'Convert PDF files'], ['convert-word', 'Convert Word files'])).toBe(true);
    expect(isApart(['java-server', 'Servers in Java'], ['rust-server', 'Servers in Rust'])).toBe(true);
    expect(isApart(['init', 'Init a session'], ['status', 'Status of a session'])).toBe(true);
    // Only the names differ, and a request rarely has a name.
    expect(isApart(['order-refunds', 'Handles orders'], ['order-stops', 'Handles orders'])).toBe(false);
    expect(isApart(['convert-pdf', 'Convert PDF and Word files'], ['convert-word', 'Convert Word files'])).toBe(false);
    expect(isApart(['scaling', 'Scaling guide'], ['horizontal-scaling', 'Horizontal scaling guide'])).toBe(false);
    expect(isApart(['gitmoji', 'Commit messages'], ['commit-writer', 'Commit messages'])).toBe(false);
  });

  test('if one of them refers to the other', () => {
    expect(refersTo('For forms, see form-filler.', 'form-filler')).toBe(true);
    expect(refersTo('Do not use it for forms; use pdf.', 'pdf')).toBe(true);
    expect(refersTo('Do not use it for forms; use the `pdf` skill.', 'pdf')).toBe(true);
    expect(refersTo('Use when the user wants to use PDF forms.', 'pdf')).toBe(false);
    expect(refersTo('Reads pdf-forms.', 'pdf')).toBe(false);
    expect(refersTo('Reads forms.', '')).toBe(false);
  });
});
