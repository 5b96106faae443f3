import { expect, test } from 'vitest';
import { COUNT_KEYS } from '../../src/agents/status.ts';
import { agents } from '../../src/operations/agents.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { overview } from '../../src/operations/overview.ts';
import { why, type WhyOutput } from '../../src/operations/why.ts';
import { budgetBar, tallies } from '../../src/render/agents-here.ts';
import { groupTitle, renderList } from '../../src/render/list.ts';
import { renderOverview } from '../../src/render/overview.ts';
import { makeStyle, VERBATIM } from '../../src/render/style.ts';
import { renderWhy } from '../../src/render/why.ts';
import { reflow } from '../../src/render/width.ts';
import { ask } from '../support/ask.ts';
import { HOME, project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const STYLE = makeStyle({ color: false, width: 80, cwd: PROJECT, home: HOME });
const shown = (text: string): string[] => reflow(text, 80).trimEnd().split('\n');

const NO_COUNTS = Object.fromEntries(Object.values(COUNT_KEYS).map((key) => [key, 0]));

/** Four agents, one of which does not read the skill. */
const FOUR = {
  'project/.git/HEAD': '',
  'home/.codex/config.toml': '',
  'home/.gemini/settings.json': '{}',
  'home/.config/opencode/opencode.json': '{}',
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'One' }),
};

test('why takes at most fifteen lines for four agents, and agents with the same reason share one', async () => {
  const output = await ask(why, { name: 'pdf' }, await project(FOUR).open());
  expect(output.agents).toHaveLength(4);
  const lines = shown(renderWhy(output, STYLE, false));
  expect(lines.length).toBeLessThanOrEqual(15);
  expect(lines).toContain('Claude Code, opencode: full description, from .claude/skills/pdf');
  expect(lines).toContain('Codex, Gemini CLI: not used: the agent does not read .claude/skills');
  expect(lines.join('\n')).not.toContain('observed with');
  expect(renderWhy(output, STYLE, true)).toContain('observed with Codex');
});

test('fixes that differ only in the target of a command are one command', () => {
  const answer = (id: string, title: string): WhyOutput['agents'][number] => ({
    id,
    title,
    found: true,
    status: 'not-read',
    reason: `${title} does not read /x`,
    path: '/x/pdf',
    chain: [],
    fix: `lectern share pdf --to ${id}`,
    source: { fact: '', source: 'observed', version: '' },
  });
  const text = renderWhy(
    { name: 'pdf', agents: [answer('codex', 'Codex'), answer('gemini', 'Gemini CLI')] },
    STYLE,
    false,
  );
  expect(text).toContain(`  fix: ${VERBATIM}lectern share pdf --to codex,gemini\n`);
});

test('the long form of why prints each fix once', async () => {
  const output = await ask(why, { name: 'pdf', agent: 'codex' }, await project(FOUR).open());
  expect(renderWhy(output, STYLE, true).split('fix: ')).toHaveLength(2);
});

test('a disabled skill has one fix, also for an agent that reads it through a link', async () => {
  const { 'project/.claude/skills/pdf/SKILL.md': text, ...rest } = FOUR;
  const place = project({
    ...rest,
    'project/.claude/skills/pdf/.SKILL.md': text,
    'project/.codex/skills/pdf': { link: '../../.claude/skills/pdf' },
  });
  const output = await ask(why, { name: 'pdf' }, await place.open());
  const fixes = output.agents.flatMap(({ status, fix }) => (status === 'disabled' ? [fix] : []));
  expect(fixes.length).toBeGreaterThan(1);
  expect([...new Set(fixes)]).toEqual([`lectern enable ${PROJECT}/.claude/skills/pdf`]);
});

test('counts that do not fit on a line continue below the first count', () => {
  const counts = { ...NO_COUNTS, seen: 25, disabled: 4, manualOnly: 24, notRead: 7 };
  const summary = { id: 'x', name: 'x', found: true, counts } as unknown as Parameters<typeof tallies>[0];
  expect(tallies(summary, makeStyle({ color: false, width: 50 }), 10)).toBe(
    `25 with full description, 4 disabled,\n${' '.repeat(10)}24 manual only`,
  );
  expect(tallies(summary, STYLE)).not.toContain('\n');
});

