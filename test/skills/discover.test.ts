import { describe, expect, test } from 'vitest';
import { fullNameOf } from '../../src/skills/skill.ts';
import type { WorkspaceOptions } from '../../src/workspace/settings.ts';
import { HOME, project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const P = PROJECT;
const H = HOME;

/** Every place where skills are looked for, best first. */
const PLACES: { dir: string; provider: string; location: string }[] = [
  { dir: '/custom/one', provider: 'file', location: 'custom' },
  { dir: '/custom/two', provider: 'file', location: 'custom' },
  { dir: `${P}/.agent/skills`, provider: 'agents', location: 'project' },
  { dir: `${P}/.agents/skills`, provider: 'agents', location: 'project' },
  { dir: `/repo/.agents/skills`, provider: 'agents', location: 'project' },
  { dir: `${H}/.agent/skills`, provider: 'agents', location: 'user' },
  { dir: `${H}/.agents/skills`, provider: 'agents', location: 'user' },
  { dir: `${H}/.config/agents/skills`, provider: 'agents', location: 'user' },
  { dir: `${P}/.claude/skills`, provider: 'claude', location: 'project' },
  { dir: `/repo/.claude/skills`, provider: 'claude', location: 'project' },
  { dir: `${H}/.claude/skills`, provider: 'claude', location: 'user' },
  { dir: `${P}/.codex/skills`, provider: 'codex', location: 'project' },
  { dir: `${P}/.gemini/skills`, provider: 'gemini', location: 'project' },
  { dir: `${P}/.cursor/skills`, provider: 'cursor', location: 'project' },
  { dir: `${P}/.github/skills`, provider: 'copilot', location: 'project' },
  { dir: `${P}/.opencode/skills`, provider: 'opencode', location: 'project' },
  { dir: `${P}/.openclaw/skills`, provider: 'openclaw', location: 'project' },
  { dir: `${P}/.goose/skills`, provider: 'goose', location: 'project' },
  { dir: `${P}/.windsurf/skills`, provider: 'windsurf', location: 'project' },
  { dir: `${P}/.kiro/skills`, provider: 'kiro', location: 'project' },
  { dir: `${P}/.qwen/skills`, provider: 'qwen', location: 'project' },
  { dir: `${P}/.roo/skills`, provider: 'roo', location: 'project' },
  { dir: `${P}/.unheard-of/skills`, provider: 'unheard-of', location: 'project' },
  { dir: `${H}/.codex/skills`, provider: 'codex', location: 'user' },
  { dir: `${H}/.gemini/skills`, provider: 'gemini', location: 'user' },
  { dir: `${H}/.cursor/skills`, provider: 'cursor', location: 'user' },
  { dir: `${H}/.copilot/skills`, provider: 'copilot', location: 'user' },
  { dir: `${H}/.opencode/skills`, provider: 'opencode', location: 'user' },
  { dir: `${H}/.config/opencode/skills`, provider: 'opencode', location: 'user' },
  { dir: `${H}/.openclaw/skills`, provider: 'openclaw', location: 'user' },
  { dir: `${H}/.goose/skills`, provider: 'goose', location: 'user' },
  { dir: `${H}/.windsurf/skills`, provider: 'windsurf', location: 'user' },
  { dir: `${H}/.kiro/skills`, provider: 'kiro', location: 'user' },
  { dir: `${H}/.qwen/skills`, provider: 'qwen', location: 'user' },
  { dir: `${H}/.roo/skills`, provider: 'roo', location: 'user' },
  { dir: `${H}/.also-new/skills`, provider: 'also-new', location: 'user' },
  { dir: `${P}/skills`, provider: 'repo', location: 'project' },
  { dir: `/repo/skills`, provider: 'repo', location: 'project' },
];

const EVERYWHERE = {
  '/repo/.git/HEAD': 'ref: refs/heads/main',
  ...Object.fromEntries(
    PLACES.map(({ dir }, index) => [`${dir}/s${index}/SKILL.md`, skillText({ name: `s${index}` })]),
  ),
};
const CUSTOM = { skillDir: ['/custom/one', '/custom/two'] };

async function foundIn(files: ProjectFiles, options: Partial<WorkspaceOptions> = {}): Promise<string[]> {
  const { snapshot } = await project(files).open(options);
  return snapshot.all.skills.map(({ file }) => file);
}

describe('where skills are found', () => {
  test.each(PLACES.map((place, index) => ({ ...place, index })))(
    '$dir belongs to $provider, $location',
    async ({ dir, provider, location, index }) => {
      const { snapshot } = await project(EVERYWHERE).open(CUSTOM);
      expect(snapshot.all.skills.find(({ name }) => name === `s${index}`)).toMatchObject({
        dir: `${dir}/s${index}`,
        provider,
        location,
      });
    },
  );

  test('the order is that of the table, nearest project folder first', async () => {
    expect(await foundIn(EVERYWHERE, CUSTOM)).toEqual(PLACES.map(({ dir }, index) => `${dir}/s${index}/SKILL.md`));
  });

  test('with project-first every project folder comes before every user folder, each in its own order', async () => {
    const files = await foundIn(EVERYWHERE, { ...CUSTOM, priority: 'project-first' });
    const inOrder = (location: string): string[] =>
      PLACES.flatMap((place, index) => (place.location === location ? [`${place.dir}/s${index}/SKILL.md`] : []));
    expect(files).toEqual([...inOrder('custom'), ...inOrder('project'), ...inOrder('user')]);
  });

  test('without a repository only the working folder is the project', async () => {
    const { '/repo/.git/HEAD': _, ...outside } = EVERYWHERE;
    const files = await foundIn(outside, CUSTOM);
    expect(files.filter((file) => file.startsWith('/repo/') && !file.startsWith(P))).toEqual([]);
  });

  test('above the repository nothing is searched', async () => {
    const files = await foundIn({ ...EVERYWHERE, [`${P}/.git`]: 'gitdir: elsewhere' }, CUSTOM);
    expect(files.filter((file) => file.startsWith('/repo/') && !file.startsWith(P))).toEqual([]);
  });

  test('--root replaces the vendored folder and finds skills at any depth', async () => {
    const files = {
      [`${P}/skills/a/SKILL.md`]: skillText({ name: 'a' }),
      '/vendored/1/2/3/4/5/6/7/8/SKILL.md': skillText({ name: 'deep' }),
    };
    expect(await foundIn(files, { root: '/vendored' })).toEqual(['/vendored/1/2/3/4/5/6/7/8/SKILL.md']);
  });

  test('without the default folders only explicit ones are searched', async () => {
    expect(await foundIn(EVERYWHERE, { skillDir: ['/custom/two'], scanDefaultDirs: false })).toEqual([
      '/custom/two/s1/SKILL.md',
    ]);
  });

  test('in the home folder itself .claude/skills is the user’s, and the vendored folder is still the project’s', async () => {
    const { snapshot } = await project({
      [`${H}/.claude/skills/a/SKILL.md`]: skillText({ name: 'a' }),
      [`${H}/skills/b/SKILL.md`]: skillText({ name: 'b' }),
    }).open({ projectDir: H });
    expect(snapshot.all.skills.map(({ name, location }) => [name, location])).toEqual([
      ['a', 'user'],
      ['b', 'project'],
    ]);
  });

  test('without a home only the project is searched', async () => {
    const files = await foundIn(EVERYWHERE, { userDir: undefined });
    expect(files.some((file) => file.startsWith(H))).toBe(false);
    expect(files.length).toBeGreaterThan(10);
  });
});

describe('variables that move an agent’s folder', () => {
  const files = {
    '/moved/claude/skills/a/SKILL.md': skillText({ name: 'a' }),
    '/moved/codex/skills/b/SKILL.md': skillText({ name: 'b' }),
    '/moved/config/agents/skills/c/SKILL.md': skillText({ name: 'c' }),
    [`${H}/.claude/skills/d/SKILL.md`]: skillText({ name: 'd' }),
  };

  test('CLAUDE_CONFIG_DIR, CODEX_HOME and XDG_CONFIG_HOME are honored', async () => {
    const environment = {
      CLAUDE_CONFIG_DIR: '/moved/claude',
      CODEX_HOME: '/moved/codex',
      XDG_CONFIG_HOME: '/moved/config',
    };
    const { snapshot } = await project(files).open({ environment });
    expect(snapshot.all.skills.map(fullNameOf).sort()).toEqual(['agents:c', 'claude:a', 'codex:b']);
  });

  test.each(['', 'relative/folder'])('a variable that holds "%s" names no folder', async (value) => {
    const environment = { CLAUDE_CONFIG_DIR: value, CODEX_HOME: value, XDG_CONFIG_HOME: value };
    const { snapshot } = await project(files).open({ environment });
    expect(snapshot.all.skills.map(fullNameOf)).toEqual(['claude:d']);
    expect(snapshot.roots.filter(({ dir }) => !dir.startsWith('/'))).toEqual([]);
  });
});

test('two places with one folder of that name: .github is Copilot’s and not a provider called github', async () => {
  const { snapshot } = await project({ [`${P}/.github/skills/a/SKILL.md`]: skillText({ name: 'a' }) }).open();
  expect(snapshot.all.skills.map(fullNameOf)).toEqual(['copilot:a']);
});

test('each --skill-dir may have a scope that becomes part of the full name', async () => {
  const { snapshot } = await project({
    '/x/pdf/SKILL.md': skillText({ name: 'pdf' }),
    '/y/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Another way.' }),
  }).open({ skillDir: ['/x?scope=team', '/y'] });
  expect(snapshot.all.skills.map(fullNameOf)).toEqual(['team:pdf', 'file:pdf']);
  expect(snapshot.all.find('team:pdf')).toMatchObject({ kind: 'found', skill: { dir: '/x/pdf' } });
});

test('a token file:path of --include adds that folder to the search', async () => {
  const { snapshot } = await project({
    [`${P}/extra/a/SKILL.md`]: skillText({ name: 'a' }),
    [`${P}/skills/b/SKILL.md`]: skillText({ name: 'b' }),
  }).open({ include: ['file:./extra'] });
  expect(snapshot.view().skills.map(fullNameOf)).toEqual(['file:a']);
});
