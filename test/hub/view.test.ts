import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRecord } from '../../src/core/json-file.ts';
import type { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import { agentList } from '../../src/operations/agent-list.ts';
import { agentSearch } from '../../src/operations/agent-search.ts';
import { listSpecs } from '../../src/operations/list-specs.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { search } from '../../src/operations/search.ts';
import { ask } from '../support/ask.ts';
import { everyAnswer, READING } from '../support/every-answer.ts';
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

type Ranked = { score: number }[];

function isRanked(value: unknown): value is Ranked {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isRecord(each) && 'score' in each);
}

/** Equal scores are ordered by the full name, which differs. */
function bestFirst(a: Ranked[number], b: Ranked[number]): number {
  return b.score - a.score || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
}

test.each([
  'examples/bookshop',
  'test/fixtures/openspec-verdicts/specs-cases',
  'test/fixtures/openspec-verdicts/change-cases',
])('a replica answers as the project on one machine does, but for places and full names: %s', async (folder) => {
  const files = filesBelow(path.join(PACKAGE_DIR, folder));
  using local = project({
    'project/.git/HEAD': '',
    ...Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`project/${name}`, bytes])),
  });
  const workspace = await local.open({ collections: true, readConfig: false, skipPlugins: true, userDir: undefined });
  const view = (await sharedCatalog({ 'shop/all': { files } })).viewFor('shop');
  const names = workspace.snapshot.all.copies.map(({ name }) => name);
  const catalog = await workspace.snapshot.specs();
  const ids = [...catalog.specs, ...catalog.changes].map(({ id }) => id);
  expect(names.length + ids.length).toBeGreaterThan(3);
  const asked = [...new Set(names), 'no-such-skill'];
  const providers = [...new Set(workspace.snapshot.all.copies.map(({ provider }) => provider))];
  const neutral = (value: unknown): unknown => {
    let text = JSON.stringify(value)
      .replaceAll(local.at('project'), '/shop/all')
      .replaceAll('shop/all:', '')
      .replaceAll('"shop/all/', '"')
      // One that another of the source hides has its folder in its full name.
      .replaceAll(/(?<=")[^":]+\/skills:/gu, '');
    for (const provider of providers) text = text.replaceAll(`${provider}:`, '');
    return JSON.parse(text, (key, each: unknown) => {
      // Only on one machine are there agents that use a version.
      if (key === 'usedBy') return undefined;
      return isRanked(each) ? each.sort(bestFirst) : each;
    });
  };
  const [here, there] = [await everyAnswer(workspace, asked, ids), await everyAnswer(view, asked, ids)];
  for (const [index, answer] of here.entries()) expect(neutral(there[index])).toEqual(neutral(answer));
});

/** About this machine, or writing, or for those who run a catalog: a replica offers none of these. */
const ELSEWHERE = [
  'overview agents why usage scan_skills doctor enable_skills disable_skills new_skill install_skills outdated_skills update_skills',
  'remove_skills verify_skills sync_skills change_new change_archive rebuild_index index_status clear_index setup_client publish source_history',
  'rollback_source context fit_list share_skills list_source try try_request skill_overlaps uninstall',
].flatMap((line) => line.split(' '));

test('every operation is compared, or is known to be for another place', () => {
  const forOperators = OPERATIONS.filter(({ reads }) => reads === 'none').map(({ name }) => name);
  const known = new Set([...READING.map(({ name }) => name), ...ELSEWHERE, ...forOperators]);
  expect(OPERATIONS.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
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

  test('of several in one source, each has a full name that loads it and nothing else', async () => {
    const shared = await sharedCatalog({
      'a/one': {
        files: {
          'x/status/SKILL.md': skill('status', 'of x'),
          'y/status/SKILL.md': skill('status', 'of y'),
          'y/deep/status/SKILL.md': skill('status', 'deep'),
          'z/alone/SKILL.md': skill('alone'),
        },
      },
    });
    const view = shared.viewFor('a');
    const { skills } = await ask(agentList, {}, view);
    expect(skills.map(({ name }) => name)).toEqual(['alone', 'status', 'a/one:y/deep:status', 'a/one:y:status']);
    for (const { name, skillFile } of skills) expect((await ask(loadSkill, { name }, view)).path).toBe(skillFile);
    const { results } = await ask(agentSearch, { query: 'status', limit: 25 }, view);
    for (const { name, skillFile } of results) expect((await ask(loadSkill, { name }, view)).path).toBe(skillFile);
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
