import { describe, expect, test } from 'vitest';
import { stem } from '../../src/search/words/stem.ts';
import { eachTermOf, queryTerms } from '../../src/search/words/terms.ts';
import { fc } from '../support/effort.ts';

describe('terms', () => {
  test.each([
    ['getUserName', ['get', 'user', 'name', 'getusernam']],
    ['get_user_name', ['get', 'user', 'name', 'getusernam']],
    ['REQ-PG-001', ['req', 'pg', '001', 'reqpg001']],
    ['`--dry-run`', ['dry', 'run', 'dryrun']],
    ['HTTPServer', ['http', 'server', 'httpserver']],
    ['values.schema.json', ['valu', 'schema', 'json', 'valuesschemajson']],
    ["the user's files", ['user', 'file']],
    ['Résumé', ['resum']],
    ['数据库', ['数据', '据库']],
    ['会議の録音', ['会議', '議の', 'の録', '録音']],
    ['PDF文書', ['pdf', '文書']],
    ['字', ['字']],
  ])('%s', (text, expected) => {
    expect(new Set(queryTerms(text))).toEqual(new Set(expected));
  });

  test('spellings of one identifier meet in the joined form', () => {
    const joined = ['getUserName', 'get_user_name', 'get-user-name', 'getusername'].map((text) =>
      queryTerms(text).at(-1),
    );
    expect(new Set(joined).size).toBe(1);
  });

  test('any text gives terms, and never a blank or an endless one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const term of queryTerms(text)) {
          expect(term).not.toMatch(/\s/u);
          expect(term.length).toBeGreaterThan(0);
          expect(term.length).toBeLessThanOrEqual(60);
        }
      }),
    );
  });
});

test('looking for some terms of a text finds each of them where it is', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'connections',
      'Connected',
      'getUserName',
      'isation',
      'ies',
      'résumé',
      '文書',
      'k8s',
      'the',
      'ߊx',
      "don't",
    ),
    fc.string({ unit: fc.constantFrom('a', 'b', 'e', 'i', 's', 'y', 'n', 'g', 'Z', 'é', '-', '7'), maxLength: 9 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(word, { maxLength: 4 }), (words, asked) => {
      const text = words.join(' ');
      const wanted = new Set(asked.flatMap(queryTerms));
      const found: string[] = [];
      eachTermOf(wanted, text, (term, start, end) => {
        expect(queryTerms(text.slice(start, end))).toContain(term);
        found.push(term);
      });
      const expected = words.flatMap((each) => each.split(' ').flatMap(queryTerms)).filter((term) => wanted.has(term));
      expect([...new Set(found)].sort()).toEqual([...new Set(expected)].sort());
    }),
  );
});

describe('stems', () => {
  test.each([
    ['connections', 'connect'],
    ['connected', 'connect'],
    ['connecting', 'connect'],
    ['hopping', 'hop'],
    ['relational', 'relat'],
    ['queries', 'queri'],
    ['query', 'queri'],
    ['agreed', 'agre'],
    ['optimize', 'optim'],
    ['optimise', 'optim'],
    ['optimization', 'optim'],
    ['optimisation', 'optim'],
    ['colors', 'color'],
    ['colours', 'color'],
    ['caches', 'cach'],
    ['caching', 'cach'],
    ['pass', 'pass'],
    ['go', 'go'],
  ])('%s becomes %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });
});
