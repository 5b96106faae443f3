import { describe, expect, test } from 'vitest';
import { context, type ContextItem } from '../../src/operations/context.ts';
import { agents } from '../../src/operations/agents.ts';
import { overview } from '../../src/operations/overview.ts';
import { ask } from '../support/ask.ts';
import { HOME, PROJECT, project, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const GIT = { '/repo/project/.git/HEAD': 'ref: refs/heads/main\n' };
const KIB_32 = 32 * 1024;

async function itemsFor(agent: string, files: ProjectFiles, below = ''): Promise<ContextItem[]> {
  const workspace = await project(files).open({ projectDir: `${PROJECT}${below}` });
  return (await ask(context, { agent }, workspace)).items ?? [];
}

/** Memory files and rules as `path status characters`, with short paths. */
async function memoryOf(agent: string, files: ProjectFiles, below = ''): Promise<string[]> {
  const items = await itemsFor(agent, files, below);
  return items
    .filter(({ kind }) => kind === 'memory' || kind === 'rule')
    .map(({ path = '', status }) => `${short(path)} ${status}`);
}

function short(path: string): string {
  return path.replace(HOME, '~').replace(`${PROJECT}/`, '');
}

function named(items: readonly ContextItem[], path: string): ContextItem {
  const found = items.find((each) => each.path !== undefined && short(each.path) === path);
  if (!found) throw new Error(`no item ${path}: ${items.map((each) => short(each.path ?? each.name)).join(', ')}`);
  return found;
}

function heading(path: string, label: string): number {
  return `\n\nContents of ${path} (${label}):\n\n`.length;
}
const CHECKED_IN = 'project instructions, checked into the codebase';

describe('Claude Code', () => {
  const scenes: [title: string, files: ProjectFiles, below: string, expected: string[]][] = [
    [
      'reads the home, the project and the local file, then rules',
      {
        ...GIT,
        'home/.claude/CLAUDE.md': 'home',
        'home/.claude/rules/r.md': 'rule',
        'project/CLAUDE.md': 'project',
        'project/.claude/CLAUDE.md': 'dot',
        'project/.claude/rules/a.md': 'a',
        'project/CLAUDE.local.md': 'local',
      },
      '',
      [
        '~/.claude/CLAUDE.md loaded',
        '~/.claude/rules/r.md loaded',
        'CLAUDE.md loaded',
        '.claude/CLAUDE.md loaded',
        '.claude/rules/a.md loaded',
        'CLAUDE.local.md loaded',
      ],
    ],
    [
      'follows imports two deep, each once',
      {
        ...GIT,
        'project/CLAUDE.md': 'p @docs/a.md @docs/a.md',
        'project/docs/a.md': 'a @b.md',
        'project/docs/b.md': 'b @a.md',
      },
      '',
      ['CLAUDE.md loaded', 'docs/a.md loaded', 'docs/b.md loaded', 'docs/a.md not-followed'],
    ],
    [
      'follows four imports in a row and not the fifth',
      {
        ...GIT,
        'project/CLAUDE.md': '@1.md',
        ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`project/${n}.md`, `n${n} @${n + 1}.md`])),
      },
      '',
      ['CLAUDE.md loaded', '1.md loaded', '2.md loaded', '3.md loaded', '4.md loaded', '5.md not-followed'],
    ],
    [
      'started in a subfolder, does not follow imports of the root that lead out of it',
      {
        ...GIT,
        'project/CLAUDE.md': 'r @docs/a.md',
        'project/docs/a.md': 'a',
        'project/sub/CLAUDE.md': 's @in.md',
        'project/sub/in.md': 'in',
      },
      '/sub',
      ['CLAUDE.md loaded', 'docs/a.md not-followed', 'sub/CLAUDE.md loaded', 'sub/in.md loaded'],
    ],
    [
      'reads folders above the repository, and above a folder without one',
      { ...GIT, '/repo/CLAUDE.md': 'above', 'project/CLAUDE.md': 'p' },
      '',
      ['/repo/CLAUDE.md loaded', 'CLAUDE.md loaded'],
    ],
    [
      'reads AGENTS.md only without another file that has text',
      { ...GIT, 'project/AGENTS.md': 'agents', 'project/CLAUDE.md': ' \n' },
      '',
      ['AGENTS.md loaded'],
    ],
    [
      'leaves out AGENTS.md beside CLAUDE.md, and a local file counts too',
      { ...GIT, 'project/AGENTS.md': 'agents', 'project/CLAUDE.local.md': 'local' },
      '',
      ['AGENTS.md not-read', 'CLAUDE.local.md loaded'],
    ],
    [
      'reads AGENTS.md although there are rules and a personal file',
      { ...GIT, 'project/AGENTS.md': 'agents', 'home/.claude/CLAUDE.md': 'h', 'project/.claude/rules/r.md': 'r' },
      '',
      ['~/.claude/CLAUDE.md loaded', '.claude/rules/r.md loaded', 'AGENTS.md loaded'],
    ],
    [
      'leaves out a rule for paths, and loads one for all paths',
      {
        ...GIT,
        'project/.claude/rules/all.md': '---\npaths: "**"\n---\nall',
        'project/.claude/rules/some.md': '---\npaths: ["src/**"]\n---\nsome',
      },
      '',
      ['.claude/rules/all.md loaded', '.claude/rules/some.md not-read'],
    ],
    [
      'reports a missing import, and a mention of a name is none',
      { ...GIT, 'project/CLAUDE.md': 'see @docs/none.md and @someone' },
      '',
      ['CLAUDE.md loaded', 'docs/none.md not-followed'],
    ],
    [
      'marks the same text in two files',
      { ...GIT, 'home/.claude/CLAUDE.md': 'same text', 'project/CLAUDE.md': 'same text\n' },
      '',
      ['~/.claude/CLAUDE.md loaded', 'CLAUDE.md duplicate'],
    ],
    [
      'loads a linked file once',
      { ...GIT, 'project/AGENTS.md': 'text', 'project/CLAUDE.md': { link: 'AGENTS.md' } },
      '',
      ['CLAUDE.md loaded'],
    ],
    [
      'does not read what claudeMdExcludes names',
      {
        ...GIT,
        'project/CLAUDE.md': 'p',
        'project/CLAUDE.local.md': 'l',
        'home/.claude/settings.json': '{"claudeMdExcludes":["**/CLAUDE.local.md"]}',
      },
      '',
      ['CLAUDE.md loaded', 'CLAUDE.local.md not-read'],
    ],
    [
      'follows imports to other places only if the user approved them',
      {
        ...GIT,
        '/repo/out.md': 'out',
        'project/CLAUDE.md': 'p @../out.md',
        'home/.claude.json': `{"projects":{"${PROJECT}":{"hasClaudeMdExternalIncludesApproved":true}}}`,
      },
      '',
      ['CLAUDE.md loaded', '/repo/out.md loaded'],
    ],
  ];

  test.each(scenes)('%s', async (_, files, below, expected) => {
    expect(await memoryOf('claude', files, below)).toEqual(expected);
  });

  test('a file counts with its heading, without frontmatter, comments and white space around it', async () => {
    const items = await itemsFor('claude', {
      ...GIT,
      'project/CLAUDE.md': '\ufeff---\na: b\n---\n\nText\n\n<!-- hidden -->\n\nmore\n\n',
    });
    expect(named(items, 'CLAUDE.md')).toMatchObject({
      characters: heading(`${PROJECT}/CLAUDE.md`, CHECKED_IN) + 'Text\n\nmore'.length,
      exact: true,
    });
  });

  test('a subagent of the project wins over the personal one, and one without a description is left out', async () => {
    const items = await itemsFor('claude', {
      ...GIT,
      'home/.claude/agents/r.md': '---\nname: reviewer\ndescription: mine\n---\n',
      'project/.claude/agents/r.md': '---\nname: reviewer\ndescription: ours\ntools: Read, Grep\n---\n',
      'project/.claude/agents/none.md': '---\nname: none\n---\n',
      'project/.claude/agents/gp.md': '---\nname: general-purpose\ndescription: ours\n---\n',
    });
    expect(named(items, '.claude/agents/r.md')).toMatchObject({
      status: 'loaded',
      exact: true,
      characters: '- reviewer: ours (Tools: Read, Grep)\n'.length,
    });
    expect(named(items, '~/.claude/agents/r.md')).toMatchObject({ status: 'not-read', characters: 0 });
    expect(named(items, '.claude/agents/none.md')).toMatchObject({ status: 'not-read', characters: 0 });
    expect(items.find(({ name }) => name === '4 built-in subagents')).toMatchObject({ exact: false });
  });
});

