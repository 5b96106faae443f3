import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { disableSkills, enableSkills } from '../../src/operations/toggle-skills.ts';
import { why } from '../../src/operations/why.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { HOME, project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

type Agent = 'claude' | 'codex' | 'gemini' | 'opencode';
type Scope = 'user' | 'project' | 'local';

/** A skill in a folder that the agent reads, and the settings file of each scope. */
const AGENTS: Record<Agent, { skill: string; files: Partial<Record<Scope, string>> }> = {
  claude: {
    skill: 'home/.claude/skills/pdf',
    files: {
      local: 'project/.claude/settings.local.json',
      user: 'home/.claude/settings.json',
      project: 'project/.claude/settings.json',
    },
  },
  codex: { skill: 'home/.agents/skills/pdf', files: { user: 'home/.codex/config.toml' } },
  gemini: {
    skill: 'home/.agents/skills/pdf',
    files: { user: 'home/.gemini/settings.json', project: 'project/.gemini/settings.json' },
  },
  opencode: {
    skill: 'home/.agents/skills/pdf',
    files: { user: 'home/.config/opencode/opencode.json', project: 'project/opencode.json' },
  },
};
const CASES = (Object.keys(AGENTS) as Agent[]).flatMap((agent) =>
  (Object.entries(AGENTS[agent].files) as [Scope, string][]).map(([scope, file]) => ({ agent, scope, file })),
);

const withSkill = (agent: Agent, files: ProjectFiles = {}): ProjectFiles => ({
  'project/.git/HEAD': '',
  [`${AGENTS[agent].skill}/SKILL.md`]: skillText({ name: 'pdf' }),
  ...files,
});

interface Flags {
  scope?: Scope;
  dryRun?: boolean;
  force?: boolean;
}
const disable = (workspace: Workspace, agent: string, names: string[] = ['pdf'], flags: Flags = {}) =>
  ask(disableSkills, { names, for: agent, ...flags }, workspace);
const enable = (workspace: Workspace, agent: string, names: string[] = ['pdf'], flags: Flags = {}) =>
  ask(enableSkills, { names, for: agent, ...flags }, workspace);
const statusIn = async (workspace: Workspace, agent: string, name = 'pdf') => {
  const { agents } = await ask(why, { name, agent }, workspace);
  return agents[0];
};

describe.each(CASES)('$agent, scope $scope', ({ agent, scope, file }) => {
  test('disabling is reported by why, whose fix enables it again', async () => {
    const folder = project(withSkill(agent));
    const workspace = await folder.open();
    const { setting } = await disable(workspace, agent, ['pdf'], { scope });
    expect(setting).toMatchObject({
      agent,
      scope,
      file: folder.at(file),
      state: 'created',
      skills: [{ name: 'pdf', status: 'changed' }],
    });
    const off = await statusIn(workspace, agent);
    expect(off).toMatchObject({ status: 'disabled' });
    const words = off?.fix?.split(' ') ?? [];
    expect(words.slice(0, 2)).toEqual(['lectern', 'enable']);
    const given = words.indexOf('--scope');
    await enable(
      workspace,
      words[words.indexOf('--for') + 1] ?? '',
      [words[2] ?? ''],
      given === -1 ? {} : { scope: words[given + 1] as Scope },
    );
    expect(await statusIn(workspace, agent)).toMatchObject({ status: 'seen' });
  });

  test('repeating it changes nothing', async () => {
    const folder = project(withSkill(agent));
    const workspace = await folder.open();
    await disable(workspace, agent, ['pdf'], { scope });
    const before = folder.read(file);
    expect((await disable(workspace, agent, ['pdf'], { scope })).setting).toMatchObject({
      state: 'unchanged',
      skills: [{ status: 'unchanged' }],
    });
    expect(folder.read(file)).toBe(before);
    await enable(workspace, agent, ['pdf'], { scope });
    const after = folder.read(file);
    expect((await enable(workspace, agent, ['pdf'], { scope })).setting).toMatchObject({ state: 'unchanged' });
    expect(folder.read(file)).toBe(after);
  });

  test('a preview has the diff and writes nothing', async () => {
    const folder = project(withSkill(agent));
    const { setting, dryRun } = await disable(await folder.open(), agent, ['pdf'], { scope, dryRun: true });
    expect(dryRun).toBe(true);
    expect(setting).toMatchObject({ state: 'would-create', diff: expect.stringContaining('pdf') });
    expect(folder.exists(file)).toBe(false);
  });
});

