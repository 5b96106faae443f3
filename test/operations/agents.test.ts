import { describe, expect, test } from 'vitest';
import { agents } from '../../src/operations/agents.ts';
import { doctor } from '../../src/operations/doctor.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { showSkill } from '../../src/operations/show-skill.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { why } from '../../src/operations/why.ts';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import { ask } from '../support/ask.ts';
import { HOME, project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const FILES = {
  'project/.git/HEAD': '',
  'home/.codex/config.toml': '',
  'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Personal' }),
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Of the project' }),
  'project/.agents/skills/git/SKILL.md': skillText({ name: 'git' }),
  'project/.agents/skills/broken/SKILL.md': '---\nname: broken\n',
  'project/skills/nobody/SKILL.md': skillText({ name: 'nobody' }),
  'project/.agents/skills/off/.SKILL.md': skillText({ name: 'off' }),
};

test('every agent is counted, and found marks the ones used here', async () => {
  const { agents: all = [] } = await ask(agents, {}, await project(FILES).open());
  const found = all.filter((agent) => (agent as { found: boolean }).found);
  expect(found).toMatchObject([
    { id: 'claude', version: '2.1.327', counts: { seen: 1, otherCopy: 1, notRead: 4 }, budget: { limit: 30_000 } },
    { id: 'codex', counts: { seen: 1, broken: 1, disabled: 1, notRead: 3 }, budget: { unit: 'tokens' } },
  ]);
  expect(all.length).toBeGreaterThan(20);
});

test('the list of one agent has its own order, with built-in skills, and hidden ones with reason and fix', async () => {
  const workspace = await project(FILES).open();
  const { agent, entries = [], hidden = [] } = await ask(agents, { agent: 'claude', window: '200k' }, workspace);
  expect(agent).toMatchObject({ id: 'claude', budget: { limit: 8_000, window: 200_000 } });
  expect(entries[0]).toEqual({
    position: 1,
    name: 'pdf',
    fullName: 'claude:pdf',
    path: `${HOME}/.claude/skills/pdf`,
    status: 'seen',
    characters: '- pdf: Personal\n'.length,
    cost: '- pdf: Personal\n'.length,
    fullCost: '- pdf: Personal\n'.length,
    text: 'Personal',
  });
  expect(entries[1]).toMatchObject({ builtIn: true, path: null, fullName: null });
  expect(hidden.find(({ path }) => path === `${PROJECT}/.claude/skills/pdf`)).toEqual({
    name: 'pdf',
    fullName: 'claude:pdf',
    path: `${PROJECT}/.claude/skills/pdf`,
    status: 'other-copy',
    reason: `Claude Code uses the version in ${HOME}/.claude/skills`,
    winner: `${HOME}/.claude/skills/pdf`,
    fix: `lectern disable ${HOME}/.claude/skills/pdf`,
  });
});

test('the matrix has a row for each copy, in pages', async () => {
  const workspace = await project(FILES).open();
  const first = await ask(agents, { matrix: true, limit: 4 }, workspace);
  expect(first).toMatchObject({ agents: ['claude', 'codex'], total: 6, nextCursor: '4' });
  const rest = await ask(agents, { matrix: true, limit: 4, cursor: '4' }, workspace);
  expect(rest.nextCursor).toBeUndefined();
  expect([...(first.rows ?? []), ...(rest.rows ?? [])].map(({ fullName }) => fullName).toSorted()).toEqual([
    'agents:broken',
    'agents:git',
    'agents:off',
    'claude:pdf',
    'claude:pdf',
    'repo:nobody',
  ]);
});

test.each([
  ['differs', ['agents:broken', 'agents:git', 'agents:off', 'claude:pdf', 'claude:pdf']],
  ['cut', []],
  ['hidden', ['agents:broken', 'agents:off', 'claude:pdf']],
  ['nobody', ['agents:broken', 'agents:off', 'claude:pdf', 'repo:nobody']],
] as const)('the matrix shows only: %s', async (show, names) => {
  const { rows = [] } = await ask(agents, { matrix: true, show }, await project(FILES).open());
  expect(rows.map(({ fullName }) => fullName).toSorted()).toEqual(names);
});

