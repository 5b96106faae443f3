import { expect, test } from 'vitest';
import { agentList } from '../../src/operations/agent-list.ts';
import { ServedWorkspace } from '../../src/mcp/served-workspace.ts';
import { SkillCatalog } from '../../src/skills/catalog.ts';
import { SourceNames } from '../../src/hub/shared-names.ts';
import { isForModels } from '../../src/workspace/agent-listing.ts';
import { TOOLSETS } from '../../src/workspace/settings-table.ts';
import type { View } from '../../src/hub/view.ts';
import { ask } from '../support/ask.ts';
import { fc, times } from '../support/effort.ts';
import { sharedCatalog, sharedParts, type SourceFiles } from '../support/shared.ts';

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nText.\n`;

function skills(prefix: string, count: number, description: string): SourceFiles {
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);
  return Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, skill(name, description)]));
}

function described(view: View, budget?: number): Promise<string> {
  const settings = {
    serverName: 'test',
    tools: new Set(TOOLSETS),
    findSpecs: () => view.hasSpecs,
    readOnly: true,
    toolNames: 'underscore' as const,
    descriptionBudget: budget,
    refreshIntervalMs: undefined,
    watch: false,
  };
  const log = { info: () => undefined, warn: () => undefined, bug: () => undefined };
  return new ServedWorkspace(view, settings, log).skillDescription(undefined);
}

const LONG = 'Words that say what the skill is for, when to use it, and when not to use it at all';

test('the description lists the skills of the own team first, wherever its source stands in the alphabet', async () => {
  const shared = await sharedCatalog({
    'alpha/skills': { files: skills('other', 2, 'Of others'), readers: ['*'] },
    'omega/skills': { files: skills('own', 2, 'Of the team') },
  });
  const text = await described(shared.viewFor('omega'));
  expect(text.match(/(?:own|other)-\d+/gu)).toEqual(['own-000', 'own-001', 'other-000', 'other-001']);
});

test('when not everything fits, the own skills keep descriptions and the others their names', async () => {
  const shared = await sharedCatalog({
    'alpha/skills': { files: skills('other', 400, LONG), readers: ['*'] },
    'omega/skills': { files: skills('own', 20, LONG) },
  });
  const text = await described(shared.viewFor('omega'));
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(text).toContain('own-019: Words that say what');
  expect(text).toContain('Skills of your team: 20. Long descriptions are shortened.');
  expect(text).toMatch(
    /\n\d+ of 400 skills of other teams, by name only\. \d+ more: use skills_search to find them\./u,
  );
  const plain = await described(shared.viewFor('alpha'));
  expect(plain).not.toContain('of your team');
});

test('list pages continue after their last name, even if the next snapshot adds or removes earlier names', async () => {
  const before = await sharedCatalog({ 'a/one': { files: skills('s', 30, 'Before') } });
  const first = await ask(agentList, { limit: 10 }, before.viewFor('a'));
  const changed: SourceFiles = {
    ...skills('s', 30, 'After'),
    'skills/aaa/SKILL.md': skill('aaa', 'New, and before all others'),
  };
  delete changed['skills/s-004/SKILL.md'];
  const after = await sharedCatalog({ 'a/one': { files: changed } });
  const second = await ask(agentList, { limit: 10, cursor: first.nextCursor }, after.viewFor('a'));
  expect(second.skills.map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, index) => `s-${String(index + 10).padStart(3, '0')}`),
  );
});

test('a running call lists the skills of its catalog, even if the next one has others', async () => {
  const parts = sharedParts();
  const before = await sharedCatalog({ 'a/one': { files: skills('old', 3, 'Before') } }, 1, parts);
  const view = before.viewFor('a');
  await sharedCatalog({ 'a/one': { files: skills('new', 5, 'After') } }, 2, parts);
  const { skills: listed, total } = await ask(agentList, {}, view);
  expect(listed.map(({ name }) => name)).toEqual(['old-000', 'old-001', 'old-002']);
  expect(total).toBe(3);
});

const name = fc.constantFrom('pdf', 'order', 'refund', 'x:y', 'ledger', 'books');
const sources = fc.array(
  fc.record({
    team: fc.constantFrom('a', 'b', 'c'),
    names: fc.uniqueArray(fc.tuple(fc.constantFrom('x', 'y'), name, fc.boolean()), {
      maxLength: 6,
      selector: ([folder, each]) => `${folder}/${each}`,
    }),
    isShared: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

function companyOf(given: typeof sources extends fc.Arbitrary<infer T> ? T : never) {
  return Object.fromEntries(
    given.map(({ team, names, isShared }, index) => [
      `${team}/s${index}`,
      {
        readers: isShared ? ['*'] : [],
        files: Object.fromEntries(
          names.map(([folder, each, isOff]) => [
            `${folder}/${each.replace(':', '-')}/SKILL.md`,
            `---\nname: ${JSON.stringify(each)}\ndescription: D\ndisable-model-invocation: ${isOff}\n---\n\n${index}\n`,
          ]),
        ),
      },
    ]),
  );
}

test('the beginning of the list for models matches the whole list, regardless of earlier requests', async () => {
  await fc.assert(
    fc.asyncProperty(sources, fc.array(fc.nat({ max: 12 }), { minLength: 1 }), async (given, asked) => {
      const { snapshot } = (await sharedCatalog(companyOf(given))).viewFor('a');
      const all = snapshot.forAgents.filter(({ skill: each }) => isForModels(each));
      for (const most of asked)
        expect(snapshot.beginningForModels(most)).toEqual({ first: all.slice(0, most), total: all.length });
    }),
    { numRuns: times(60) },
  );
});

test('order and rivals are the same, whether they are found out for one caller or for all', async () => {
  await fc.assert(
    fc.asyncProperty(sources, async (given) => {
      const { all, discovery } = (await sharedCatalog(companyOf(given))).viewFor('a').snapshot;
      expect(discovery.names).toBeInstanceOf(SourceNames);
      const alone = new SkillCatalog(all.copies, { own: discovery.own });
      expect(all.inNameOrder()).toEqual(alone.inNameOrder());
      const byKey = ([first]: readonly { key: string }[], [other]: readonly { key: string }[]): number =>
        (first?.key ?? '') < (other?.key ?? '') ? -1 : 1;
      expect([...all.sameName].sort(byKey)).toEqual([...alone.sameName].sort(byKey));
      for (const each of all.copies) {
        expect(all.displayName(each)).toBe(alone.displayName(each));
        expect(all.isWinner(each)).toBe(alone.isWinner(each));
      }
    }),
    { numRuns: times(60) },
  );
});
