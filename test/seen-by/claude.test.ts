import { describe, expect, test } from 'vitest';
import { seenBy } from '../../src/agents/seen-by.ts';
import { remedies } from '../../src/agents/remedies.ts';
import { claude } from '../../src/agents/profiles/claude.ts';
import { HOME, PROJECT, type ProjectFiles } from '../support/project.ts';
import { listed, NOW, see, statuses, survey, verdictOn } from '../support/see.ts';
import { skillText } from '../support/skill-text.ts';

const GIT = { 'project/.git/HEAD': '' };

function many(number: number, length: number, root = 'project/.claude/skills'): ProjectFiles {
  const names = Array.from({ length: number }, (_, index) => `skill-${String(index).padStart(6, '0')}`);
  const description = 'd'.repeat(length);
  return Object.fromEntries(names.map((name) => [`${root}/${name}/SKILL.md`, skillText({ name, description })]));
}

describe('which copy', () => {
  test('the personal copy wins over the project’s, and the fix names it', async () => {
    const seen = await see(
      {
        ...GIT,
        'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'personal' }),
        'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'project' }),
      },
      'claude',
    );
    expect(verdictOn(seen, 'home/.claude/skills/pdf').status).toBe('seen');
    expect(verdictOn(seen, 'project/.claude/skills/pdf')).toMatchObject({
      status: 'other-copy',
      winner: { path: `${HOME}/.claude/skills/pdf` },
      fix: `lectern disable ${HOME}/.claude/skills/pdf`,
    });
  });

  test('a managed copy wins over a personal one', async () => {
    const seen = await see(
      {
        '/etc/claude-code/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
        'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
      },
      'claude',
    );
    expect(verdictOn(seen, 'home/.claude/skills/pdf').status).toBe('other-copy');
  });

  test('among the folders of a project the nearest wins, also without git', async () => {
    const files = {
      'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
      'project/app/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
    };
    const seen = await see(files, 'claude', { projectDir: `${PROJECT}/app` });
    expect(verdictOn(seen, 'project/app/.claude/skills/pdf').status).toBe('seen');
    expect(verdictOn(seen, 'project/.claude/skills/pdf').status).toBe('other-copy');
  });

  test('the name is the folder’s, and one that two files claim stands beside the first alone', async () => {
    const seen = await see(
      {
        'project/.claude/skills/one/SKILL.md': skillText({ name: 'pdf' }),
        'project/.claude/skills/two/SKILL.md': skillText({ name: 'pdf' }),
        'project/.claude/skills/three/SKILL.md': skillText({ name: 'p d f' }),
      },
      'claude',
    );
    expect(listed(seen)).toEqual(['one (pdf)', 'three', 'two']);
  });

  test('one file under two folders is listed once, under the first', async () => {
    const seen = await see(
      {
        'project/.claude/skills/b/SKILL.md': skillText({ name: 'b' }),
        'project/.claude/skills/a': { link: `${PROJECT}/.claude/skills/b` },
      },
      'claude',
    );
    expect(listed(seen)).toEqual(['a (b)']);
  });
});

