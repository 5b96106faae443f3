import { expect, test } from 'vitest';
import { agentSearch } from '../../src/operations/agent-search.ts';
import type { SearchDocument } from '../../src/search/document.ts';
import { excerptOfBody, searchKeywords } from '../../src/search/keyword.ts';
import { fullNameOf } from '../../src/skills/skill.ts';
import { readBody } from '../../src/workspace/skill-content.ts';
import { project, PROJECT } from '../support/project.ts';
import { ask } from '../support/ask.ts';
import { fc, times } from '../support/effort.ts';

const word = fc.constantFrom(
  'git',
  'Git',
  'commit',
  'summit',
  'administrator',
  'administration',
  'mit',
  'Über',
  'über',
  'ÄRGER',
  'straße',
  '日本',
  'a',
  'ab',
  'abc',
  'STATUS',
);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const skill = fc.record({
  folder: fc.constantFrom('one', 'Two', 'git-x', 'über'),
  name: word,
  description: words,
  body: words,
});

test('a search by words finds and ranks the same skills as the plain search over all documents', async () => {
  let matched = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(skill, { minLength: 1, maxLength: 6 }),
      words,
      fc.integer({ min: 1, max: 4 }),
      async (skills, query, limit) => {
        const files = skills.map(({ folder, name, description, body }, index): [string, string] => [
          `${PROJECT}/.claude/skills/${folder}${index}/SKILL.md`,
          `---\nname: ${name}\ndescription: ${description}\nlicense: abc\n---\n${body}\n`,
        ]);
        const workspace = await project(Object.fromEntries(files)).open();
        const documents = workspace.snapshot.view().skills.map((each): SearchDocument => ({
          kind: 'skill',
          id: `${fullNameOf(each)} ${each.rank}`,
          name: each.name,
          names: [each.folder],
          path: each.file,
          description: each.description,
          body: () => readBody(workspace.disk, each).text,
        }));
        const plain = await searchKeywords(documents, [query], { limit });
        const { total, results } = await ask(agentSearch, { query, limit, mode: 'keyword' }, workspace);
        matched += total > 0 ? 1 : 0;
        expect(total).toBe(plain.total);
        expect(results.map(({ skillFile, score, excerpt }) => [skillFile, score, excerpt])).toEqual(
          plain.hits.map(({ document, score }) => [document.path, score, excerptOfBody(document, [query])]),
        );
        // The second time the texts are known already.
        expect((await ask(agentSearch, { query, limit, mode: 'keyword' }, workspace)).results).toEqual(results);
      },
    ),
    { numRuns: times(60) },
  );
  expect(matched).toBeGreaterThan(times(10));
});