const JSON_FILES: Record<string, string> = {
  'two keys': '{\n  "model": "x",\n  "env": { "A": "1" }\n}\n',
  'no final newline': '{\n  "model": "x"\n}',
  'line breaks of Windows and tabs': '{\r\n\t"model": "x",\r\n\t"list": [\r\n\t\t1\r\n\t]\r\n}\r\n',
  'one line': '{"model":"x"}',
  'an airy line': '{ "model": "x" }\n',
  'an empty object': '{}',
  'an empty object and a line break': '{}\n',
};
const WITH_MARK: Record<string, string> = { 'a byte order mark': '\ufeff{\n  "model": "x"\n}\n' };
const WITH_COMMENTS: Record<string, string> = {
  comments: '// mine\n{\n  // one\n  "model": "x" // two\n  /* three */\n}\n',
  'a comment with a comma': '{\n  "model": "x" /* a, b */ // c, d\n}\n',
};
const WITH_TRAILING: Record<string, string> = {
  'a trailing comma': '{\n  "model": "x",\n}\n',
  'trailing commas and comments': '{\n  "model": "x", // one\n  "b": [1, 2,],\n}\n',
};
const TOML_FILES: Record<string, string> = {
  'tables and comments': '# mine\nmodel = "x" # two\n\n[mcp_servers.a]\ncommand = "b" # c\n',
  'no final newline': 'model = "x"',
  'line breaks of Windows': 'model = "x"\r\n\r\n[a]\r\nb = 1\r\n',
  'a byte order mark': '\ufeffmodel = "x"\n',
  'a blank line at the end': 'model = "x"\n\n',
  'an empty file': '',
  'another setting of that kind': '[[skills.config]]\nname = "git"\nenabled = false\n',
  'a table of that name': '[skills]\nmax_context_tokens = 9000\n\n[other]\na = 1\n',
};
const ODD: Record<Agent, Record<string, string>> = {
  claude: {
    ...JSON_FILES,
    ...WITH_MARK,
    'another skill': '{\n  "skillOverrides": {\n    "git": "name-only"\n  }\n}\n',
  },
  gemini: {
    ...JSON_FILES,
    ...WITH_COMMENTS,
    'another skill': '{\n  "skills": {\n    "disabled": ["git"]\n  }\n}\n',
    'other skills on lines': '{\n  "skills": {\n    "disabled": [\n      "git", // why\n      "xlsx"\n    ]\n  }\n}\n',
  },
  opencode: {
    ...JSON_FILES,
    ...WITH_COMMENTS,
    ...WITH_TRAILING,
    ...WITH_MARK,
    'another pattern': '{\n  "permission": {\n    "skill": { "git-*": "deny" }, // mine\n    "bash": "ask"\n  }\n}\n',
  },
  codex: TOML_FILES,
};

/** Whether a text has only additions to another one. */
function isKept(before: string, after: string): boolean {
  let at = 0;
  for (const character of after) if (character === before[at]) at += 1;
  return at === before.length;
}

