import { expect, test } from 'vitest';
import type { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import { fc, times } from '../support/effort.ts';
import { everyAnswer } from '../support/every-answer.ts';
import { SERVED_OPERATIONS } from '../../src/server/operations-api.ts';
import { askShared, performShared } from '../support/shared-mcp.ts';
import { sharedCatalog, type SourceFiles } from '../support/shared.ts';

const skill = (name: string, body = ''): string => `---\nname: ${name}\ndescription: About ${name}.\n---\n\n${body}\n`;

/** The model does not know the last one: a query that misspells it is corrected from the names that are visible. */
const WORDS = ['pdf', 'order', 'refund', 'ledger', 'books', 'zorblax'];

const word = fc.constantFrom(...WORDS);
const team = fc.constantFrom('a', 'b', 'c');
const files = fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).chain((names) =>
  fc
    .tuple(...names.map((name) => fc.array(word, { maxLength: 4 }).map((body): [string, string[]] => [name, body])))
    .map((skills): SourceFiles => ({
      ...Object.fromEntries(
        skills.flatMap(([name, body]) => [
          [`skills/${name}/SKILL.md`, skill(name, body.join(' '))],
          [`skills/${name}/notes.txt`, body.join(' ')],
        ]),
      ),
      [`openspec/specs/${names[0] ?? ''}/spec.md`]: `# ${names.join(' ')}\n\n## Purpose\nP\n\n## Requirements\n\n### Requirement: ${names.join(' ')}\nIt SHALL.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n`,
      [`openspec/changes/more-${names[0] ?? ''}/proposal.md`]: `# More ${names.join(' ')}\n\n## Why\nW\n\n## What Changes\n- It\n`,
    })),
);
const source = fc.record({
  team,
  files,
  readers: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '*'), { maxLength: 2 }),
});
const callers = fc.uniqueArray(team, { minLength: 1, maxLength: 2 });

/** Everything that a client can ask for besides the tools, and what the tools say of names. */
async function protocolAnswers(catalog: SharedCatalog, teams: readonly string[]): Promise<unknown[]> {
  const ask = askShared(catalog);
  const complete = (ref: object, name: string, value: string): [string, Record<string, unknown>] => [
    'completion/complete',
    { ref, argument: { name, value } },
  ];
  const asked: [string, Record<string, unknown>][] = [
    ['server/discover', {}],
    ['tools/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['prompts/list', {}],
    ['skills/list', {}],
    ...['skill://{+path}', 'spec://{+id}', 'change://{+path}', 'agent://{agent}'].map((uri) =>
      complete({ type: 'ref/resource', uri }, 'path', ''),
    ),
    ...['', 'z', 'p'].map((value) => complete({ type: 'ref/prompt', name: 'skill' }, 'name', value)),
    ...WORDS.flatMap((name): [string, Record<string, unknown>][] => [
      ['prompts/get', { name }],
      ['resources/read', { uri: `spec://${name}` }],
      ['resources/read', { uri: `change://more-${name}/proposal.md` }],
      ...['a', 'b', 'c'].flatMap((each): [string, Record<string, unknown>][] =>
        [0, 1, 2].flatMap((index): [string, Record<string, unknown>][] => [
          ['resources/read', { uri: `skill://${each}%2Fs${index}/${name}/notes.txt` }],
          ['tools/call', { name: 'skill', arguments: { name: `${each}/s${index}:${name}` } }],
          ['tools/call', { name: 'get_change', arguments: { change_id: `${each}/s${index}:more-${name}` } }],
        ]),
      ),
      ['tools/call', { name: 'skill', arguments: { name } }],
      ['tools/call', { name: 'skill', arguments: { name: `${name}x` } }],
      ['tools/call', { name: 'skills_list', arguments: { query: name, limit: 1 } }],
      ['tools/call', { name: 'skills_search', arguments: { query: name } }],
      ['tools/call', { name: 'search_specs', arguments: { query: `${name}x` } }],
    ]),
  ];
  return Promise.all(asked.map(([method, params]) => ask(teams, method, params)));
}

/** Every operation that is served as JSON. */
async function servedAnswers(catalog: SharedCatalog, teams: readonly string[]): Promise<unknown[]> {
  const perform = performShared(catalog);
  const names = WORDS.flatMap((name, index) => [name, `${['a', 'b', 'c'][index % 3]}/s${index % 3}:${name}`]);
  const asked: [string, Record<string, unknown>][] = [
    ['list_specs', {}],
    ['list_changes', {}],
    ...names.flatMap((name): [string, Record<string, unknown>][] => [
      ['skill', { name }],
      ['skill_file', { name, path: 'notes.txt' }],
      ['skills_list', { query: name }],
      ['skills_search', { query: name }],
      ['search_specs', { query: name }],
      ['get_spec_requirements', { spec_id: name }],
      ['get_scenario', { spec_id: name, requirement: '*' }],
      ['get_change', { change_id: `more-${name}` }],
      ['validate_spec', { spec_id: name }],
      ['validate_change', { change_id: `more-${name}` }],
    ]),
  ];
  expect(new Set(asked.map(([operation]) => operation))).toEqual(new Set(SERVED_OPERATIONS));
  return Promise.all(asked.map(([operation, input]) => perform(teams, operation, input)));
}

test('sources that a caller cannot see do not affect its answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(source, { minLength: 1, maxLength: 5 }), callers, async (given, teams) => {
      const all = Object.fromEntries(given.map((each, index) => [`${each.team}/s${index}`, each]));
      const visible = Object.fromEntries(
        Object.entries(all).filter(
          ([, each]) =>
            teams.includes(each.team) || each.readers.some((reader) => reader === '*' || teams.includes(reader)),
        ),
      );
      const [full, bare] = await Promise.all([sharedCatalog(all), sharedCatalog(visible)]);
      // Others were there before, and views share what they can.
      for (const other of ['a', 'b', 'c']) await everyAnswer(full.viewFor(other), [], []);
      const told = await everyAnswer(full.viewFor(...teams), WORDS, WORDS);
      expect(told).toEqual(await everyAnswer(bare.viewFor(...teams), WORDS, WORDS));
      expect(await protocolAnswers(full, teams)).toEqual(await protocolAnswers(bare, teams));
      expect(await servedAnswers(full, teams)).toEqual(await servedAnswers(bare, teams));
    }),
    { numRuns: times(15) },
  );
});
