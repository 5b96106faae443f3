import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/agents/profiles/index.ts';
import { HOME, PROJECT } from '../support/project.ts';
import { listed, see, statuses, survey, verdictOn } from '../support/see.ts';
import { skillText } from '../support/skill-text.ts';

const GIT = { 'project/.git/HEAD': '' };
const copyIn = (...folders: string[]): Record<string, string> =>
  Object.fromEntries(
    folders.map((dir) => [`${dir}/pdf/SKILL.md`, skillText({ name: 'pdf', description: `From ${dir}` })]),
  );

describe('Gemini CLI', () => {
  const ORDER = ['home/.gemini/skills', 'home/.agents/skills', 'project/.gemini/skills', 'project/.agents/skills'];

  test.each(ORDER.slice(1).map((better, index): [string, string] => [better, ORDER[index] ?? '']))(
    '%s wins over %s',
    async (better, worse) => {
      const seen = await see(copyIn(worse, better), 'gemini');
      expect(verdictOn(seen, `${better}/pdf`).status).toBe('seen');
      expect(verdictOn(seen, `${worse}/pdf`).status).toBe('other-copy');
    },
  );

  test('reads the working folder only, and nothing of Claude Code', async () => {
    const files = { ...GIT, ...copyIn('project/.agents/skills', 'project/app/.claude/skills') };
    const seen = await see(files, 'gemini', { projectDir: `${PROJECT}/app` });
    expect(new Set(Object.values(statuses(seen)))).toEqual(new Set(['not-read']));
  });

  test.each([
    ['a byte order mark', '\ufeff---\nname: a\ndescription: d\n---\n', 'broken'],
    ['no name', '---\ndescription: d\n---\n', 'broken'],
    ['no description', '---\nname: a\n---\n', 'broken'],
    ['an empty description', '---\nname: a\ndescription: ""\n---\n', 'seen'],
    ['no fence', '# a\n', 'broken'],
    ['a key twice', '---\nname: a\ndescription: d\ndescription: e\n---\n', 'seen'],
  ])('a file with %s', async (_, text, status) => {
    const seen = await see({ 'project/.gemini/skills/a/SKILL.md': text }, 'gemini');
    expect(verdictOn(seen, 'project/.gemini/skills/a').status).toBe(status);
  });

  test('names lose characters that file names cannot contain, and 3,000 characters stay complete', async () => {
    const text = skillText({ name: '"a:b/c"', description: 'd'.repeat(3_000) });
    const seen = await see({ 'project/.gemini/skills/a/SKILL.md': text }, 'gemini');
    expect(seen.entries.at(-1)).toMatchObject({ name: 'a-b-c', status: 'seen', text: 'd'.repeat(3_000) });
    expect(seen.budget.limit).toBeNull();
  });

  test('skills.disabled and a folder that is not trusted hide', async () => {
    const settings = '{ /* mine */ "skills": { "disabled": ["pdf"] } }';
    const files = copyIn('project/.gemini/skills');
    const off = await see({ ...files, 'home/.gemini/settings.json': settings }, 'gemini');
    expect(verdictOn(off, 'project/.gemini/skills/pdf')).toMatchObject({
      status: 'disabled',
      fix: 'lectern enable pdf --for gemini',
    });
    const trust = JSON.stringify({ [PROJECT]: 'DO_NOT_TRUST' });
    const distrusted = await see({ ...files, 'home/.gemini/trustedFolders.json': trust }, 'gemini');
    expect(verdictOn(distrusted, 'project/.gemini/skills/pdf').status).toBe('disabled');
    const anyway = { environment: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } };
    const trusted = await see({ ...files, 'home/.gemini/trustedFolders.json': trust }, 'gemini', anyway);
    expect(verdictOn(trusted, 'project/.gemini/skills/pdf').status).toBe('seen');
  });

  test.each([
    ['a rule for a folder above counts', { '/repo': 'DO_NOT_TRUST' }, {}, 'disabled'],
    ['the longest rule counts', { '/repo': 'DO_NOT_TRUST', [PROJECT]: 'TRUST_FOLDER' }, {}, 'seen'],
    [
      'trust in a parent is trust in what it holds',
      { '/repo/other': 'TRUST_PARENT', '/repo': 'DO_NOT_TRUST' },
      {},
      'seen',
    ],
    ['a rule for another folder does not count', { '/repo/other': 'DO_NOT_TRUST' }, {}, 'seen'],
    ['the variable can refuse', { [PROJECT]: 'TRUST_FOLDER' }, { GEMINI_CLI_TRUST_WORKSPACE: 'false' }, 'disabled'],
    ['the restricted mode refuses', {}, { GEMINI_RESTRICTED_MODE: 'true' }, 'disabled'],
  ])('trust: %s', async (_, rules, environment, status) => {
    const files = {
      'project/.gemini/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
      'home/.gemini/trustedFolders.json': JSON.stringify(rules),
    };
    const seen = await see(files, 'gemini', { environment });
    expect(verdictOn(seen, 'project/.gemini/skills/pdf').status).toBe(status);
  });

  test.each([
    ['a colon', '---\nname: a\ndescription: Use it: now\n---\n', 'Use it: now'],
    ['a list', '---\nname: a\ndescription: [b, c]\n---\n', '[b, c]'],
    ['quotes that do not match', '---\nname: a\ndescription: "b" c\n  d\n---\n', '"b" c d'],
    ['two lines', '---\nname: a\ndescription: |\n  b\n  c\n---\n', 'b\nc\n'],
  ])('a description with %s is taken as it is', async (_, text, description) => {
    const { entries } = await see({ 'project/.gemini/skills/a/SKILL.md': text }, 'gemini');
    expect(entries.find(({ name }) => name === 'a')?.text).toBe(description);
  });
});