describe.each(CASES)('$agent, scope $scope: an existing file', ({ agent, scope, file }) => {
  test.each(Object.entries(ODD[agent]))('with %s is the same after disable and enable', async (_, text) => {
    const folder = project(withSkill(agent, { [file]: text }));
    const workspace = await folder.open();
    await disable(workspace, agent, ['pdf'], { scope });
    const changed = folder.read(file);
    expect(changed).not.toBe(text);
    expect(changed.includes('\r\n')).toBe(text.includes('\r\n'));
    if (text.includes('\r\n')) expect(changed.replaceAll('\r\n', '')).not.toContain('\n');
    expect(isKept(text, changed)).toBe(true);
    expect(await statusIn(workspace, agent)).toMatchObject({ status: 'disabled' });
    await enable(workspace, agent, ['pdf'], { scope });
    expect(folder.read(file)).toBe(text);
    expect(await statusIn(workspace, agent)).toMatchObject({ status: 'seen' });
  });

  const broken = agent === 'codex' ? 'model = \n' : '{ "model": ';
  test('that cannot be parsed is refused and not changed', async () => {
    const folder = project(withSkill(agent, { [file]: broken }));
    await expect(disable(await folder.open(), agent, ['pdf'], { scope })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      path: folder.at(file),
      line: 1,
    });
    expect(folder.read(file)).toBe(broken);
  });

  test('that is a link is refused, and its target is not changed', async () => {
    const target = path.posix.join(path.posix.dirname(file), 'elsewhere.txt');
    const text = agent === 'codex' ? 'a = 1\n' : '{}\n';
    using folder = project(withSkill(agent, { [target]: text, [file]: { link: 'elsewhere.txt' } }), 'disk');
    await expect(disable(await folder.open(), agent, ['pdf'], { scope })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('it is a link'),
    });
    expect(folder.read(target)).toBe(text);
  });

  test('that is read-only is refused, also in a preview', async () => {
    const text = agent === 'codex' ? 'a = 1\n' : '{}\n';
    using folder = project(withSkill(agent, { [file]: text }), 'disk');
    fs.chmodSync(folder.at(file), 0o444);
    const workspace = await folder.open();
    for (const dryRun of [true, false])
      await expect(disable(workspace, agent, ['pdf'], { scope, dryRun })).rejects.toMatchObject({ code: 'UNWRITABLE' });
    expect(folder.read(file)).toBe(text);
  });
});

describe('the default scope', () => {
  test.each([
    ['claude', 'local'],
    ['codex', 'user'],
    ['gemini', 'user'],
    ['opencode', 'user'],
  ] as const)('of %s is %s', async (agent, scope) => {
    const workspace = await project(withSkill(agent)).open();
    expect((await disable(workspace, agent)).setting).toMatchObject({ scope });
  });

  test.each([
    ['codex', 'project'],
    ['codex', 'local'],
    ['gemini', 'local'],
    ['opencode', 'local'],
  ] as const)('%s has no scope %s', async (agent, scope) => {
    const folder = project(withSkill(agent));
    const before = folder.state();
    await expect(disable(await folder.open(), agent, ['pdf'], { scope })).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('--scope user'),
    });
    expect(folder.state()).toEqual(before);
  });

  test('a scope without an agent is refused', async () => {
    const workspace = await project(withSkill('claude')).open();
    await expect(ask(disableSkills, { names: ['pdf'], scope: 'user' }, workspace)).rejects.toMatchObject({
      message: expect.stringContaining('--for'),
    });
  });
});

test('an agent without such a setting is refused, with those that have one', async () => {
  const folder = project(withSkill('claude'));
  await expect(disable(await folder.open(), 'cursor')).rejects.toMatchObject({
    code: 'REFUSED',
    hint: expect.stringContaining('claude, codex, gemini, opencode'),
  });
});