describe('recognized skill files', () => {
  test('one level, hidden folders too; not the folder itself, not deeper, not another spelling', async () => {
    const seen = await see(
      {
        'project/.claude/skills/SKILL.md': skillText({ name: 'root' }),
        'project/.claude/skills/.x/SKILL.md': skillText({ name: '.x' }),
        'project/.claude/skills/group/deep/SKILL.md': skillText({ name: 'deep' }),
        'project/.claude/skills/lower/skill.md': skillText({ name: 'lower' }),
        'project/.agents/skills/other/SKILL.md': skillText({ name: 'other' }),
      },
      'claude',
    );
    expect(statuses(seen)).toEqual({
      'project/.claude/skills': 'not-read',
      'project/.claude/skills/.x': 'seen',
      'project/.claude/skills/group/deep': 'not-read',
      'project/.claude/skills/lower': 'not-read',
      'project/.agents/skills/other': 'not-read',
    });
  });

  test.each([
    ['no description', '---\nname: a\n---\n\n## First line\ntext\n', 'First line'],
    ['an empty description', '---\nname: a\ndescription:\n---\nBody.\n', 'Body.'],
    ['a list', '---\nname: a\ndescription: [a, b]\n---\nBody.\n', 'Body.'],
    ['a number', '---\nname: a\ndescription: 1.50\n---\nBody.\n', '1.5'],
    ['quotes that do not match', '---\nname: a\ndescription: "b" c\n---\nBody.\n', 'Body.'],
    ['a star', '---\nname: a\ndescription: *b\n---\nBody.\n', '*b'],
    ['a colon at the end', '---\nname: a\ndescription: Use it:\n---\nBody.\n', 'Body.'],
    ['dots for a closing fence', '---\nname: a\ndescription: b\n...\n', '---'],
    ['a long first line', `---\nname: a\n---\n${'x'.repeat(101)}\n`, `${'x'.repeat(97)}...`],
    ['control characters', '---\nname: a\ndescription: "b\\t\\u0007c"\n---\n', 'b c'],
    ['a colon', '---\nname: a\ndescription: Use it: now\n---\n', 'Use it: now'],
    ['a key twice', '---\nname: a\ndescription: one\ndescription: two\n---\n', 'two'],
    ['a blank line before the fence', '\n---\nname: a\ndescription: one\n---\n', '---'],
    ['no closing fence', '---\nname: a\ndescription: one\n', '---'],
    ['no fence', '# Title\n', 'Title'],
    ['nothing', '', 'Skill'],
    ['a byte order mark', '\ufeff---\nname: a\ndescription: one\n---\n', 'one'],
    ['when_to_use', '---\nname: a\ndescription: one\nwhen_to_use: two\n---\n', 'one - two'],
    ['markup', '---\nname: a\ndescription: "<b>"\n---\n', '&lt;b&gt;'],
  ])('a file with %s is listed', async (_, text, description) => {
    const { entries } = await see({ 'project/.claude/skills/a/SKILL.md': text }, 'claude');
    expect(entries[0]).toMatchObject({ name: 'a', text: description });
  });

  test.each([
    ['no description', '---\nname: a\n---\nBody.\n', 'its file has no description'],
    ['quotes that do not match', '---\nname: a\ndescription: "b" c\n---\nBody.\n', 'its frontmatter is ignored'],
    ['no fence', '# Body.\n', 'its file has no frontmatter'],
  ])('a file with %s is listed with another text, which the verdict has with its reason', async (_, text, reason) => {
    const seen = await see({ 'project/.claude/skills/a/SKILL.md': text }, 'claude');
    const verdict = verdictOn(seen, 'project/.claude/skills/a');
    expect(verdict).toMatchObject({ status: 'other-text', text: 'Body.' });
    expect(verdict.reason).toContain(reason);
    expect(verdict.fix).toContain(`${PROJECT}/.claude/skills/a/SKILL.md`);
  });

  test('the entry of a skill that is listed with another text still has its own description', async () => {
    const text = '---\nname: a\ndescription: "b" c\n---\nBody.\n';
    const { entries } = await see({ 'project/.claude/skills/a/SKILL.md': text }, 'claude');
    expect(entries[0]).toMatchObject({ status: 'other-text', text: 'Body.', description: '"b" c' });
  });

  test('a description of 1,536 characters is whole, one more is cut with a mark', async () => {
    const seen = await see({ ...many(1, 1_536), ...many(1, 1_537, 'home/.claude/skills') }, 'claude');
    const [personal] = seen.entries;
    expect(personal).toMatchObject({ status: 'shortened', text: `${'d'.repeat(1_535)}…` });
    const other = await see(many(1, 1_536), 'claude');
    expect(other.entries[0]).toMatchObject({ status: 'seen', text: 'd'.repeat(1_536) });
  });
});