describe('opencode', () => {
  test('does not determine which of two copies wins', async () => {
    const seen = await see({ ...GIT, ...copyIn('home/.claude/skills', 'project/.agents/skills') }, 'opencode');
    expect(verdictOn(seen, 'project/.agents/skills/pdf')).toMatchObject({
      status: 'unknown',
      winner: null,
      fix: `lectern disable ${HOME}/.claude/skills/pdf`,
    });
    expect(listed(seen)).toEqual(['pdf']);
  });

  test('of thousands of copies, each names twenty others', async () => {
    const copies = Array.from({ length: 3_000 }, (_, index) => [
      `project/.opencode/skills/${index}/SKILL.md`,
      skillText({ name: 'pdf' }),
    ]);
    const seen = await see(Object.fromEntries(copies), 'opencode');
    const { fix } = verdictOn(seen, 'project/.opencode/skills/7');
    expect(fix?.match(/skills/gu)).toHaveLength(20);
  });

  test('a settings file that is nested too deep counts as empty', async () => {
    const files = { ...copyIn('project/.opencode/skills'), 'project/opencode.json': '['.repeat(500_000) };
    expect(verdictOn(await see(files, 'opencode'), 'project/.opencode/skills/pdf').status).toBe('seen');
  });

  test('reads every depth, hidden folders and skills inside skills, sorted by name with its own', async () => {
    const seen = await see(
      {
        ...GIT,
        'project/.opencode/skill/z/SKILL.md': skillText({ name: 'z' }),
        'project/.opencode/skill/z/.deep/1/2/3/4/5/6/7/SKILL.md': skillText({ name: 'B' }),
        'home/.config/opencode/skills/a/SKILL.md': skillText({ name: 'a' }),
      },
      'opencode',
    );
    expect(seen.entries.map(({ name }) => name)).toEqual(['a', 'B', 'customize-opencode', 'z']);
  });

  test.each([
    ['a byte order mark', '\ufeff---\nname: a\ndescription: d\n---\n', 'seen'],
    ['a colon', '---\nname: a\ndescription: Use it: now\n---\n', 'seen'],
    ['an at sign', '---\nname: a\ndescription: @x\n---\n', 'broken'],
    ['a number', '---\nname: 12\ndescription: d\n---\n', 'broken'],
    ['a key twice', '---\nname: a\nname: b\ndescription: d\n---\n', 'broken'],
    ['an empty description', '---\nname: a\ndescription: ""\n---\n', 'seen'],
  ])('a file with %s', async (_, text, status) => {
    const seen = await see({ 'project/.opencode/skills/a/SKILL.md': text }, 'opencode');
    expect(verdictOn(seen, 'project/.opencode/skills/a').status).toBe(status);
  });

  test.each([
    ['{"permission":{"skill":{"p*":"deny"}}}', 'disabled'],
    ['{"permission":{"skill":{"*":"deny","pdf":"allow"}}}', 'seen'],
    ['{"permission":{"skill":{"p?f":"ask"}}}', 'seen'],
    ['{"permission":{"skill":"deny"}}', 'disabled'],
  ])('%s: %s', async (config, status) => {
    const seen = await see({ ...copyIn('project/.opencode/skills'), 'project/opencode.json': config }, 'opencode');
    expect(verdictOn(seen, 'project/.opencode/skills/pdf').status).toBe(status);
  });

  test('a permission of many stars is evaluated without trying every way to match it', async () => {
    const name = 'a'.repeat(60);
    const files = { [`project/.opencode/skills/${name}/SKILL.md`]: skillText({ name }) };
    for (const [pattern, status] of [
      [`${'*a'.repeat(25)}*b`, 'seen'],
      [`${'*a'.repeat(25)}*`, 'disabled'],
    ] as const) {
      const config = JSON.stringify({ permission: { skill: { [pattern]: 'deny' } } });
      const seen = await see({ ...files, 'project/opencode.json': config }, 'opencode');
      expect(verdictOn(seen, `project/.opencode/skills/${name}`).status).toBe(status);
    }
  });

  test('with more patterns than the limit, it is unknown whether a skill is listed', async () => {
    const rules = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`x${index}*`, 'deny']));
    const config = JSON.stringify({ permission: { skill: rules } });
    const seen = await see({ ...copyIn('project/.opencode/skills'), 'project/opencode.json': config }, 'opencode');
    expect(verdictOn(seen, 'project/.opencode/skills/pdf')).toMatchObject({
      status: 'unknown',
      reason: 'the settings have 501 patterns for skills, and Lectern evaluates at most 500',
      fix: `Use fewer patterns in ${PROJECT}/opencode.json`,
    });
  });
});