test('versions of a name are marked with the agents that use them, never as replaced', async () => {
  const files = {
    ...FOUR,
    'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Two' }),
    'home/.agents/skills/git/SKILL.md': skillText({ name: 'git' }),
  };
  const output = await ask(listSkills, {}, await project(files).open());
  const used = Object.fromEntries(output.skills.map(({ path, usedBy }) => [path, usedBy]));
  expect(used[`${PROJECT}/.claude/skills/pdf`]).toContain('Claude Code');
  expect(used[`${PROJECT}/.codex/skills/pdf`]).toEqual(['Codex']);
  expect(used[`${HOME}/.agents/skills/git`]).toBeUndefined();
  expect(output.counts.severalVersions).toBe(1);
  const text = renderList(output, STYLE, 'enabled');
  expect(text).toContain('[used by Codex]');
  expect(text).not.toContain('[other version');
  expect(text).toContain('~/.agents (1), shared by several agents\n');
  expect(text).toContain('1 name has several versions');
});

test.each([
  ['claude', 'user', `${HOME}/.claude/skills/pdf`, undefined, '~/.claude'],
  ['goose', 'user', `${HOME}/.config/goose/skills`, undefined, '~/.config/goose'],
  ['claude', 'project', `${PROJECT}/apps/web/.claude/skills/a`, undefined, 'apps/web/.claude'],
  ['repo', 'project', `${PROJECT}/skills/a`, undefined, 'skills'],
  ['new', 'project', `${PROJECT}/.new/skills/a`, undefined, '.new'],
  ['claude', 'plugin', '/x/office/skills/a', 'office', 'Claude plugin office'],
  ['mine', 'custom', '/x/mine/a', undefined, 'mine'],
] as const)('the title of a group of %s (%s) in %s', (provider, location, path, plugin, title) => {
  expect(groupTitle({ provider, location, path, ...(plugin ? { plugin } : {}) }, STYLE)).toBe(title);
});

test('the overview starts with the agents, whose full lists are the first problem, and findings of a kind are one line', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `skill-${index}`);
  const workspace = await project({
    'project/.git/HEAD': '',
    'home/.codex/config.toml': '[skills]\nmax_context_tokens = 200\n',
    ...Object.fromEntries(names.map((name) => [`project/.agents/skills/${name}/SKILL.md`, skillText({ name })])),
    'project/.claude/skills/x/SKILL.md': 'nothing',
    'project/.claude/skills/y/SKILL.md': 'nothing',
  }).open();
  const output = await ask(overview, {}, workspace);
  const codex = output.agents.find(({ id }) => id === 'codex');
  expect(output.found).toBe(32);
  expect(codex?.counts.dropped).toBeGreaterThan(0);
  expect(output.needsAttention[0]).toMatchObject({ kind: 'cut', severity: 'error', agent: 'codex' });
  expect(output.needsAttention[1]).toMatchObject({ code: 'frontmatter-missing', count: 2 });
  const lines = shown(renderOverview(output, STYLE));
  expect(lines[2]).toBe(`32 skills found. Claude Code sees 2, Codex ${30 - (codex?.counts.dropped ?? 0)}.`);
  expect(lines.join('\n')).toContain(`error Codex drops ${codex?.counts.dropped} of 30 skills`);
  expect(lines.filter((line) => line.includes('frontmatter-missing'))).toHaveLength(1);
  expect(lines).toContain('  lectern agents codex         the list that its model gets');
  expect(lines.some((line) => line.startsWith('  lectern web '))).toBe(true);
});

test('each line of the overview adds up to the number of skills', async () => {
  const output = await ask(overview, {}, await project(FOUR).open());
  for (const { counts } of output.agents)
    expect(Object.values(counts).reduce((sum, number) => sum + number, 0)).toBe(output.found);
});

test.each([
  [{ limit: 100, used: 50, wanted: 50 }, '█████░░░░░'],
  [{ limit: 100, used: 100, wanted: 200 }, '█████▒▒▒▒▒'],
  [{ limit: 100, used: 80, wanted: 200 }, '████░▒▒▒▒▒'],
  [{ limit: 100, used: 1, wanted: 1 }, '█░░░░░░░░░'],
  [{ limit: 100, used: 100, wanted: 101 }, '█████████▒'],
  [{ limit: 100, used: 0, wanted: 0 }, '░░░░░░░░░░'],
])('the bar of %o', (budget, bar) => {
  expect(budgetBar({ unit: 'tokens', builtIn: 0, window: null, ...budget }, 10, STYLE)).toBe(bar);
});

test('the matrix has signs for skills that were dropped or have another text', async () => {
  const { renderAgents } = await import('../../src/render/agents-here.ts');
  const files = {
    'home/.codex/config.toml': '[skills]\nmax_context_tokens = 1\n',
    'project/.agents/skills/a/SKILL.md': skillText({ name: 'a' }),
    'project/.claude/skills/b/SKILL.md': '---\nname: b\n---\nBody.\n',
  };
  const text = renderAgents(await ask(agents, { matrix: true }, await project(files).open()), STYLE);
  expect(text).toMatch(/^agents:a +- +⊖$/mu);
  expect(text).toMatch(/^claude:b +≠ +-$/mu);
});