test('by skill, the matrix has one row for all copies of a name, with the best status of each agent', async () => {
  const { rows = [], counts } = await ask(agents, { matrix: true, by: 'skill' }, await project(FILES).open());
  expect(rows.find(({ name }) => name === 'pdf')).toMatchObject({
    copies: 2,
    status: { claude: 'seen' },
    used: { claude: `${HOME}/.claude/skills/pdf` },
  });
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['broken', 'git', 'nobody', 'off', 'pdf']);
  expect(counts).toEqual({ all: 5, differs: 4, cut: 0, dropped: 0, hidden: 2, nobody: 3 });
});

test('one agent’s list is paged and names the folders the agent searches', async () => {
  const workspace = await project(FILES).open();
  const whole = await ask(agents, { agent: 'claude' }, workspace);
  const first = await ask(agents, { agent: 'claude', limit: 1 }, workspace);
  expect(first).toMatchObject({ total: whole.entries?.length, nextCursor: '1' });
  expect(first.entries).toEqual(whole.entries?.slice(0, 1));
  expect(whole.places?.filter(({ skills }) => skills > 0).map(({ path }) => path)).toEqual([
    `${HOME}/.claude/skills`,
    `${PROJECT}/.claude/skills`,
  ]);
});

test('an unknown agent fails with suggestions', async () => {
  await expect(ask(agents, { agent: 'claud' }, await project(FILES).open())).rejects.toMatchObject({
    code: 'NOT_FOUND',
    suggestions: expect.arrayContaining(['claude']),
  });
});

test('why shows for each agent the copy it uses, the folders it searches, and the evidence', async () => {
  const { agents: answers } = await ask(why, { name: 'pdf' }, await project(FILES).open());
  expect(answers).toMatchObject([
    {
      id: 'claude',
      status: 'seen',
      path: `${HOME}/.claude/skills/pdf`,
      source: { version: 'Claude Code 2.1.327' },
    },
    { id: 'codex', status: 'not-read' },
  ]);
  expect(answers[0]?.chain.filter(({ found }) => found)).toEqual([
    { place: 'user', path: `${HOME}/.claude/skills`, found: true, used: true },
    { place: 'project', path: `${PROJECT}/.claude/skills`, found: true, used: false },
  ]);
});

test('why answers about the name: a disabled copy in the project does not hide the personal one', async () => {
  const files = {
    'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Personal' }),
    'project/.claude/skills/pdf/.SKILL.md': skillText({ name: 'pdf', description: 'Of the project' }),
  };
  const output = await ask(why, { name: 'pdf' }, await project(files).open());
  expect(output.agents).toMatchObject([{ id: 'claude', status: 'seen', path: `${HOME}/.claude/skills/pdf` }]);
  expect(why.hasErrors?.(output)).toBe(false);
});

test('an agent that lists another text is reported with that text', async () => {
  const files = { 'project/.claude/skills/a/SKILL.md': '---\nname: a\n---\nBody.\n' };
  const workspace = await project(files).open();
  const output = await ask(why, { name: 'a' }, workspace);
  expect(output.agents).toMatchObject([{ status: 'other-text', text: 'Body.' }]);
  expect(why.hasErrors?.(output)).toBe(false);
  const { rows } = await ask(agents, { matrix: true, show: 'cut' }, workspace);
  expect(rows).toMatchObject([{ name: 'a', status: { claude: 'other-text' } }]);
});

