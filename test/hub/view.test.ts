import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { isRecord } from '../../src/core/json-file.ts';
import type { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import { agentList } from '../../src/operations/agent-list.ts';
import { agentSearch } from '../../src/operations/agent-search.ts';
import { getChange } from '../../src/operations/get-change.ts';
import { getSpecRequirements } from '../../src/operations/get-spec-requirements.ts';
import { listChanges } from '../../src/operations/list-changes.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { listSpecs } from '../../src/operations/list-specs.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { search } from '../../src/operations/search.ts';
import { searchSpecs } from '../../src/operations/search-specs.ts';
import { showSkill } from '../../src/operations/show-skill.ts';
import { skillFile } from '../../src/operations/skill-file.ts';
import { validateChange, validateSpec } from '../../src/operations/validate-specs.ts';
import type { Reader } from '../../src/workspace/reader.ts';
import { ask } from '../support/ask.ts';
import { fc, times } from '../support/effort.ts';
import { project } from '../support/project.ts';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { sharedCatalog, type SourceFiles, type TestSource } from '../support/shared.ts';

const skill = (name: string, body = ''): string => `---\nname: ${name}\ndescription: About ${name}.\n---\n\n${body}\n`;

function filesBelow(dir: string): SourceFiles {
  const names = fs.readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(dir, file).split(path.sep).join('/'), fs.readFileSync(file)];
    }),
  );
}

/** What every reading operation says, failures included. */
async function answers(reader: Reader, names: readonly string[], specs: readonly string[]): Promise<unknown[]> {
  const told = async (asked: Promise<unknown>): Promise<unknown> =>
    asked.catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const { code, message, hint, suggestions } = error;
      return { code, message, hint, suggestions, available: error.available?.names() };
    });
  const all: Promise<unknown>[] = [
    ask(listSkills, { state: 'all' }, reader),
    ask(agentList, {}, reader),
    ask(listSpecs, {}, reader),
    ask(listChanges, {}, reader),
    ask(validateSpec, {}, reader),
    ask(validateChange, {}, reader),
    ...['books', 'order a book', 'nothing of this kind', 'refnd', 'zorblex', 'or', 'f-d'].flatMap((query) => [
      ask(search, { query, limit: 100 }, reader),
      ask(search, { query, mode: 'keyword', limit: 100 }, reader),
      ask(agentSearch, { query, limit: 50 }, reader),
      ask(searchSpecs, { query, limit: 50 }, reader),
    ]),
    ...names.flatMap((name) => [
      ask(loadSkill, { name }, reader),
      // Which agents of this machine read a file on it says nothing about a shared one.
      ask(showSkill, { name }, reader).then(({ agents: _agents, ...shown }) => shown),
      ask(skillFile, { name }, reader),
    ]),
    ...specs.flatMap((id) => [
      ask(getSpecRequirements, { spec_id: id }, reader),
      ask(getChange, { change_id: id }, reader),
    ]),
  ];
  return Promise.all(all.map(told));
}

type Ranked = { score: number }[];

function isRanked(value: unknown): value is Ranked {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isRecord(each) && 'score' in each);
}

/** Equal scores are ordered by the full name, which differs. */
function bestFirst(a: Ranked[number], b: Ranked[number]): number {
  return b.score - a.score || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
}

test('a replica answers as the project on one machine does, but for places and full names', async () => {
  const files = filesBelow(path.join(PACKAGE_DIR, 'examples/bookshop'));
  using local = project({
    'project/.git/HEAD': '',
    ...Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`project/${name}`, bytes])),
  });
  const workspace = await local.open({ collections: true, readConfig: false, skipPlugins: true, userDir: undefined });
  const view = (await sharedCatalog({ 'shop/all': { files } })).viewFor('shop');
  const names = workspace.snapshot.all.copies.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(3);
  const catalog = await workspace.snapshot.specs();
  const ids = [...catalog.specs, ...catalog.changes].map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(1);
  const asked = [...new Set(names), 'no-such-skill'];
  const providers = [...new Set(workspace.snapshot.all.copies.map(({ provider }) => provider))];
  const neutral = (value: unknown): unknown => {
    let text = JSON.stringify(value)
      .replaceAll(local.at('project'), '/shop/all')
      .replaceAll('shop/all:', '')
      .replaceAll('"shop/all/', '"');
    for (const provider of providers) text = text.replaceAll(`${provider}:`, '');
    return JSON.parse(text, (_, each: unknown) => (isRanked(each) ? each.sort(bestFirst) : each));
  };
  const [here, there] = [await answers(workspace, asked, ids), await answers(view, asked, ids)];
  for (const [index, answer] of here.entries()) expect(neutral(there[index])).toEqual(neutral(answer));
});

