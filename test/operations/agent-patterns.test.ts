import { expect, test } from 'vitest';
import { agents } from '../../src/operations/agents.ts';
import { shareSkills } from '../../src/operations/share-skills.ts';
import { renderAgents } from '../../src/render/agents-here.ts';
import { makeStyle } from '../../src/render/style.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { crowdedHome } from '../support/crowded-home.ts';
import { HOME, project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const open = (): Promise<Workspace> => project(crowdedHome()).open();
const BY_PATTERN = { matrix: true, by: 'pattern' } as const;

test('skills with the same statuses and folders are one pattern, and every skill is in exactly one', async () => {
  const workspace = await open();
  const { patterns = [], total, patternTotal, counts } = await ask(agents, BY_PATTERN, workspace);
  expect(patterns[0]).toMatchObject({
    total: 30,
    folders: [`${HOME}/.claude/skills`],
    status: { claude: 'seen', codex: 'not-read', cursor: 'seen', copilot: 'not-read' },
  });
  expect(patterns.map((pattern) => pattern.total)).toEqual(
    patterns.map((pattern) => pattern.total).toSorted((a, b) => b - a),
  );
  expect([total, patternTotal]).toEqual([patterns.length, patterns.length]);
  const { rows = [] } = await ask(agents, { matrix: true, by: 'skill' }, workspace);
  const inPatterns = new Map(patterns.flatMap(({ skills, status }) => skills.map(({ name }) => [name, status])));
  expect([inPatterns.size, rows.length, counts?.['all']]).toEqual([80, 80, 80]);
  for (const { name, status } of rows) expect([name, inPatterns.get(name)]).toEqual([name, status]);
});

test('the rows of a pattern are those like one of its skills', async () => {
  const workspace = await open();
  const { patterns = [] } = await ask(agents, BY_PATTERN, workspace);
  for (const { skills, total } of patterns) {
    const { rows = [] } = await ask(agents, { matrix: true, by: 'skill', like: skills[0]?.fullName ?? '' }, workspace);
    expect(rows.map(({ name }) => name)).toEqual(skills.map(({ name }) => name));
    expect(rows).toHaveLength(total);
  }
  await expect(ask(agents, { ...BY_PATTERN, like: 'cachign-audit' }, workspace)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    suggestions: expect.arrayContaining(['caching-audit']),
  });
});

test('a filter by name narrows patterns and rows alike', async () => {
  const workspace = await open();
  const { patterns = [], counts } = await ask(agents, { ...BY_PATTERN, query: 'Caching review' }, workspace);
  expect(patterns.flatMap(({ skills }) => skills.map(({ name }) => name))).toEqual(['caching-review']);
  expect(counts?.['all']).toBe(1);
});

test('a long pattern names its first skills and counts all', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 45 }, (_, index) => [
      `home/.claude/skills/skill-${index}/SKILL.md`,
      skillText({ name: `skill-${index}` }),
    ]),
  );
  const workspace = await project({ 'home/.codex/config.toml': '', ...files }).open();
  const { patterns = [], gap } = await ask(agents, BY_PATTERN, workspace);
  expect(patterns).toMatchObject([{ total: 45 }]);
  expect(patterns[0]?.skills).toHaveLength(30);
  expect(gap).toMatchObject({ total: 45, shared: 40 });
});

test('copies in two folders are one skill of both folders, and different versions are a pattern apart', async () => {
  const workspace = await project({
    'home/.codex/config.toml': '',
    'project/.claude/skills/a/SKILL.md': skillText({ name: 'a' }),
    'project/.agents/skills/a/SKILL.md': skillText({ name: 'a' }),
    'project/.claude/skills/b/SKILL.md': skillText({ name: 'b' }),
    'project/.agents/skills/b/SKILL.md': skillText({ name: 'b', description: 'Another text' }),
  }).open();
  const { patterns } = await ask(agents, BY_PATTERN, workspace);
  const folders = [`${PROJECT}/.agents/skills`, `${PROJECT}/.claude/skills`];
  expect(patterns?.toSorted((a, b) => Number(a.versions ?? false) - Number(b.versions ?? false))).toMatchObject([
    { folders, skills: [{ name: 'a' }] },
    { folders, versions: true, skills: [{ name: 'b' }] },
  ]);
  expect(patterns?.find(({ versions }) => !versions)).not.toHaveProperty('versions');
});

test('the largest gap has a command that closes it', async () => {
  const workspace = await open();
  const { gap } = await ask(agents, BY_PATTERN, workspace);
  expect(gap).toMatchObject({ total: 30, seenBy: ['claude', 'cursor'], agents: ['codex', 'copilot'] });
  const [, names = '', to = ''] = /^lectern share (.+) --to (\S+)$/u.exec(gap?.command ?? '') ?? [];
  expect(names.split(' ')).toHaveLength(gap?.shared ?? 0);
  const { shared } = await ask(
    shareSkills,
    { skills: names.split(' '), to: to.split(','), dryRun: true, yes: false },
    workspace,
  );
  expect(shared.every(({ status }) => status === 'planned')).toBe(true);
  expect(new Set(shared.map(({ agent }) => agent))).toEqual(new Set(gap?.agents));
});

test('there is no gap if all agents see the same skills', async () => {
  const workspace = await project({ 'home/.claude/skills/a/SKILL.md': skillText({ name: 'a' }) }).open();
  expect(await ask(agents, BY_PATTERN, workspace)).not.toHaveProperty('gap');
});

test('the command prints one line for each pattern, and the gap', async () => {
  const style = makeStyle({ color: false, cwd: PROJECT, home: HOME });
  const text = renderAgents(await ask(agents, BY_PATTERN, await open()), style);
  expect(text).toContain('30  Only claude and cursor  ~/.claude/skills\n');
  expect(text).toContain('    broken in copilot\n');
  expect(text).toMatch(
    /Largest gap: codex and copilot do not read 30 skills in ~\/\.claude\/skills; .*\n {2}lectern share /u,
  );
});