describe('Codex', () => {
  const scenes: [title: string, files: ProjectFiles, below: string, expected: string[]][] = [
    [
      'reads the home, then the folders from the root of the repository',
      { ...GIT, 'home/.codex/AGENTS.md': 'h', 'project/AGENTS.md': 'r', 'project/a/b/AGENTS.md': 'b' },
      '/a/b',
      ['~/.codex/AGENTS.md loaded', 'AGENTS.md loaded', 'a/b/AGENTS.md loaded'],
    ],
    [
      'takes an override instead of the file',
      { ...GIT, 'project/AGENTS.md': 'r', 'project/AGENTS.override.md': 'o' },
      '',
      ['AGENTS.override.md loaded', 'AGENTS.md not-read'],
    ],
    [
      'falls back to the personal file if the override has no text',
      { ...GIT, 'home/.codex/AGENTS.md': 'h', 'home/.codex/AGENTS.override.md': ' \n' },
      '',
      ['~/.codex/AGENTS.md loaded'],
    ],
    [
      'takes an override without text in a project, so nothing is left',
      { ...GIT, 'project/AGENTS.md': 'r', 'project/AGENTS.override.md': ' ' },
      '',
      ['AGENTS.md not-read'],
    ],
    [
      'reads only the working folder without a repository',
      { 'project/AGENTS.md': 'r', 'project/a/AGENTS.md': 'a' },
      '/a',
      ['a/AGENTS.md loaded'],
    ],
    ['does not read CLAUDE.md', { ...GIT, 'project/CLAUDE.md': 'c' }, '', ['CLAUDE.md not-read']],
    [
      'reads CLAUDE.md if a setting names it',
      { ...GIT, 'project/CLAUDE.md': 'c', 'home/.codex/config.toml': 'project_doc_fallback_filenames = ["CLAUDE.md"]' },
      '',
      ['CLAUDE.md loaded'],
    ],
    [
      'follows no import',
      { ...GIT, 'project/AGENTS.md': 'r @docs/a.md', 'project/docs/a.md': 'a' },
      '',
      ['AGENTS.md loaded', 'docs/a.md not-followed'],
    ],
    [
      'loads the same text twice',
      { ...GIT, 'project/AGENTS.md': 'same', 'project/a/AGENTS.md': { link: '../AGENTS.md' } },
      '/a',
      ['AGENTS.md loaded', 'a/AGENTS.md duplicate'],
    ],
  ];

  test.each(scenes)('%s', async (_, files, below, expected) => {
    expect(await memoryOf('codex', files, below)).toEqual(expected);
  });

  test.each([
    [KIB_32 - 1, 'loaded', KIB_32 - 1, 'cut', 3],
    [KIB_32, 'loaded', KIB_32, 'cut', 0],
    [KIB_32 + 1, 'cut', KIB_32, 'cut', 0],
  ])('cuts the files of a project at 32 KiB in sum: %i bytes in the root', async (bytes, first, kept, second, rest) => {
    const items = await itemsFor(
      'codex',
      {
        ...GIT,
        'home/.codex/AGENTS.md': 'h'.repeat(40_000),
        'project/AGENTS.md': 'a'.repeat(bytes),
        'project/a/AGENTS.md': 'near',
      },
      '/a',
    );
    expect(named(items, '~/.codex/AGENTS.md').characters).toBe(40_000);
    const before = '\n\n--- project-doc ---\n\n'.length;
    expect(named(items, 'AGENTS.md')).toMatchObject({ status: first, characters: before + kept });
    // Two line breaks precede the byte that is left.
    expect(named(items, 'a/AGENTS.md')).toMatchObject({ status: second, characters: rest });
  });

  test('counts bytes: a character at the border is replaced', async () => {
    const items = await itemsFor('codex', { ...GIT, 'project/AGENTS.md': `${'a'.repeat(KIB_32 - 1)}é` });
    expect(named(items, 'AGENTS.md')).toMatchObject({ status: 'cut', characters: KIB_32 });
  });
});