describe('names', () => {
  const catalog = (): Promise<SharedCatalog> =>
    sharedCatalog({
      'a/one': { files: { 'skills/pdf/SKILL.md': skill('pdf', 'of a'), 'skills/alone/SKILL.md': skill('alone') } },
      'b/two': { files: { 'skills/pdf/SKILL.md': skill('pdf', 'of b') }, readers: ['*'] },
      'c/three': { files: { 'skills/pdf/SKILL.md': skill('pdf', 'of c') }, readers: ['a', 'd'] },
    });

  test('the own team wins, and the others are found by their full names', async () => {
    const view = (await catalog()).viewFor('a');
    expect((await ask(loadSkill, { name: 'pdf' }, view)).content).toContain('of a');
    expect((await ask(loadSkill, { name: 'b/two:pdf' }, view)).content).toContain('of b');
    expect((await ask(loadSkill, { name: 'c/three:pdf' }, view)).content).toContain('of c');
  });

  test('without an own one, a name that several sources have is ambiguous', async () => {
    const view = (await catalog()).viewFor('d');
    await expect(ask(loadSkill, { name: 'pdf' }, view)).rejects.toMatchObject({
      code: 'AMBIGUOUS',
      suggestions: ['b/two:pdf', 'c/three:pdf'],
    });
  });

  test('a name that one visible source has is found, and a hidden one is missing', async () => {
    const shared = await catalog();
    expect((await ask(loadSkill, { name: 'pdf' }, shared.viewFor('e'))).content).toContain('of b');
    const hidden = ask(loadSkill, { name: 'alone' }, shared.viewFor('e'));
    await expect(hidden).rejects.toMatchObject({ code: 'NOT_FOUND', suggestions: [] });
  });

  test('specs are found in the same way', async () => {
    const spec = (text: string): SourceFiles => ({
      'openspec/specs/auth/spec.md': `# ${text}\n\n## Purpose\n${text}\n\n## Requirements\n\n### Requirement: R\nIt SHALL.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n`,
    });
    const shared = await sharedCatalog({
      'a/one': { files: spec('of a') },
      'b/two': { files: spec('of b'), readers: ['*'] },
      'c/three': { files: spec('of c'), readers: ['*'] },
    });
    const title = async (team: string, id: string): Promise<string | undefined> => {
      const found = (await shared.viewFor(team).freshSpecs()).findSpec(id);
      return found.kind === 'found' ? found.item.title : found.kind;
    };
    expect(await title('a', 'auth')).toBe('of a');
    expect(await title('a', 'b/two:auth')).toBe('of b');
    expect(await title('d', 'auth')).toBe('ambiguous');
    expect((await ask(listSpecs, {}, shared.viewFor('d'))).specs.map(({ id }) => id)).toEqual([
      'b/two:auth',
      'c/three:auth',
    ]);
  });
});

test('several sources give the order and the scores of one machine that has just their files', async () => {
  const words = ['invoice', 'refund', 'ledger', 'customer', 'export'];
  const sources = Object.fromEntries(
    ['a/one', 'b/two', 'c/three'].map((name, at): [string, TestSource] => [
      name,
      {
        readers: ['*'],
        files: Object.fromEntries(
          words.map((word, index) => [
            `skills/${word}-${at}/SKILL.md`,
            skill(`${word}-${at}`, `${words.slice(0, index + 1).join(' ')} ${'text '.repeat(at * 3)}`),
          ]),
        ),
      },
    ]),
  );
  const view = (await sharedCatalog(sources)).viewFor('z');
  using local = project(
    Object.fromEntries(
      Object.values(sources).flatMap(({ files }) =>
        Object.entries(files).map(([name, text]) => [`project/${name}`, text]),
      ),
    ),
  );
  const workspace = await local.open();
  for (const query of ['refund', 'customer ledger export', 'pay money back', 'invoise']) {
    const [one, several] = await Promise.all([
      ask(search, { query, limit: 50 }, workspace),
      ask(search, { query, limit: 50 }, view),
    ]);
    expect(several.total).toBe(one.total);
    const places = (answer: typeof one): [string, number][] => answer.results.map(({ name, score }) => [name, score]);
    // Equal scores are ordered by the full name, which has the source here.
    const inOrder = (list: [string, number][]) => list.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    expect(inOrder(places(several))).toEqual(inOrder(places(one)));
  }
});

test('nothing that a caller cannot see changes anything that it is told', async () => {
  // The model does not know the last one: a query that misspells it is corrected from the names that are visible.
  const word = fc.constantFrom('pdf', 'order', 'refund', 'ledger', 'books', 'zorblax');
  const team = fc.constantFrom('a', 'b', 'c');
  const files = fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).chain((names) =>
    fc
      .tuple(...names.map((name) => fc.array(word, { maxLength: 4 }).map((body): [string, string[]] => [name, body])))
      .map((skills): SourceFiles => ({
        ...Object.fromEntries(skills.map(([name, body]) => [`skills/${name}/SKILL.md`, skill(name, body.join(' '))])),
        [`openspec/specs/${names[0] ?? ''}/spec.md`]: `# ${names.join(' ')}\n\n## Purpose\nP\n\n## Requirements\n\n### Requirement: ${names.join(' ')}\nIt SHALL.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n`,
      })),
  );
  const source = fc.record({
    team,
    files,
    readers: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '*'), { maxLength: 2 }),
  });
  const callers = fc.uniqueArray(team, { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(fc.array(source, { minLength: 1, maxLength: 5 }), callers, async (given, teams) => {
      const all = Object.fromEntries(given.map((each, index) => [`${each.team}/s${index}`, each]));
      const visible = Object.fromEntries(
        Object.entries(all).filter(
          ([, each]) =>
            teams.includes(each.team) || each.readers.some((reader) => reader === '*' || teams.includes(reader)),
        ),
      );
      const words = ['pdf', 'order', 'refund', 'ledger', 'books', 'zorblax'];
      const [full, bare] = await Promise.all([sharedCatalog(all), sharedCatalog(visible)]);
      const told = await answers(full.viewFor(...teams), words, words);
      expect(told).toEqual(await answers(bare.viewFor(...teams), words, words));
    }),
    { numRuns: times(15) },
  );
});