describe('the budget', () => {
  test('of 60 skills with 250 characters, four are described in a window of 200,000 tokens and all in one of 1,000,000', async () => {
    const files = many(60, 250);
    const small = await see(files, 'claude', { window: 200_000 });
    expect(small.budget).toMatchObject({ limit: 8_000, unit: 'characters', builtIn: 6_064, window: 200_000 });
    expect(Object.values(statuses(small)).filter((status) => status === 'seen')).toHaveLength(4);
    expect(Object.values(statuses(small)).filter((status) => status === 'name-only')).toHaveLength(56);
    const large = await see(files, 'claude');
    expect(large.budget).toEqual({
      limit: 30_000,
      unit: 'characters',
      builtIn: 6_198,
      window: 1_000_000,
      used: 22_218,
      wanted: 22_218,
    });
    expect(new Set(Object.values(statuses(large)))).toEqual(new Set(['seen']));
  });

  test('1,802 characters of own lines fit into the small window, 1,803 do not', async () => {
    // "- skill-000000: " and the line break are 17 characters.
    const fits = await see(many(2, 884), 'claude', { window: 200_000 });
    expect(fits.budget.used).toBe(8_000);
    const files = { ...many(2, 884), ...many(1, 885) };
    const over = await see(files, 'claude', { window: 200_000 });
    // The description of security-review goes first.
    expect(over.budget).toMatchObject({ builtIn: 6_125, used: 6_125 + 1_803 });
    expect(new Set(Object.values(statuses(over)))).toEqual(new Set(['seen']));
  });

  test('the most used skill is described first, and use counts half after each week', async () => {
    const usage = {
      'skill-000001': { usageCount: 8, lastUsedAt: NOW - 3 * 7 * 24 * 3600 * 1000 },
      'skill-000002': { usageCount: 2, lastUsedAt: NOW },
    };
    const files = { ...many(3, 1_200), 'home/.claude.json': JSON.stringify({ skillUsage: usage }) };
    const seen = await see(files, 'claude', { window: 200_000 });
    expect(seen.entries.slice(0, 3).map(({ status }) => status)).toEqual(['name-only', 'name-only', 'seen']);
  });

  test.each([
    ['skillListingBudgetFraction', { skillListingBudgetFraction: 0.02 }, { limit: 60_000 }],
    ['a model with a small window', { model: 'claude-haiku-4-5' }, { limit: 8_000, window: 200_000 }],
    ['disableBundledSkills, which one of them survives', { disableBundledSkills: true }, { builtIn: 275 }],
  ])('the setting: %s', async (_, settings, budget) => {
    const seen = await see({ 'home/.claude/settings.json': JSON.stringify(settings) }, 'claude');
    expect(seen.budget).toMatchObject(budget);
  });

  test('SLASH_COMMAND_TOOL_CHAR_BUDGET replaces the result', async () => {
    const seen = await see({}, 'claude', { environment: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '1234' } });
    expect(seen.budget.limit).toBe(1_234);
  });

  test('a remedy includes the number of descriptions it adds', async () => {
    const found = await survey(many(60, 250), 'claude');
    const settings = found.agents.get('claude')?.settings;
    if (!settings) throw new Error('the survey has every agent');
    const now = seenBy(claude, found, settings, 200_000);
    const file = `${HOME}/.claude/settings.json`;
    expect(remedies({ now, survey: found, settings, window: 200_000 }).map(({ remedy }) => remedy)).toMatchObject([
      {
        id: 'limit',
        fix: `Set "skillListingBudgetFraction": 0.028 in ${file}`,
        command: 'lectern fit claude --limit all --window 200000',
        setting: { file, key: 'skillListingBudgetFraction', value: 0.028 },
        gains: 56,
        kept: 60,
        nameOnly: 0,
      },
      {
        id: 'built-in',
        fix: `Set "disableBundledSkills": true in ${file}`,
        setting: { file, key: 'disableBundledSkills', value: true },
        gains: 23,
        kept: 27,
        nameOnly: 33,
      },
      { id: 'shorten', command: 'lectern fit claude --shorten --window 200000', gains: 6, kept: 10, to: 100 },
    ]);
  });
});