describe('other agents', () => {
  const FILES: ProjectFiles = {
    ...GIT,
    'home/.claude/CLAUDE.md': 'ch',
    'home/.gemini/GEMINI.md': 'gh',
    'project/AGENTS.md': 'a',
    'project/CLAUDE.md': 'c',
    'project/GEMINI.md': 'g',
    'project/sub/AGENTS.md': 'sa',
  };

  test('opencode takes every AGENTS.md, the nearest first, and then no CLAUDE.md of the project', async () => {
    expect(await memoryOf('opencode', FILES, '/sub')).toEqual([
      '~/.claude/CLAUDE.md loaded',
      'sub/AGENTS.md loaded',
      'AGENTS.md loaded',
      'CLAUDE.md not-read',
      'GEMINI.md not-read',
    ]);
  });

  test('Gemini CLI takes GEMINI.md, or the names in its settings', async () => {
    expect(await memoryOf('gemini', FILES)).toEqual([
      '~/.gemini/GEMINI.md loaded',
      'GEMINI.md loaded',
      'AGENTS.md not-read',
      'CLAUDE.md not-read',
    ]);
    const settings = { 'home/.gemini/settings.json': '{"context":{"fileName":["AGENTS.md"]}}' };
    expect(await memoryOf('gemini', { ...FILES, ...settings })).toContain('AGENTS.md loaded');
  });

  test('an agent whose requests were not observed has unknown sizes', async () => {
    const items = await itemsFor('goose', FILES);
    expect(named(items, 'AGENTS.md')).toMatchObject({ status: 'unknown', characters: null, tokens: null });
  });
});

