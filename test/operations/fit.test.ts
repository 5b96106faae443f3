import { describe, expect, test } from 'vitest';
import { agents } from '../../src/operations/agents.ts';
import { fitList } from '../../src/operations/fit.ts';
import { enableSkills } from '../../src/operations/toggle-skills.ts';
import { why } from '../../src/operations/why.ts';
import { localDay } from '../../src/core/local-day.ts';
import { renderFit } from '../../src/render/fit.ts';
import { makeStyle } from '../../src/render/style.ts';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { fc, times } from '../support/effort.ts';
import { HOME, project, type Project, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const ROOTS = { claude: 'home/.claude/skills', codex: 'home/.agents/skills' } as const;
type Agent = keyof typeof ROOTS;
const SETTINGS = { claude: 'home/.claude/settings.json', codex: 'home/.codex/config.toml' } as const;

function many(agent: Agent, lengths: readonly number[], word = 'word '): ProjectFiles {
  return Object.fromEntries(
    lengths.map((length, index) => {
      const name = `skill-${String(index).padStart(4, '0')}`;
      const description =
        word
          .repeat(Math.ceil(length / word.length))
          .slice(0, length)
          .trim() || 'x';
      return [`${ROOTS[agent]}/${name}/SKILL.md`, skillText({ name, description })];
    }),
  );
}

const evenly = (skills: number, length: number): number[] => Array.from({ length: skills }, () => length);

/** What `lectern agents` counts, under the names of a remedy. */
async function countsOf(workspace: Workspace, agent: Agent, window?: string) {
  const { agent: found, entries = [] } = await ask(agents, { agent, ...(window ? { window } : {}) }, workspace);
  const { seen: kept = 0, shortened = 0, nameOnly = 0 } = found?.counts ?? {};
  const listed = entries.filter(({ builtIn }) => !builtIn).length;
  return { kept, shortened, nameOnly, listed, used: found?.budget.used ?? 0 };
}

test('a list that fits has no remedies', async () => {
  const workspace = await project(many('claude', [10, 20])).open();
  expect(await ask(fitList, { agent: 'claude' }, workspace)).toMatchObject({ fits: true, remedies: [], share: 0.01 });
});

test('an agent without a known limit has nothing to fit', async () => {
  const workspace = await project(many('codex', [10])).open();
  expect(await ask(fitList, { agent: 'gemini' }, workspace)).toMatchObject({ fits: true, remedies: [], share: null });
});

test.each([
  ['gemini', { limit: 'all' }],
  ['opencode', { reset: true }],
  ['cursor', { limit: '5000' }],
  ['cursor', { unused: 30 }],
] as const)('%s is refused a remedy that it does not have: %o', async (agent, step) => {
  const workspace = await project(many('codex', [10])).open();
  await expect(ask(fitList, { agent, ...step }, workspace)).rejects.toMatchObject({
    code: 'REFUSED',
    hint: expect.stringContaining('claude, codex'),
  });
});

test('two steps at once are refused', async () => {
  const workspace = await project(many('codex', [10])).open();
  await expect(ask(fitList, { agent: 'codex', limit: 'all', reset: true }, workspace)).rejects.toMatchObject({
    code: 'USAGE',
  });
});

test('remedies come best first, with their setting, effect and cost', async () => {
  const workspace = await project(many('claude', evenly(200, 300))).open();
  const { fits, now, remedies } = await ask(fitList, { agent: 'claude' }, workspace);
  expect(fits).toBe(false);
  expect(now).toMatchObject({ dropped: 0, tokens: 0 });
  expect(remedies.map(({ id, kept }) => [id, kept])).toEqual([
    ['limit', 200],
    ['shorten', 200],
    ['built-in', expect.any(Number)],
  ]);
  const [limit, shorten] = remedies;
  expect(limit).toMatchObject({
    command: 'lectern fit claude --limit all',
    setting: { file: `${HOME}/.claude/settings.json`, key: 'skillListingBudgetFraction', value: limit?.share },
    gains: 200 - now.kept,
    nameOnly: 0,
  });
  expect(limit?.tokens).toBeGreaterThan(8_000);
  expect(shorten).toMatchObject({ command: 'lectern fit claude --shorten', skills: 200 });
});

test('Codex: a higher limit is a remedy if descriptions only get longer, and none becomes whole', async () => {
  const workspace = await project(many('codex', evenly(300, 1_000))).open();
  const { now, remedies } = await ask(fitList, { agent: 'codex' }, workspace);
  expect(now).toMatchObject({ kept: 0, shortened: 300 });
  expect(remedies[0]).toMatchObject({
    id: 'limit',
    gains: 0,
    kept: 0,
    setting: { key: 'skills.max_context_tokens', value: 10_000 },
    command: 'lectern fit codex --limit all',
  });
});

test('Codex: a higher limit is a remedy if it only keeps skills from being dropped', async () => {
  const workspace = await project(many('codex', evenly(1_500, 50))).open();
  const { now, remedies } = await ask(fitList, { agent: 'codex' }, workspace);
  expect(now.dropped).toBeGreaterThan(0);
  expect(remedies[0]?.id).toBe('limit');
  expect(remedies[0]?.dropped).toBeLessThan(now.dropped);
});

test('if no remedy shows every description, disabling skills is suggested', async () => {
  const style = makeStyle({ color: false });
  const crowded = await project(many('codex', evenly(1_500, 50))).open();
  const hint = 'lectern disable <skill> --for codex';
  expect(renderFit(await ask(fitList, { agent: 'codex' }, crowded), style)).toContain(hint);
  const full = await project(many('codex', evenly(200, 100))).open();
  const answer = await ask(fitList, { agent: 'codex' }, full);
  expect(answer.remedies.some(({ kept }) => kept === 200)).toBe(true);
  expect(renderFit(answer, style)).not.toContain(hint);
});

describe('a change', () => {
  const setUp = async (agent: Agent, files: ProjectFiles = {}, options: Partial<OpenOptions> = {}) => {
    const folder = project({ 'project/.git/HEAD': '', ...many(agent, evenly(200, 300)), ...files });
    return { folder, workspace: await folder.open(options) };
  };

  test.each(['claude', 'codex'] as const)('of the limit of %s is undone by --reset, byte for byte', async (agent) => {
    const text = agent === 'claude' ? '{\n  "model": "opus" \n}' : '# mine\nmodel = "x"\n';
    const { folder, workspace } = await setUp(agent, { [SETTINGS[agent]]: text });
    const before = await countsOf(workspace, agent);
    const { limit } = await ask(fitList, { agent, limit: 'all' }, workspace);
    expect(limit).toMatchObject({ state: 'changed', diff: expect.stringContaining('@@') });
    expect(await countsOf(workspace, agent)).not.toEqual(before);
    expect((await ask(fitList, { agent, reset: true }, workspace)).limit).toMatchObject({ state: 'changed' });
    expect(folder.read(SETTINGS[agent])).toBe(text);
    expect(await countsOf(workspace, agent)).toEqual(before);
    expect((await ask(fitList, { agent, reset: true }, workspace)).limit).toMatchObject({ state: 'unchanged' });
  });

  test('is shown as a diff and not written in a preview', async () => {
    const { folder, workspace } = await setUp('claude');
    const { limit } = await ask(fitList, { agent: 'claude', limit: 'all', dryRun: true }, workspace);
    expect(limit).toMatchObject({ state: 'would-create', diff: expect.stringContaining('skillListingBudgetFraction') });
    expect(folder.exists(SETTINGS.claude)).toBe(false);
  });

  test.each([
    ['claude', '12345', 12_345],
    ['claude', '45000', 45_000],
    ['codex', '6001', 6_001],
  ] as const)('sets the limit of %s to %s', async (agent, limit, length) => {
    const { workspace } = await setUp(agent);
    expect((await ask(fitList, { agent, limit }, workspace)).limit?.limit).toBe(length);
    const { agent: found } = await ask(agents, { agent }, workspace);
    expect(found?.budget.limit).toBe(length);
  });

  test.each([
    ['codex', '10001'],
    ['claude', '3000001'],
  ] as const)('beyond the maximum of %s is refused: %s', async (agent, limit) => {
    const { workspace } = await setUp(agent);
    await expect(ask(fitList, { agent, limit }, workspace)).rejects.toMatchObject({
      message: expect.stringContaining('at most'),
    });
  });

  test('goes to the file that already sets the limit, because it overrides the user’s', async () => {
    const file = 'project/.claude/settings.json';
    const { folder, workspace } = await setUp('claude', { [file]: '{"skillListingBudgetFraction":0.012}' });
    const { remedies } = await ask(fitList, { agent: 'claude' }, workspace);
    expect(remedies[0]?.command).toBe('lectern fit claude --limit all --scope project');
    await expect(ask(fitList, { agent: 'claude', limit: 'all', scope: 'user' }, workspace)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('takes precedence'),
    });
    await ask(fitList, { agent: 'claude', limit: 'all' }, workspace);
    expect(folder.exists(SETTINGS.claude)).toBe(false);
    expect((await countsOf(workspace, 'claude')).kept).toBe(200);
  });

  test('of a limit that a variable overrides is refused, and the remedy is the variable', async () => {
    const environment = { SLASH_COMMAND_TOOL_CHAR_BUDGET: '9000' };
    const { workspace } = await setUp('claude', {}, { environment });
    const { remedies, agent } = await ask(fitList, { agent: 'claude' }, workspace);
    expect(remedies[0]).toMatchObject({
      id: 'limit',
      fix: `Set SLASH_COMMAND_TOOL_CHAR_BUDGET=${agent.budget.wanted} in the environment of Claude Code`,
      kept: 200,
    });
    expect(remedies[0]).not.toHaveProperty('command');
    await expect(ask(fitList, { agent: 'claude', limit: 'all' }, workspace)).rejects.toMatchObject({ code: 'REFUSED' });
  });
});

