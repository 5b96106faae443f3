import { expect, test } from 'vitest';
import { search } from '../../src/operations/search.ts';
import { ask } from '../support/ask.ts';
import { project } from '../support/project.ts';

const SKILL = `---
name: bindery
description: Leather, covers, thread, paper, spines and glue for a workshop that mends books.
---
`;

async function suggested(query: string): Promise<readonly string[] | undefined> {
  const workspace = await project({ 'project/.claude/skills/bindery/SKILL.md': SKILL }).open();
  const { suggestions } = await ask(search, { query, mode: 'keyword' }, workspace);
  return suggestions;
}

test('a misspelled word that nothing has brings the words that look like it', async () => {
  expect(await suggested('leathr')).toEqual(['leather']);
  expect(await suggested('mends thraed papre')).toEqual(['thread', 'paper']);
});

test('only the first four unknown words of a query bring suggestions: each is compared with all that are known', async () => {
  expect(await suggested('mends leathr covres thraed papre spinse worksohp')).toEqual([
    'leather',
    'covers',
    'thread',
    'paper',
  ]);
});