test('an unknown agent, an unknown skill and a skill in another agent’s folder are refused', async () => {
  const folder = project(withSkill('claude'));
  const workspace = await folder.open();
  await expect(disable(workspace, 'claud')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(disable(workspace, 'claude', ['pdf', 'pfd'])).rejects.toMatchObject({
    code: 'NOT_FOUND',
    suggestions: ['pdf'],
  });
  await expect(disable(workspace, 'codex')).rejects.toMatchObject({
    code: 'REFUSED',
    message: expect.stringContaining('Codex does not list pdf'),
  });
  expect(folder.exists('project/.claude/settings.local.json')).toBe(false);
});

test('a plugin skill of Claude Code is refused, and the hint has the setting of the plugin', async () => {
  const files = {
    'home/.claude/settings.json': '{"enabledPlugins":{"office@market":true}}',
    'home/.claude/plugins/known_marketplaces.json': JSON.stringify({
      market: { source: { source: 'github' }, installLocation: `${HOME}/m` },
    }),
    'home/.claude/plugins/installed_plugins.json': JSON.stringify({
      version: 2,
      plugins: { 'office@market': [{ scope: 'user', installPath: `${HOME}/.claude/plugins/cache/office` }] },
    }),
    'home/.claude/plugins/cache/office/skills/slides/SKILL.md': skillText({ name: 'slides' }),
  };
  const folder = project(withSkill('claude', files));
  const workspace = await folder.open();
  await expect(disable(workspace, 'claude', ['slides'])).rejects.toMatchObject({
    code: 'REFUSED',
    hint: expect.stringContaining('enabledPlugins["office@market"]'),
  });
  const { changed } = await ask(disableSkills, { names: ['slides'], dryRun: true }, workspace);
  expect(changed).toMatchObject([
    { warning: expect.stringContaining('An update of the plugin office enables it again') },
  ]);
  const other = await ask(disableSkills, { names: ['pdf'], dryRun: true }, workspace);
  expect(other.changed[0]).not.toHaveProperty('warning');
});

test('a path may be relative to the working folder, as messages show it', async () => {
  const folder = project({
    'project/.git/HEAD': '',
    'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  });
  const workspace = await folder.open();
  const names = ['.agents/skills/pdf'];
  await disable(workspace, 'codex', names);
  expect(await statusIn(workspace, 'codex', '.agents/skills/pdf')).toMatchObject({ status: 'disabled' });
  await enable(workspace, 'codex', names);
  expect(await statusIn(workspace, 'codex')).toMatchObject({ status: 'seen' });
});

describe('names with wildcards', () => {
  test.each(['p*', 'p?f'])('%s is refused for opencode, which would read it as a pattern', async (name) => {
    const folder = project(withSkill('opencode'));
    await expect(disable(await folder.open(), 'opencode', [name])).rejects.toMatchObject({ code: 'REFUSED' });
    expect(folder.exists('home/.config/opencode/opencode.json')).toBe(false);
  });

  test('a skill with such a name is refused for opencode, by its path too', async () => {
    const folder = project({ 'home/.agents/skills/odd/SKILL.md': skillText({ name: '"a*"' }) });
    await expect(disable(await folder.open(), 'opencode', ['~/.agents/skills/odd'])).rejects.toMatchObject({
      code: 'REFUSED',
    });
  });

  test('select several skills for other agents', async () => {
    const folder = project({
      'home/.claude/skills/old-a/SKILL.md': skillText({ name: 'old-a' }),
      'home/.claude/skills/old-b/SKILL.md': skillText({ name: 'old-b' }),
      'home/.claude/skills/new/SKILL.md': skillText({ name: 'new' }),
    });
    const workspace = await folder.open();
    await disable(workspace, 'claude', ['old-*']);
    expect(JSON.parse(folder.read('project/.claude/settings.local.json'))).toEqual({
      skillOverrides: { 'old-a': 'off', 'old-b': 'off' },
    });
    await enable(workspace, 'claude', ['old-*']);
    expect(folder.read('project/.claude/settings.local.json')).toBe('{}\n');
  });
});

describe('values that others wrote', () => {
  test.each([
    ['claude', 'project/.claude/settings.local.json', '{"skillOverrides":{"pdf":"name-only"}}'],
    ['claude', 'project/.claude/settings.local.json', '{"skillOverrides":{"pdf":"on"}}'],
    ['opencode', 'home/.config/opencode/opencode.json', '{"permission":{"skill":{"pdf":"ask"}}}'],
    [
      'codex',
      'home/.codex/config.toml',
      `[[skills.config]]\npath = "${HOME}/.agents/skills/pdf/SKILL.md"\nenabled = true\n`,
    ],
  ] as const)('disable refuses to replace one in the settings of %s without force', async (agent, file, text) => {
    const folder = project(withSkill(agent, { [file]: text }));
    const workspace = await folder.open();
    await expect(disable(workspace, agent)).rejects.toMatchObject({ code: 'REFUSED', path: folder.at(file) });
    expect(folder.read(file)).toBe(text);
    await disable(workspace, agent, ['pdf'], { force: true });
    expect(await statusIn(workspace, agent)).toMatchObject({ status: 'disabled' });
  });

  test.each([
    ['opencode', 'home/.config/opencode/opencode.json', '{"permission":{"skill":{"p*":"deny"}}}'],
    ['opencode', 'home/.config/opencode/opencode.json', '{"permission":{"skill":"deny"}}'],
    ['codex', 'home/.codex/config.toml', '[[skills.config]]\nname = "pdf"\nenabled = false\n'],
    [
      'codex',
      'home/.codex/config.toml',
      `[[skills.config]]\npath = "${HOME}/.agents/skills/pdf/SKILL.md"\nenabled = false\nnote = "mine"\n`,
    ],
  ] as const)(
    'enable does not remove one from the settings of %s, and the hint has its place',
    async (agent, file, text) => {
      const folder = project(withSkill(agent, { [file]: text }));
      const workspace = await folder.open();
      await expect(enable(workspace, agent)).rejects.toMatchObject({
        code: 'REFUSED',
        hint: expect.stringContaining(folder.at(file)),
      });
      expect(folder.read(file)).toBe(text);
    },
  );

  test('a value in another scope is left, and the hint is the command for it', async () => {
    const folder = project(withSkill('claude', { 'home/.claude/settings.json': '{"skillOverrides":{"pdf":"off"}}' }));
    const workspace = await folder.open();
    await expect(enable(workspace, 'claude')).rejects.toMatchObject({
      code: 'REFUSED',
      hint: 'lectern enable pdf --for claude --scope user',
    });
  });

  test('a setting that another file overrides is not written', async () => {
    const file = 'project/.claude/settings.local.json';
    const folder = project(withSkill('claude', { [file]: '{"skillOverrides":{"pdf":"on"}}' }));
    await expect(disable(await folder.open(), 'claude', ['pdf'], { scope: 'user' })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('another setting takes precedence'),
    });
    expect(folder.exists('home/.claude/settings.json')).toBe(false);
  });

  test('a setting of an unexpected type is refused', async () => {
    const folder = project(
      withSkill('opencode', { 'home/.config/opencode/opencode.json': '{"permission":{"skill":"allow"}}' }),
    );
    await expect(disable(await folder.open(), 'opencode')).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('"permission.skill" is not an object'),
    });
  });
});

