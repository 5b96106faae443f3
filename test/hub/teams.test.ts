import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { CachedLists } from '../../src/hub/cached-lists.ts';
import type { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import type { View } from '../../src/hub/view.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { search } from '../../src/operations/search.ts';
import { corpusToSearch } from '../../src/workspace/search-documents.ts';
import type { Snapshot } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { skill } from '../support/followed.ts';
import { sharedCatalog } from '../support/shared.ts';

const files = (...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => [`skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: About ${name}.\n---\n\nText.\n`]),
  );

const catalog = (): Promise<SharedCatalog> =>
  sharedCatalog({
    'a/one': { files: files('pdf', 'of-a') },
    'b/one': { files: files('xls', 'both', 'of-b') },
    'b/two': { files: files('both') },
    'c/one': { files: files('pdf', 'xls', 'for-a'), readers: ['a'] },
    'd/one': { files: files('for-b'), readers: ['b'] },
    'e/one': { files: files('hidden') },
    'f/one': { files: files('for-all'), readers: ['*'] },
  });

test('a caller in several teams sees everything any of them sees, and owns the sources of each', async () => {
  const view = (await catalog()).viewFor('a', 'b');
  const { skills } = await ask(listSkills, {}, view);
  expect([...new Set(skills.map(({ name }) => name))].sort()).toEqual([
    'both',
    'for-a',
    'for-all',
    'for-b',
    'of-a',
    'of-b',
    'pdf',
    'xls',
  ]);
  for (const [name, loaded] of [
    ['pdf', 'a/one:pdf'],
    ['xls', 'b/one:xls'],
    ['for-a', 'c/one:for-a'],
  ] as const)
    expect((await ask(loadSkill, { name }, view)).fullName).toBe(loaded);
  await expect(ask(loadSkill, { name: 'both' }, view)).rejects.toMatchObject({ code: 'AMBIGUOUS' });
  await expect(ask(loadSkill, { name: 'hidden' }, view)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('callers with the same access share a view, regardless of the order and number of their teams', async () => {
  const shared = await catalog();
  expect(shared.viewFor('b', 'a')).toBe(shared.viewFor('a', 'b'));
  expect(shared.viewFor('a', 'team-without-sources')).toBe(shared.viewFor('a'));
  expect(shared.viewFor('a')).not.toBe(shared.viewFor('c'));
});

test('of more views than are kept, the one that was not used for longest goes', async () => {
  const count = LIMITS.sharedViews.value;
  const names = Array.from({ length: count + 1 }, (_, index) => `t${index}`);
  const shared = await sharedCatalog(Object.fromEntries(names.map((name) => [`${name}/one`, { files: {} }])));
  const [first, second] = [shared.viewFor('t0'), shared.viewFor('t1')];
  for (const name of names.slice(2, count)) shared.viewFor(name);
  expect(shared.viewFor('t0')).toBe(first);
  shared.viewFor(names.at(-1) ?? '');
  expect(shared.viewFor('t0')).toBe(first);
  expect(shared.viewFor('t1')).not.toBe(second);
});

test('views that show many skills are kept in smaller numbers, and the last one always', async () => {
  const limit = LIMITS.sharedViewSkills as { value: number };
  const before = limit.value;
  const files = { 'skills/one/SKILL.md': skill('one', ''), 'skills/two/SKILL.md': skill('two', '') };
  const shared = await sharedCatalog(Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}/one`, { files }])));
  try {
    // Two views of two skills each.
    limit.value = 4;
    const [a, b] = [shared.viewFor('a'), shared.viewFor('b')];
    expect(shared.viewFor('a')).toBe(a);
    shared.viewFor('c');
    expect(shared.viewFor('a')).toBe(a);
    expect(shared.viewFor('b')).not.toBe(b);
    limit.value = 1;
    expect(shared.viewFor('c')).toBe(shared.viewFor('c'));
  } finally {
    limit.value = before;
  }
});

test('views share search documents, and each shows the names its callers can use', async () => {
  const shared = await catalog();
  const [a, c] = [shared.viewFor('a'), shared.viewFor('c')];
  const documentsOf = async (view: View) => (await corpusToSearch(view, 'enabled', ['skill'])).documents;
  const [ofA, ofC] = [await documentsOf(a), await documentsOf(c)];
  const both = ofA.filter((document) => ofC.includes(document)).map(({ id }) => id);
  expect(both).toEqual(['c/one:for-a', 'c/one:pdf', 'c/one:xls', 'f/one:for-all']);
  const namesIn = async (view: View): Promise<string[]> =>
    (await ask(search, { query: 'pdf', in: ['skills'], mode: 'keyword' }, view)).results.map(({ name }) => name).sort();
  // The team's own one has the short name, and the other only its full one.
  expect(await namesIn(a)).toEqual(['c/one:pdf', 'pdf']);
  expect(await namesIn(c)).toEqual(['pdf']);
  expect(await namesIn(a)).toEqual(['c/one:pdf', 'pdf']);
});

test('lists are kept for the views that were used last, up to so many skills', () => {
  const lists = new CachedLists();
  const snapshot = (length: number) => ({ all: { copies: { length } } }) as unknown as Snapshot;
  const half = LIMITS.sharedListSkills.value / 2;
  const [first, second, third] = [snapshot(half), snapshot(half), snapshot(half)];
  const cacheKeys = [first, second].map((each) => lists.cacheKeyOf(each));
  expect(lists.cacheKeyOf(first)).toBe(cacheKeys[0]);
  lists.cacheKeyOf(third);
  expect(lists.cacheKeyOf(first)).toBe(cacheKeys[0]);
  expect(lists.cacheKeyOf(second)).not.toBe(cacheKeys[1]);
  const huge = snapshot(10 * half);
  expect(lists.cacheKeyOf(huge)).toBe(lists.cacheKeyOf(huge));
});