const lengthsOf = fc.array(fc.integer({ min: 1, max: 1_700 }), { minLength: 1, maxLength: 120 });

describe('a remedy applied as printed has exactly the predicted effect', () => {
  test.each(['claude', 'codex'] as const)('%s', { timeout: 300_000 }, async (agent) => {
    await fc.assert(
      fc.asyncProperty(
        lengthsOf,
        fc.constantFrom('word ', 'wörter und ', '日本語 ', '<b> & "x" '),
        fc.constantFrom(undefined, '200k'),
        async (lengths, word, window) => {
          const files = many(agent, agent === 'codex' ? [...lengths, ...lengths, ...lengths] : lengths, word);
          const folder = project({ 'project/.git/HEAD': '', ...files });
          const workspace = await folder.open();
          const { remedies } = await ask(fitList, { agent, ...(window ? { window } : {}) }, workspace);
          for (const { id, command = '', setting, ...remedy } of remedies) {
            if (id === 'limit') await applyCommand(command, workspace);
            else if (id === 'built-in')
              folder.write({ [SETTINGS.claude]: `{"${setting?.key}":${String(setting?.value)}}` });
            else continue;
            const { used, ...counts } = await countsOf(workspace, agent, window);
            expect({ id, ...counts }).toEqual({
              id,
              kept: remedy.kept,
              shortened: remedy.shortened,
              nameOnly: remedy.nameOnly,
              listed: Object.keys(files).length - remedy.dropped,
            });
            folder.write({ [SETTINGS[agent]]: agent === 'claude' ? '{}' : '' });
            const before = await countsOf(workspace, agent, window);
            const more = used - before.used;
            expect(remedy.tokens).toBe(agent === 'codex' ? more : Math.ceil(more / 4));
          }
        },
      ),
      { numRuns: times(8) },
    );
  });
});