test('an MCP server of the project is named and never started', async () => {
  const items = await itemsFor('claude', {
    ...GIT,
    'project/.mcp.json': '{"mcpServers":{"evil":{"command":"touch","args":["/tmp/x"]}}}',
    'home/.claude.json': '{"mcpServers":{"mine":{"command":"x"}}}',
  });
  const servers = items.filter(({ kind }) => kind === 'mcp-server');
  expect(servers.map(({ name, status, characters }) => [name, status, characters])).toEqual([
    ['evil', 'unknown', null],
    ['mine', 'unknown', null],
  ]);
  expect(servers[0]).toMatchObject({ path: `${PROJECT}/.mcp.json`, reason: expect.stringContaining('never started') });
});

test('unreadable, over-long and binary files are items with a reason', async () => {
  const items = await itemsFor('claude', {
    ...GIT,
    'project/CLAUDE.md': 'a\0b @long.md @pic.png @../../etc/passwd.txt',
    'project/long.md': 'x'.repeat(4 * 1024 * 1024 + 1),
    'project/pic.png': 'png',
    'project/.claude/CLAUDE.md': { link: '/etc/shadow' },
    '/etc/shadow': 'secret',
  });
  expect(named(items, 'CLAUDE.md')).toMatchObject({ status: 'loaded', reason: expect.stringContaining('not text') });
  expect(named(items, 'long.md')).toMatchObject({ status: 'not-read', characters: 0 });
  expect(named(items, 'pic.png')).toMatchObject({ status: 'not-followed' });
  expect(named(items, '.claude/CLAUDE.md')).toMatchObject({ status: 'unknown', characters: null });
  expect(named(items, '/etc/passwd.txt')).toMatchObject({ status: 'not-followed' });
});