describe('an agent of which only documents are known', () => {
  test('sees a sound skill; undocumented behavior is unknown', async () => {
    const seen = await see(
      {
        'project/.windsurf/skills/fine/SKILL.md': skillText({ name: 'fine' }),
        'project/.windsurf/skills/odd/SKILL.md': '---\nname: odd\n',
        'project/.windsurf/skills/group/deep/SKILL.md': skillText({ name: 'deep' }),
        'project/.windsurf/skills/manual/SKILL.md': skillText({
          name: 'manual',
          more: ['disable-model-invocation: true'],
        }),
        ...copyIn('project/.windsurf/skills', 'home/.codeium/windsurf/skills'),
      },
      'windsurf',
    );
    expect(statuses(seen)).toEqual({
      'project/.windsurf/skills/fine': 'seen',
      'project/.windsurf/skills/odd': 'unknown',
      'project/.windsurf/skills/group/deep': 'unknown',
      'project/.windsurf/skills/manual': 'unknown',
      'project/.windsurf/skills/pdf': 'unknown',
      'home/.codeium/windsurf/skills/pdf': 'unknown',
    });
    expect(seen.budget).toMatchObject({ limit: null, window: null });
  });

  test('Cursor and VS Code honor disable-model-invocation, and VS Code reads skill.md', async () => {
    const files = {
      'project/.claude/skills/a/SKILL.md': skillText({ name: 'a', more: ['disable-model-invocation: true'] }),
      'project/.claude/skills/b/skill.md': skillText({ name: 'b' }),
    };
    const [a, b] = ['project/.claude/skills/a', 'project/.claude/skills/b'];
    expect(statuses(await see(files, 'cursor'))).toEqual({ [a]: 'manual-only', [b]: 'unknown' });
    expect(statuses(await see(files, 'vscode'))).toEqual({ [a]: 'manual-only', [b]: 'seen' });
  });
});

describe('which agents are used here', () => {
  const found = async (files: Record<string, string>, environment: Record<string, string> = {}): Promise<string[]> =>
    [...(await survey(files, '', { environment })).agents].filter(([, { isFound }]) => isFound).map(([id]) => id);

  test('agents are detected by files in the home and the project, and by commands on the PATH', async () => {
    expect(await found({ 'home/.codex/config.toml': '' })).toEqual(['codex']);
    expect(await found({ 'project/.claude/skills/x': '', 'project/GEMINI.md': '' })).toEqual(['claude', 'gemini']);
    expect(await found({ '/usr/bin/goose': '' }, { PATH: '/bin:/usr/bin' })).toEqual(['goose']);
    expect(await found({ '/moved/settings.json': '' }, { CLAUDE_CONFIG_DIR: '/moved' })).toEqual(['claude']);
    expect(await found({ '/config/goose/config.yaml': '' }, { XDG_CONFIG_HOME: '/config' })).toEqual(['goose']);
    expect(await found({ 'project/.agents/skills/x/SKILL.md': skillText({ name: 'x' }) })).toEqual([]);
  });

  test('every profile has its facts, each with a source and a version', () => {
    const ids = PROFILES.map(({ id }) => id);
    expect(ids.slice(0, 13).join()).toBe(
      'claude,codex,gemini,opencode,cursor,vscode,copilot,goose,amp,windsurf,kiro,qwen,roo',
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const { facts } of PROFILES)
      for (const { fact, source, version } of Object.values(facts))
        expect([fact, source, version].every((text) => text.length > 3)).toBe(true);
  });
});