/** Runs a printed command of `lectern fit`. */
async function applyCommand(command: string, workspace: Workspace): Promise<void> {
  const [, , agent = '', ...words] = command.split(' ');
  const valueOf = (flag: string): string | undefined => words[words.indexOf(flag) + 1];
  const window = words.includes('--window') ? valueOf('--window') : undefined;
  await ask(fitList, { agent, limit: valueOf('--limit') ?? '', ...(window ? { window } : {}) }, workspace);
}

describe('--shorten', () => {
  test('lists what to remove and the words that are lost, and changes nothing', async () => {
    const folder = project(many('claude', evenly(150, 300)));
    const workspace = await folder.open();
    const before = folder.read(`${ROOTS.claude}/skill-0000/SKILL.md`);
    const { shorten, now } = await ask(fitList, { agent: 'claude', shorten: true }, workspace);
    expect(shorten).toMatchObject({ fits: true, kept: 150, nameOnly: 0 });
    expect(shorten?.skills).toHaveLength(150);
    expect(shorten?.skills[0]).toMatchObject({ characters: 299, by: 299 - (shorten?.to ?? 0) });
    const lost = shorten?.skills.filter(({ lost: words }) => words !== '') ?? [];
    expect(lost).toHaveLength(now.nameOnly);
    expect(lost[0]?.lost).toMatch(/^word word /u);
    expect(folder.read(`${ROOTS.claude}/skill-0000/SKILL.md`)).toBe(before);
  });

  test('followed, it has the predicted effect', async () => {
    const lengths = [...evenly(150, 300), 30];
    const folder = project(many('claude', lengths));
    const { shorten } = await ask(fitList, { agent: 'claude', shorten: true }, await folder.open());
    const to = shorten?.to ?? 0;
    const { kept, nameOnly } = await countsOf(
      await project(
        many(
          'claude',
          lengths.map((length) => Math.min(length, to)),
        ),
      ).open(),
      'claude',
    );
    expect({ kept, nameOnly }).toEqual({ kept: shorten?.kept, nameOnly: shorten?.nameOnly });
  });

  test('Codex: a word that is cut in the middle counts as lost', async () => {
    const workspace = await project(many('codex', evenly(300, 400), 'something ')).open();
    const { shorten } = await ask(fitList, { agent: 'codex', shorten: true }, workspace);
    const { entries = [] } = await ask(agents, { agent: 'codex' }, workspace);
    const cut = entries.find(({ text }) => /\S$/u.test(text) && !text.endsWith('something') && text !== '');
    const lost = shorten?.skills.find(({ name }) => name === cut?.name)?.lost ?? '';
    expect(cut).toBeDefined();
    expect(lost).toMatch(/^something something/u);
  });
});

