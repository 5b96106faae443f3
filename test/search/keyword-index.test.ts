import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { SearchCache } from '../../src/search/cache/cache.ts';
import type { SourceIndex, SearchDocument } from '../../src/search/document.ts';
import { searchKeywords } from '../../src/search/keyword.ts';
import { WordTable } from '../../src/search/keywords/word-table.ts';
import type { SearchAnswer } from '../../src/search/answer.ts';
import { Search } from '../../src/search/search.ts';
import { doc } from '../support/documents.ts';
import { fc, times } from '../support/effort.ts';

const open = (): Search => new Search({ vectors: { kind: 'none' }, cache: new SearchCache(memoryDisk(), undefined) });

/** Puts the documents into parts, and counts how often a text is read. */
function inParts(documents: readonly SearchDocument[], sizes: readonly number[]) {
  const counted = { reads: 0 };
  const all: SearchDocument[] = [];
  const rest = documents.map((document) => ({
    ...document,
    body: () => ((counted.reads += 1), document.body()),
  }));
  for (let index = 0; rest.length > 0; index++) {
    const group = rest.splice(0, Math.max(1, sizes[index % sizes.length] ?? 1));
    const sourceIndex: SourceIndex = { documents: async () => group };
    for (const document of group) all.push(Object.assign(document, { sourceIndex }));
  }
  return { documents: all, counted };
}

const piece = fc.oneof(
  fc.constantFrom('pdf', 'Form', 'forms', 'git', 'digital', 'İ', 'Σ', 'ΟΔΟΣ', 'ß', '文書', 'é', 'e\u0301', 'x', '7'),
  fc.constantFrom('-', '.', '->', '++', '"', '😀', '𝐀', '𐐀', '\u200d', '…', '`', '\\', '*'),
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const text = fc
  .array(fc.tuple(piece, fc.constantFrom('', '', ' ', '\n', '\u00a0')), { maxLength: 8 })
  .map((pieces) => pieces.map(([word, joint]) => word + joint).join(''))
  // Files are UTF-8, so a text never has half a character.
  .map((made) => made.toWellFormed());
const record = fc.record({ name: text, description: text, body: text });

describe('keyword search over indexed parts', () => {
  test('finds, counts and orders the same results as reading every text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(7), fc.nat(40), fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 3 }),
        fc.array(text, { maxLength: 1 }),
        fc.nat(3),
        async (records, sizes, slices, more, offset) => {
          const plain = records.map(({ name, ...fields }, index) =>
            doc(`${name} ${index}`, { ...fields, path: `${index}` }),
          );
          // What occurs is asked for more often than what does not.
          const taken = slices.map(([at, from, length]) => {
            const { name = '', description = '', body = '' } = records[at % records.length] ?? {};
            const all = `${name} ${description} ${body}`;
            const start = from % Math.max(1, all.length);
            return all.slice(start, start + length);
          });
          const queries = [taken.join(' '), ...more];
          const expected = await searchKeywords(plain, queries, { limit: 5, offset });
          const { documents } = inParts(plain, sizes);
          const [query = '', ...others] = queries;
          const got = await open().search(documents, { query, queries: others, mode: 'keyword', limit: 5, offset });
          expect(got.total).toBe(expected.total);
          expect(got.hits.map(({ id, score, snippet }) => [id, score, snippet])).toEqual(
            expected.hits.map(({ document, score, excerpt }) => [document.id, score, excerpt.text]),
          );
        },
      ),
      { numRuns: times(600) },
    );
  });

  test('reads only the texts that it shows, and those that the words alone do not decide', async () => {
    const bodies = ['Digital pre-commit', 'Commit - pre', 'Commit, then pre'];
    const documents = Array.from({ length: 60 }, (_, index) =>
      doc(`skill${index}`, { body: bodies[index % 3] ?? '', path: `${index}` }),
    );
    const { documents: parted, counted } = inParts(documents, [7]);
    const search = open();
    const ask = (query: string, limit: number) => search.search(parted, { query, mode: 'keyword', limit });
    expect((await ask('anything', 1)).total).toBe(0);
    counted.reads = 0;
    expect((await ask('git', 0)).total).toBe(20);
    expect((await ask('commit', 0)).total).toBe(60);
    expect((await ask(',', 0)).total).toBe(20);
    expect(counted.reads).toBe(0);
    expect((await ask('git', 2)).hits).toHaveLength(2);
    expect(counted.reads).toBe(2);
    counted.reads = 0;
    // One in three has it, and one in three has the same words and a hyphen in another order.
    expect((await ask('pre-commit', 0)).total).toBe(20);
    expect(counted.reads).toBe(40);
  });

  test('a source with only some visible documents is searched in these', async () => {
    const documents = ['a', 'b', 'c', 'd'].map((id) => doc(id, { body: `common only-${id}`, path: id }));
    const { documents: parted } = inParts(documents, [4]);
    const visible = parted.filter(({ id }) => id !== 'b');
    const search = open();
    for (const mode of ['keyword', 'auto'] as const) {
      const all = await search.search(parted, { query: 'common', mode, limit: 9 });
      const some = await search.search(visible, { query: 'common', mode, limit: 9 });
      const apart = await open().search(
        visible.map(({ sourceIndex: _sourceIndex, ...document }) => document),
        { query: 'common', mode, limit: 9 },
      );
      expect(all.total).toBe(4);
      const told = (answer: SearchAnswer): unknown => ({
        ...answer,
        hits: answer.hits.map((hit) => ({ ...hit, document: hit.document.id })),
      });
      expect(told(some)).toEqual(told(apart));
      expect(some.hits.map(({ id }) => id)).toEqual(['a', 'c', 'd']);
    }
  });

  test('the table finds each run that contains another, begins with it, ends with it or is it', () => {
    const run = fc
      .constantFrom('a', 'ab', 'ba', 'aba', 'b', 'é', 'aé', '文', 'a文')
      .chain((first) => fc.constantFrom('', 'a', 'b', 'é').map((second) => first + second));
    fc.assert(
      fc.property(
        fc.array(fc.array(run, { maxLength: 9 })),
        run,
        fc.boolean(),
        fc.boolean(),
        (lists, asked, starts, ends) => {
          const table = new WordTable();
          const numbers = lists.map((list) => table.numbers(Buffer.from(list.join('\n'))));
          const known = [...new Set(lists.flat())];
          expect(numbers).toEqual(lists.map((list) => list.map((each) => known.indexOf(each))));
          const expected = known.filter((each) => {
            if (starts && ends) return each === asked;
            return starts ? each.startsWith(asked) : ends ? each.endsWith(asked) : each.includes(asked);
          });
          expect([...table.find(asked, { starts, ends })]).toEqual(expected.map((each) => known.indexOf(each)));
        },
      ),
      { numRuns: times(300) },
    );
  });

  test('a table of many runs grows and still knows each of them', async () => {
    const table = new WordTable();
    const runs = Array.from({ length: 20_000 }, (_, index) => `run${(index * 7_919) % 20_011}`);
    const list = Buffer.from(runs.join('\n'));
    const numbers = table.numbers(list);
    expect(table.size).toBe(20_000);
    expect(table.numbers(list)).toEqual(numbers);
    expect(await table.numbersInSlices(list)).toEqual(numbers);
    expect(await new WordTable().numbersInSlices(list)).toEqual(numbers);
    expect([...table.find('run77', { starts: true, ends: true })]).toEqual([runs.indexOf('run77')]);
  });
});
