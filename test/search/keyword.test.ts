import { describe, expect, test } from 'vitest';
import { searchKeywords } from '../../src/search/keyword.ts';
import { doc } from '../support/documents.ts';
import { fc } from '../support/effort.ts';

const ids = async (query: string, documents: Parameters<typeof searchKeywords>[0], limit = 10): Promise<string[]> =>
  (await searchKeywords(documents, [query], { limit })).hits.map(({ document }) => document.id);

describe('keyword search', () => {
  const documents = [
    doc('pdf', { description: 'Fill forms', body: 'Run bd ready before you start.' }),
    doc('docx', { description: 'Edit documents, not pdf', body: 'Tracked changes.' }),
    doc('beads', { description: 'Task tracking', body: 'Use bd to see what is ready. A pdf can be attached.' }),
  ];

  test('every token must occur somewhere in the names, the description or the body', async () => {
    expect(await ids('bd ready', documents)).toEqual(['beads', 'pdf']);
    expect(await ids('bd missing', documents)).toEqual([]);
    expect(await ids('forms bd', documents)).toEqual(['pdf']);
  });

  test('a match in the name comes before the description, and that before the body', async () => {
    expect(await ids('pdf', documents)).toEqual(['pdf', 'docx', 'beads']);
  });

  test('whole words come before parts of words, wherever they occur', async () => {
    const found = [
      doc('digital', { description: 'Legit.' }),
      doc('history', { body: 'Use git, or GIT.' }),
      doc('commits', { description: 'Write commits with git.' }),
      doc('git-hooks', { body: 'Legitimate.' }),
      doc('repo_tools', { body: 'legit' }),
    ];
    expect(await ids('git', found)).toEqual(['git-hooks', 'commits', 'history', 'digital', 'repo_tools']);
    expect(await ids('straße', [doc('a', { body: 'straßen' }), doc('b', { body: 'Die Straße.' })])).toEqual(['b', 'a']);
  });

  test('a rephrasing adds results that the query itself misses', async () => {
    const { total, hits } = await searchKeywords(documents, ['forms', 'pdf', '  '], { limit: 2 });
    expect({ total, hits: hits.map(({ document, score }) => [document.id, score]) }).toEqual({
      total: 3,
      hits: [
        ['pdf', 1],
        ['docx', 1],
      ],
    });
  });

  test('case and the kind of blanks do not matter; parts of words count', async () => {
    expect(await ids('  TRACK\t\n', documents)).toEqual(['beads', 'docx']);
  });

  test('the score is the number of matched tokens, each counted once', async () => {
    expect((await searchKeywords(documents, ['bd ready BD'], { limit: 10 })).hits.map(({ score }) => score)).toEqual([
      2, 2,
    ]);
  });

  test('the total counts hits beyond the limit', async () => {
    const { total, hits } = await searchKeywords(documents, ['pdf'], { limit: 1 });
    expect({ total, shown: hits.length }).toEqual({ total: 3, shown: 1 });
  });

  test('the folder name counts as a name', async () => {
    expect(await ids('my-folder', [doc('x', { names: ['my-folder'] })])).toEqual(['x']);
  });

  test('an empty query finds nothing', async () => {
    expect(await searchKeywords(documents, [' \n '], { limit: 10 })).toMatchObject({ total: 0, hits: [] });
  });

  test('a body is not read when names and description decide, unless the hit is shown', async () => {
    let reads = 0;
    const document = { ...doc('pdf', { description: 'forms' }), body: () => ((reads += 1), 'text') };
    await searchKeywords([document], ['pdf forms'], { limit: 0 });
    expect(reads).toBe(0);
    await searchKeywords([document], ['pdf absent'], { limit: 0 });
    expect(reads).toBe(1);
  });

  test('the excerpt shows about 160 characters around the first match, on one line', async () => {
    const body = `${'before '.repeat(60)}the needle\n\nis here ${'after '.repeat(60)}`;
    const [hit] = (await searchKeywords([doc('x', { body })], ['needle'], { limit: 1 })).hits;
    expect(hit?.excerpt.text).toMatch(/^…(?:before )+the needle is here (?:after ?)+…$/u);
    expect(hit?.excerpt.text.length).toBeLessThanOrEqual(162);
    expect(hit?.excerpt.marks.map(([start, end]) => hit.excerpt.text.slice(start, end))).toEqual(['needle']);
  });

  test('letters that grow in lower case do not shift the marks', async () => {
    const [hit] = (await searchKeywords([doc('x', { body: 'İİİİ İstanbul needle' })], ['needle'], { limit: 1 })).hits;
    expect(hit?.excerpt.marks.map(([start, end]) => hit.excerpt.text.slice(start, end))).toEqual(['needle']);
  });

  test('results match a direct implementation of the rule, for any text', async () => {
    const word = fc.constantFrom('pdf', 'Form', 'bd', 'ready', 'x', 'İ', '文書', '😀');
    const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
    const record = fc.record({ name: text, description: text, body: text });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 6 }), text, async (records, query) => {
        const tokens = query.toLowerCase().split(/\s+/u).filter(Boolean);
        const expected = records.flatMap(({ name, description, body }, index) => {
          const whole = `${name} ${description} ${body}`.toLowerCase();
          return tokens.length > 0 && tokens.every((token) => whole.includes(token)) ? [String(index)] : [];
        });
        const found = await ids(
          query,
          records.map((fields, index) => doc(String(index), fields)),
        );
        expect(found.sort()).toEqual(expected.sort());
      }),
    );
  });
});