describe('--unused', () => {
  const day = (ago: number): string => localDay(new Date(Date.now() - ago * 24 * 60 * 60 * 1000));
  const counted = (days: Record<string, Record<string, number>>): ProjectFiles => ({
    'home/.config/lectern/config.json': '{"usage":true}',
    'home/.local/state/lectern/usage.json': JSON.stringify({ days }),
  });
  const dirOf = (folder: Project, name: string): string => folder.at(`${ROOTS.claude}/${name}`);

  test('needs counts', async () => {
    const workspace = await project(many('claude', [10])).open();
    await expect(ask(fitList, { agent: 'claude', unused: 30 }, workspace)).rejects.toMatchObject({
      code: 'REFUSED',
      hint: expect.stringContaining('"usage": true'),
    });
  });

  test('needs counts of the whole period', async () => {
    const folder = project({ ...many('claude', [10]), ...counted({ [day(3)]: { '/elsewhere': 1 } }) });
    await expect(ask(fitList, { agent: 'claude', unused: 30 }, await folder.open())).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining(day(3)),
    });
  });

  test('disables the skills that were not loaded, with the predicted effect, and enable undoes it', async () => {
    const used = ['skill-0140', 'skill-0149'];
    const loads = Object.fromEntries(used.map((name) => [`${HOME}/.claude/skills/${name}`, 2]));
    const record = { skillUsage: { 'skill-0001': { usageCount: 1, lastUsedAt: new Date().toISOString() } } };
    const folder = project({
      'project/.git/HEAD': '',
      ...many('claude', evenly(150, 300)),
      ...counted({ [day(40)]: { '/elsewhere': 1 }, [day(1)]: loads }),
      'home/.claude.json': JSON.stringify(record),
    });
    const workspace = await folder.open();
    const before = await countsOf(workspace, 'claude');
    const first = await ask(fitList, { agent: 'claude' }, workspace);
    expect(first.remedies.find(({ id }) => id === 'unused')).toMatchObject({
      command: 'lectern fit claude --unused 30',
      skills: 147,
      gains: 2,
      kept: 3,
      nameOnly: 0,
    });
    const { unused } = await ask(fitList, { agent: 'claude', unused: 30 }, workspace);
    expect(unused).toMatchObject({ days: 30, kept: 3, nameOnly: 0, setting: { scope: 'local', state: 'created' } });
    const names = unused?.setting?.skills.map(({ name }) => name) ?? [];
    expect(names).toHaveLength(147);
    expect(names).not.toContain('skill-0001');
    expect(await countsOf(workspace, 'claude')).toMatchObject({ kept: 3, nameOnly: 0 });
    const off = await ask(why, { name: dirOf(folder, 'skill-0002'), agent: 'claude' }, workspace);
    expect(off.agents).toMatchObject([{ status: 'disabled' }]);
    await ask(enableSkills, { names, for: 'claude' }, workspace);
    expect(await countsOf(workspace, 'claude')).toEqual(before);
  });

  test('reports that every skill was loaded', async () => {
    const folder = project({
      ...many('claude', [10]),
      ...counted({ [day(40)]: { '/elsewhere': 1 }, [day(0)]: { [`${HOME}/.claude/skills/skill-0000`]: 1 } }),
    });
    const { unused } = await ask(fitList, { agent: 'claude', unused: 30 }, await folder.open());
    expect(unused).toMatchObject({ kept: 1 });
    expect(unused).not.toHaveProperty('setting');
  });
});

test('a fix for a skill without room is the command', async () => {
  const workspace = await project(many('claude', evenly(200, 300))).open();
  const { entries = [] } = await ask(agents, { agent: 'claude' }, workspace);
  const cut = entries.find(({ status }) => status === 'name-only');
  const { agents: answers } = await ask(why, { name: cut?.name ?? '', agent: 'claude' }, workspace);
  expect(answers).toMatchObject([{ status: 'name-only', fix: 'lectern fit claude' }]);
});