describe('several copies of a name', () => {
  test('Codex lists each, so each is disabled, and one alone by its path', async () => {
    const folder = project({
      'project/.git/HEAD': '',
      'home/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
      'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Another.' }),
    });
    const workspace = await folder.open();
    await disable(workspace, 'codex', [`${PROJECT}/.agents/skills/pdf`]);
    expect(await statusIn(workspace, 'codex', `${PROJECT}/.agents/skills/pdf`)).toMatchObject({ status: 'disabled' });
    expect(await statusIn(workspace, 'codex', `${HOME}/.agents/skills/pdf`)).toMatchObject({ status: 'seen' });
    await disable(workspace, 'codex');
    expect(await statusIn(workspace, 'codex', `${HOME}/.agents/skills/pdf`)).toMatchObject({ status: 'disabled' });
    await enable(workspace, 'codex');
    expect(folder.read('home/.codex/config.toml')).toBe('');
  });

  test.each(['claude', 'opencode'] as const)('%s has one setting for all of them', async (agent) => {
    const folder = project({
      'project/.git/HEAD': '',
      'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
      'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Another.' }),
    });
    const workspace = await folder.open();
    await disable(workspace, agent);
    for (const place of [HOME, PROJECT])
      expect(await statusIn(workspace, agent, `${place}/.claude/skills/pdf`)).toMatchObject({ status: 'disabled' });
  });
});

test('Codex finds a linked folder, and the setting has the real path', async () => {
  using folder = project(
    {
      'project/.git/HEAD': '',
      'home/elsewhere/pdf/SKILL.md': skillText({ name: 'pdf' }),
      'home/.agents/skills/pdf': { link: '../../elsewhere/pdf' },
    },
    'disk',
  );
  const workspace = await folder.open();
  await disable(workspace, 'codex');
  expect(folder.read('home/.codex/config.toml')).toContain(fs.realpathSync(folder.at('home/elsewhere/pdf/SKILL.md')));
  expect(await statusIn(workspace, 'codex')).toMatchObject({ status: 'disabled' });
  await enable(workspace, 'codex');
  expect(await statusIn(workspace, 'codex')).toMatchObject({ status: 'seen' });
});

test('a skill that only people start is disabled too', async () => {
  const folder = project({
    'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', more: ['disable-model-invocation: true'] }),
  });
  const workspace = await folder.open();
  await disable(workspace, 'claude');
  expect(await statusIn(workspace, 'claude')).toMatchObject({ status: 'disabled' });
});