describe('every file that is left out has a reason and a fix', () => {
  const cases: [
    title: string,
    agent: string,
    files: ProjectFiles,
    below: string,
    path: string,
    status: string,
    fix: string,
  ][] = [
    [
      'imports in a circle',
      'claude',
      { 'project/CLAUDE.md': 'p @a.md', 'project/a.md': 'a @b.md', 'project/b.md': 'b @a.md' },
      '',
      'a.md',
      'not-followed',
      `Remove the import from ${PROJECT}/b.md`,
    ],
    [
      'a file that imports itself',
      'gemini',
      { 'project/GEMINI.md': 'g @GEMINI.md' },
      '',
      'GEMINI.md',
      'not-followed',
      `Remove the import from ${PROJECT}/GEMINI.md`,
    ],
    [
      'a link to a loaded file',
      'claude',
      { 'project/CLAUDE.md': 'text', 'project/CLAUDE.local.md': { link: 'CLAUDE.md' } },
      '',
      'CLAUDE.local.md',
      'duplicate',
      'Remove the link, or replace it with a file that has other text',
    ],
    [
      'a rule for some paths',
      'claude',
      { 'project/.claude/rules/some.md': '---\npaths: ["src/**"]\n---\nsome' },
      '',
      '.claude/rules/some.md',
      'not-read',
      'Remove paths from its frontmatter to load it from the start',
    ],
    [
      'a file of another agent, beside an own one that can import',
      'gemini',
      { 'project/GEMINI.md': 'g', 'project/AGENTS.md': 'a' },
      '',
      'AGENTS.md',
      'not-read',
      `Add the line @AGENTS.md to ${PROJECT}/GEMINI.md`,
    ],
    [
      'a file of another agent, beside an own one that cannot import',
      'codex',
      { 'project/AGENTS.md': 'a', 'project/CLAUDE.md': 'c' },
      '',
      'CLAUDE.md',
      'not-read',
      `Move its text into ${PROJECT}/AGENTS.md`,
    ],
    [
      'a file that is too long',
      'claude',
      { 'project/CLAUDE.md': 'x'.repeat(4 * 1024 * 1024 + 1) },
      '',
      'CLAUDE.md',
      'not-read',
      'Split it into smaller files',
    ],
    [
      'a link out of the project',
      'claude',
      { 'project/CLAUDE.md': { link: '/etc/shadow' }, '/etc/shadow': 'secret' },
      '',
      'CLAUDE.md',
      'unknown',
      'Replace the link with the file',
    ],
    [
      'a picture',
      'claude',
      { 'project/CLAUDE.md': 'p @a.png', 'project/a.png': 'png' },
      '',
      'a.png',
      'not-followed',
      'Import a text file, or remove the import',
    ],
  ];

  test.each(cases)('%s', async (_, agent, files, below, path, status, fix) => {
    const items = await itemsFor(agent, { ...GIT, ...files }, below);
    const found = items.filter((each) => short(each.path ?? '') === path && each.status === status);
    expect(found).toMatchObject([{ fix, reason: expect.any(String) }]);
  });

  test('a file that is imported twice is no circle', async () => {
    const files = { 'project/CLAUDE.md': 'p @a.md @b.md', 'project/a.md': 'a', 'project/b.md': 'b @a.md' };
    expect(await memoryOf('claude', { ...GIT, ...files })).toEqual(['CLAUDE.md loaded', 'a.md loaded', 'b.md loaded']);
  });
});

test.each([
  [0, false],
  [1, true],
])('a memory file with %i characters more than all skills has a fix: %s', async (more, isLarge) => {
  const files = { ...GIT, 'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) };
  const skills = (await itemsFor('claude', files)).find(({ kind }) => kind === 'skills')?.characters ?? 0;
  const length = skills - heading(`${PROJECT}/CLAUDE.md`, CHECKED_IN) + more;
  const item = named(await itemsFor('claude', { ...files, 'project/CLAUDE.md': 'x'.repeat(length) }), 'CLAUDE.md');
  expect(item.characters).toBe(skills + more);
  expect([item.reason, item.fix]).toEqual(
    isLarge
      ? ['it is larger than the whole list of skills', expect.stringContaining('into skills')]
      : [undefined, undefined],
  );
});

test('the total adds up, tokens are a quarter, and agents and the overview show it', async () => {
  const workspace = await project({
    ...GIT,
    'project/CLAUDE.md': 'Text',
    'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  }).open();
  const { items = [], total, window } = await ask(context, { agent: 'claude' }, workspace);
  const characters = items.reduce((sum, each) => sum + (each.characters ?? 0), 0);
  expect(total).toEqual({ characters, tokens: Math.ceil(characters / 4), exact: false });
  expect(window).toBe(1_000_000);
  const skills = items.find(({ kind }) => kind === 'skills')?.tokens;
  const { agents: all = [] } = await ask(context, {}, workspace);
  expect(all).toMatchObject([{ agent: 'claude', total, skills }]);
  const size = { tokens: total?.tokens, skills };
  const listed = (await ask(agents, {}, workspace)).agents as { id: string; context?: object }[];
  expect(listed.find(({ id }) => id === 'claude')?.context).toEqual(size);
  expect((await ask(overview, {}, workspace)).agents).toMatchObject([{ id: 'claude', context: size }]);
});

test('an unknown agent is refused with suggestions', async () => {
  const workspace = await project(GIT).open();
  await expect(ask(context, { agent: 'claud' }, workspace)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    suggestions: ['claude'],
  });
});