test('a skill that fell out of a full list is dropped, which counts as seen by nobody', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `skill-${String(index).padStart(2, '0')}`);
  const files = Object.fromEntries(
    names.map((name) => [`project/.agents/skills/${name}/SKILL.md`, skillText({ name, description: 'd'.repeat(80) })]),
  );
  const config = '[skills]\nmax_context_tokens = 300\n';
  const workspace = await project({ ...files, 'project/.git/HEAD': '', 'home/.codex/config.toml': config }).open();
  const { agents: all = [] } = await ask(agents, {}, workspace);
  const codex = all.find((agent) => (agent as { id: string }).id === 'codex') as { counts: Record<string, number> };
  const dropped = codex.counts['dropped'] ?? 0;
  expect(dropped).toBeGreaterThan(0);
  expect(dropped + (codex.counts['nameOnly'] ?? 0)).toBe(40);
  expect((await ask(agents, { matrix: true, show: 'dropped' }, workspace)).total).toBe(dropped);
  expect((await ask(agents, { matrix: true, show: 'nobody' }, workspace)).total).toBe(dropped);
  expect((await ask(agents, { matrix: true, show: 'cut' }, workspace)).total).toBe(40 - dropped);
  const output = await ask(why, { name: 'skill-39' }, workspace);
  expect(output.agents).toMatchObject([{ id: 'codex', status: 'dropped' }]);
  expect(why.hasErrors?.(output)).toBe(true);
});

test('agents that use different versions of a skill differ', async () => {
  const files = {
    'project/.git/HEAD': '',
    'home/.codex/config.toml': '',
    'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'One' }),
    'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Two' }),
    'project/.claude/skills/same/SKILL.md': skillText({ name: 'same' }),
    'project/.agents/skills/same/SKILL.md': skillText({ name: 'same' }),
  };
  const { rows } = await ask(agents, { matrix: true, by: 'skill', show: 'differs' }, await project(files).open());
  expect(rows).toMatchObject([{ name: 'pdf', status: { claude: 'seen', codex: 'seen' } }]);
});

test('the folder of a plugin that Claude Code does not load has no listed skills', async () => {
  const root = `${HOME}/.claude/plugins/cache/shop/office/1.0.0`;
  const installed = { version: 2, plugins: { 'office@shop': [{ scope: 'user', installPath: root }] } };
  const workspace = await project({
    'home/.claude/plugins/installed_plugins.json': JSON.stringify(installed),
    'home/.claude/plugins/cache/shop/office/1.0.0/skills/word/SKILL.md': skillText({ name: 'word' }),
  }).open();
  const { places = [] } = await ask(agents, { agent: 'claude' }, workspace);
  expect(places.filter(({ place }) => place === 'plugin office')).toMatchObject([{ skills: 1, listed: 0 }]);
  const { roots } = await ask(doctor, {}, workspace);
  expect(roots.find(({ plugin }) => plugin === 'office')?.notLoaded).toContain('not switched on');
});

test('a personal copy with the same text is as good as the project’s', async () => {
  const same = skillText({ name: 'pdf' });
  const files = { 'home/.claude/skills/pdf/SKILL.md': same, 'project/.claude/skills/pdf/SKILL.md': same };
  expect((await ask(why, { name: 'pdf' }, await project(files).open())).agents).toMatchObject([{ status: 'seen' }]);
});

test.each([
  ['git', 'codex', 'seen', false],
  ['broken', 'codex', 'broken', true],
  ['off', 'codex', 'disabled', true],
  ['nobody', 'codex', 'not-read', true],
  [`${PROJECT}/.claude/skills/pdf`, 'claude', 'other-copy', true],
  ['./.claude/skills/pdf/SKILL.md', 'claude', 'other-copy', true],
  ['~/.claude/skills/pdf', 'claude', 'seen', false],
  ['git', 'gemini', 'seen', false],
  ['nobody', 'gemini', 'not-read', false],
])('why %s for %s: %s', async (name, agent, status, hasErrors) => {
  const output = await ask(why, { name, agent }, await project(FILES).open());
  expect(output.agents).toMatchObject([{ id: agent, status }]);
  expect(why.hasErrors?.(output)).toBe(hasErrors);
});