describe('settings and keys', () => {
  test.each([
    ['disable-model-invocation: true', 'manual-only'],
    ['disable-model-invocation: yes', 'manual-only'],
    ['disable-model-invocation: "true"', 'manual-only'],
    ['disable-model-invocation: false', 'seen'],
    ['user-invocable: false', 'seen'],
    ['paths: src/**', 'manual-only'],
    ['paths: "**"', 'seen'],
    ['paths: []', 'seen'],
  ])('%s: %s', async (key, status) => {
    const text = skillText({ name: 'a', more: [key] });
    const seen = await see({ 'project/.claude/skills/a/SKILL.md': text }, 'claude');
    expect(verdictOn(seen, 'project/.claude/skills/a').status).toBe(status);
  });

  test.each([
    ['on', 'seen'],
    ['off', 'disabled'],
    ['name-only', 'name-only'],
    ['user-invocable-only', 'manual-only'],
  ])('skillOverrides %s: %s; the project’s own settings win', async (state, status) => {
    const seen = await see(
      {
        'project/.claude/skills/a/SKILL.md': skillText({ name: 'a' }),
        'home/.claude/settings.json': JSON.stringify({ skillOverrides: { a: 'off' } }),
        'project/.claude/settings.local.json': JSON.stringify({ skillOverrides: { a: state } }),
      },
      'claude',
    );
    expect(verdictOn(seen, 'project/.claude/skills/a').status).toBe(status);
  });

  const plugin = (enabled: object, known: object): ProjectFiles => ({
    'home/.claude/plugins/installed_plugins.json': JSON.stringify({
      version: 2,
      plugins: { 'office@shop': [{ scope: 'user', installPath: `${HOME}/cache/office` }] },
    }),
    'home/.claude/plugins/known_marketplaces.json': JSON.stringify(known),
    'home/.claude/settings.json': JSON.stringify({ enabledPlugins: enabled }),
    [`${HOME}/cache/office/skills/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
    [`${HOME}/cache/office/SKILL.md`]: skillText({ name: 'office' }),
  });
  const GITHUB = { shop: { source: { source: 'github' } } };

  test('an enabled plugin is listed after the project, with its name before the skill’s', async () => {
    const files = {
      ...plugin({ 'office@shop': true }, GITHUB),
      'project/.claude/skills/z/SKILL.md': skillText({ name: 'z' }),
    };
    expect(listed(await see(files, 'claude'))).toEqual(['z', 'office:pdf']);
  });

  test('plugins are listed in the order of the settings that enable them', async () => {
    const installed = { 'a@shop': 'a', 'b@shop': 'b', 'c@shop': 'c' };
    const files: ProjectFiles = {
      'home/.claude/plugins/installed_plugins.json': JSON.stringify({
        version: 2,
        plugins: Object.fromEntries(
          Object.entries(installed).map(([id, name]) => [
            id,
            [{ scope: 'user', installPath: `${HOME}/cache/${name}` }],
          ]),
        ),
      }),
      'home/.claude/plugins/known_marketplaces.json': JSON.stringify(GITHUB),
      'home/.claude/settings.json': JSON.stringify({ enabledPlugins: { 'c@shop': true, 'b@shop': true } }),
      'project/.claude/settings.json': JSON.stringify({ enabledPlugins: { 'a@shop': true, 'c@shop': true } }),
      ...Object.fromEntries(
        Object.values(installed).map((name) => [
          `${HOME}/cache/${name}/skills/pdf/SKILL.md`,
          skillText({ name: 'pdf' }),
        ]),
      ),
    };
    expect(listed(await see(files, 'claude'))).toEqual(['c:pdf', 'b:pdf', 'a:pdf']);
  });

  test.each([
    ['switched off', { 'office@shop': false }, GITHUB, 'disabled'],
    ['not mentioned', {}, GITHUB, 'disabled'],
    ['of an unknown marketplace', { 'office@shop': true }, {}, 'not-read'],
  ])('a plugin that is %s is not listed', async (_, enabled, known, status) => {
    const seen = await see(plugin(enabled, known), 'claude');
    expect(listed(seen)).toEqual([]);
    expect(statuses(seen)[`home/cache/office/skills/pdf`]).toBe(status);
  });

  test('a skill of a plugin without a description is not listed', async () => {
    const files = {
      ...plugin({ 'office@shop': true }, GITHUB),
      [`${HOME}/cache/office/skills/bare/SKILL.md`]: '---\nname: bare\n---\n\nText.\n',
    };
    const seen = await see(files, 'claude');
    expect(listed(seen)).toEqual(['office:pdf']);
    expect(statuses(seen)['home/cache/office/skills/bare']).toBe('manual-only');
  });

  test('markup is escaped before a description is cut, and half a pair is a replacement character', async () => {
    const { entries } = await see(
      {
        'project/.claude/skills/a/SKILL.md': skillText({ name: 'a', description: '<'.repeat(400) }),
        'project/.claude/skills/b/SKILL.md': skillText({ name: 'b', description: '🙂'.repeat(1_000) }),
      },
      'claude',
    );
    expect(entries[0]?.text).toBe(`${'&lt;'.repeat(383)}&lt…`);
    expect(entries[1]?.text).toBe(`${'🙂'.repeat(767)}\ufffd…`);
  });

  test('an own skill replaces the built-in one of its name', async () => {
    const seen = await see({ 'project/.claude/skills/init/SKILL.md': skillText({ name: 'init' }) }, 'claude');
    const names = seen.entries.map(({ name }) => name);
    expect(names.filter((name) => name === 'init')).toEqual(['init']);
    expect(names.slice(0, 2)).toEqual(['init', 'dataviz']);
  });
});