describe('list and why search equally deep', () => {
  const at = (dir: string): Record<string, string> => ({
    'home/.codex/config.toml': '',
    'project/.git/HEAD': '',
    [`project/${dir}/deep/SKILL.md`]: skillText({ name: 'deep' }),
  });
  const open = (files: Record<string, string>, options: Partial<OpenOptions> = {}) => project(files).open(options);

  test('a lower limit does not change what Codex reads, and why tells that list leaves the skill out', async () => {
    const workspace = await open(at('.agents/skills/a/b/c'), { limits: { walkDepth: 2 } });
    expect((await ask(listSkills, {}, workspace)).skills).toEqual([]);
    expect(await ask(why, { name: 'deep', agent: 'codex' }, workspace)).toMatchObject({
      unlisted: 'it is 4 levels deep, and Lectern reads 2',
      agents: [{ id: 'codex', status: 'seen' }],
    });
    const whole = await open(at('.agents/skills/a/b/c'));
    expect(await ask(why, { name: 'deep', agent: 'codex' }, whole)).not.toHaveProperty('unlisted');
  });

  test('a lower limit leaves out what no agent here reads', async () => {
    const workspace = await open(at('.claude/skills/a/b/c'), { limits: { walkDepth: 2 } });
    await expect(ask(why, { name: 'deep' }, workspace)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each([
    ['a higher limit', '.agents/skills/1/2/3/4/5/6/7', { limits: { walkDepth: 10 } }],
    ['a folder that was given explicitly', 'given/1/2/3/4/5/6/7', { skillDir: ['given'] }],
  ])('%s counts for both', async (_, dir, options) => {
    const workspace = await open(at(dir), options);
    expect((await ask(listSkills, {}, workspace)).skills).toMatchObject([{ name: 'deep' }]);
    expect(await ask(why, { name: 'deep', agent: 'codex' }, workspace)).toMatchObject({
      agents: [{ status: 'not-read' }],
    });
  });

  test.each([
    ['inside a skill', '.agents/skills/outer/inner', 'Lectern does not look for skills inside skills'],
    ['in node_modules', '.agents/skills/node_modules/x', 'Lectern skips node_modules'],
    ['in a folder that git ignores', '.agents/skills/ignored', '.gitignore excludes its folder'],
  ])('why tells why list leaves out a skill %s', async (_, dir, unlisted) => {
    const outer = { 'project/.agents/skills/outer/SKILL.md': skillText({ name: 'outer' }) };
    const workspace = await open({ ...at(dir), ...outer, 'project/.gitignore': 'ignored\n' });
    expect((await ask(listSkills, {}, workspace)).skills.map(({ name }) => name)).toEqual(['outer']);
    expect(await ask(why, { name: 'deep', agent: 'codex' }, workspace)).toMatchObject({
      unlisted,
      agents: [{ status: 'seen' }],
    });
  });
});

test('why fails for a name that is nowhere, with the nearest ones', async () => {
  await expect(ask(why, { name: 'gti' }, await project(FILES).open())).rejects.toMatchObject({
    code: 'NOT_FOUND',
    suggestions: ['git'],
  });
});

test('a link that leads out of the project is not read', async () => {
  const files = { 'project/.claude/skills/x/SKILL.md': { link: '/etc/secret' }, '/etc/secret': 'the password' };
  const { agents: answers } = await ask(why, { name: 'x' }, await project(files).open());
  expect(answers).toMatchObject([{ status: 'unknown' }]);
  expect(JSON.stringify(answers)).not.toContain('password');
});

test('list can show one agent’s list in its order, or the status in every agent', async () => {
  const workspace = await project(FILES).open();
  const codex = await ask(listSkills, { agent: 'codex' }, workspace);
  expect(codex.skills.map(({ fullName, agents: status }) => [fullName, status])).toEqual([
    ['agents:git', { codex: 'seen' }],
  ]);
  expect(codex.counts.total).toBe(1);
  const { skills } = await ask(listSkills, { agents: true }, workspace);
  expect(skills.find(({ name }) => name === 'git')?.agents).toEqual({ claude: 'not-read', codex: 'seen' });
  expect((await ask(listSkills, {}, workspace)).skills[0]).not.toHaveProperty('agents');
});

test('show and doctor report the status of a skill in the agents found here', async () => {
  const workspace = await project(FILES).open();
  const { agents: statuses } = await ask(showSkill, { name: 'git', agents: true }, workspace);
  expect(statuses).toEqual({ claude: 'not-read', codex: 'seen' });
  expect((await ask(doctor, {}, workspace)).agents).toMatchObject([
    { id: 'claude', counts: { seen: 1, otherCopy: 1 } },
    { id: 'codex', counts: { broken: 1 } },
  ]);
});

describe('validate with the profile of an agent', () => {
  const FILES = {
    'project/.claude/skills/colon/SKILL.md': '---\nname: colon\ndescription: Use it: now\n---\n\nText.\n',
    'project/.claude/skills/bracket/SKILL.md': '---\nname: bracket\ndescription: [a] and b\n---\n\nText.\n',
    'project/.claude/skills/quotes/SKILL.md': '---\nname: quotes\ndescription: "a" and b\n---\n\nText.\n',
    'project/.claude/skills/blank/SKILL.md': '--- \nname: blank\ndescription: fine\n--- \n\nText.\n',
  };
  test.each([
    ['claude', { quotes: 'agent-ignores-frontmatter' }],
    ['codex', { quotes: 'agent-refuses' }],
    ['gemini', { blank: 'agent-refuses' }],
    ['opencode', { bracket: 'agent-refuses', quotes: 'agent-refuses' }],
    ['spec', {}],
  ] as const)('%s: %s', async (profile, expected) => {
    const workspace = await project(FILES).open();
    const { errors } = await ask(validateSkills, { all: true, profile, strict: false }, workspace);
    const own = errors.filter(({ code }) => code.startsWith('agent-'));
    expect(Object.fromEntries(own.map(({ item, code }) => [item.replace('claude:', ''), code]))).toEqual(expected);
  });
});

test('a skill has its status in each agent only on request', async () => {
  const workspace = await project(FILES).open();
  expect(await ask(showSkill, { name: 'git' }, workspace)).not.toHaveProperty('agents');
});

describe('validate with the profile of an agent, for a SKILL.md that is a link', () => {
  const FILES = {
    'project/.git/HEAD': '',
    'project/src/good.md': skillText({ name: 'good' }),
    'project/src/bad.md': '---\nname: "bad"\ndescription: "a" and b\n---\n\nText.\n',
    'project/.agents/skills/good/SKILL.md': { link: '../../../src/good.md' },
    'project/.agents/skills/bad/SKILL.md': { link: '../../../src/bad.md' },
  };
  test.each([
    ['claude', { bad: 'agent-ignores-frontmatter' }],
    ['codex', { good: 'agent-refuses', bad: 'agent-refuses' }],
    ['gemini', {}],
    ['opencode', { bad: 'agent-refuses' }],
    ['copilot', {}],
    ['qwen', {}],
    ['kimi', {}],
    ['cline', {}],
  ] as const)('%s: %s', async (profile, expected) => {
    const workspace = await project(FILES).open();
    const { errors } = await ask(validateSkills, { all: true, profile, strict: false }, workspace);
    const own = errors.filter(({ code }) => code.startsWith('agent-'));
    expect(Object.fromEntries(own.map(({ item, code }) => [item.replace('agents:', ''), code]))).toEqual(expected);
  });
});

test('text output does no work for agents it leaves out', async () => {
  const workspace = await project(FILES).open();
  const context = { isForText: true };
  const answer = await agents.run({ matrix: false, show: 'all', by: 'copy', lines: false }, workspace, context);
  const whole = await ask(agents, {}, workspace);
  const found = (list: readonly unknown[] = []) => list.filter((agent) => (agent as { found: boolean }).found);
  expect(answer.agents).toEqual(found(whole.agents));
  expect(whole.agents?.length).toBeGreaterThan(answer.agents?.length ?? 0);
});
