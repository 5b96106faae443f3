/** Skills in the packages of a monorepo, and repositories of skills. */
import { describe, expect, test } from 'vitest';
import { listSkills } from '../../src/operations/list-skills.ts';
import { overview } from '../../src/operations/overview.ts';
import { search } from '../../src/operations/search.ts';
import { showSkill } from '../../src/operations/show-skill.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { fullNameOf } from '../../src/skills/skill.ts';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import { ask } from '../support/ask.ts';
import { connect, listedNames } from '../support/connect.ts';
import { lectern } from '../support/run-lectern.ts';
import { HOME as H, project, type ProjectFiles, PROJECT as P } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function found(files: ProjectFiles, options: Partial<OpenOptions> = {}): Promise<(string | undefined)[][]> {
  const { snapshot } = await project(files).open(options);
  return snapshot.all.skills.map((skill) => [fullNameOf(skill), skill.package ?? skill.location]);
}

describe('the packages of a monorepo', () => {
  const FILES = {
    [`${P}/.claude/skills/root/SKILL.md`]: skillText({ name: 'root' }),
    [`${P}/apps/web/.claude/skills/deploy/SKILL.md`]: skillText({ name: 'deploy' }),
    [`${P}/apps/web/.github/skills/review/SKILL.md`]: skillText({ name: 'review' }),
    [`${P}/libs/.unheard-of/skills/odd/SKILL.md`]: skillText({ name: 'odd' }),
    [`${H}/.claude/skills/mine/SKILL.md`]: skillText({ name: 'mine' }),
  };

  test('have skills that are found after all others, marked with their folder', async () => {
    expect(await found(FILES)).toEqual([
      ['claude:root', 'project'],
      ['claude:mine', 'user'],
      ['claude:deploy', 'apps/web'],
      ['copilot:review', 'apps/web'],
      ['unheard-of:odd', 'libs'],
    ]);
    const { skills } = await ask(listSkills, {}, await project(FILES).open());
    expect(skills.find(({ name }) => name === 'deploy')).toMatchObject({ location: 'project', package: 'apps/web' });
  });

  test('come before the user’s skills with project-first', async () => {
    const names = (await found(FILES, { priority: 'project-first' })).map(([name]) => name);
    expect(names).toEqual(['claude:root', 'claude:deploy', 'copilot:review', 'unheard-of:odd', 'claude:mine']);
  });

  test('are looked for three levels deep, and not where packages are built or installed', async () => {
    const at = (dir: string) => ({ [`${P}/${dir}/.claude/skills/x/SKILL.md`]: skillText({ name: 'x' }) });
    expect(await found(at('a/b'))).toHaveLength(1);
    for (const dir of ['a/b/c', 'node_modules/a', 'dist', '.hidden']) expect(await found(at(dir))).toEqual([]);
  });

  test('are not looked for in the home folder, nor without the default folders', async () => {
    const files = { [`${H}/work/app/.claude/skills/x/SKILL.md`]: skillText({ name: 'x' }) };
    expect(await found(files, { projectDir: H })).toEqual([]);
    expect(await found(FILES, { scanDefaultDirs: false })).toEqual([]);
  });
});

describe('a repository of skills', () => {
  const FILES = {
    'project/writing/blog/SKILL.md': skillText({ name: 'blog', description: 'Write blog posts' }),
    'project/writing/news/SKILL.md': skillText({ name: 'news', description: 'Write newsletters' }),
    'project/node_modules/x/SKILL.md': skillText({ name: 'not-mine' }),
    'home/.claude/skills/mine/SKILL.md': skillText({ name: 'mine' }),
  };
  const open = (files: ProjectFiles = FILES) => project(files).open({ collections: true });

  test('is listed, shown, searched and validated', async () => {
    const workspace = await open();
    const { skills, counts } = await ask(listSkills, {}, workspace);
    expect(skills.map(({ fullName, location }) => [fullName, location])).toEqual([
      ['claude:mine', 'user'],
      ['repo:blog', 'collection'],
      ['repo:news', 'collection'],
    ]);
    expect(counts.byLocation).toEqual({ user: 1, collection: 2 });
    expect(await ask(showSkill, { name: 'blog' }, workspace)).toMatchObject({ path: `${P}/writing/blog` });
    expect(await ask(search, { query: 'newsletters', mode: 'keyword' }, workspace)).toMatchObject({
      results: [{ name: 'news' }],
    });
    expect(await ask(validateSkills, {}, workspace)).toMatchObject({ summary: '2 skills valid.' });
    expect(await ask(overview, {}, workspace)).toMatchObject({ skills: 3 });
  });

  test.each(['.claude/skills/x', 'skills/x', 'apps/web/.codex/skills/x'])(
    'is none if there is a skill in %s',
    async (dir) => {
      const { snapshot } = await open({ ...FILES, [`project/${dir}/SKILL.md`]: skillText({ name: 'x' }) });
      expect(snapshot.all.skills.map(({ name }) => name).sort()).toEqual(['mine', 'x']);
    },
  );

  test('is marked on the command line as not installed for any agent', async () => {
    using folder = tempFolder(FILES);
    const said = '2 skills in this repository, not installed for any agent';
    expect((await lectern(folder, [])).stdout).toContain(said);
    expect((await lectern(folder, ['list'])).stdout).toContain(said);
    expect(await lectern(folder, ['validate'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 skills valid'),
    });
  });

  test('without a skill nothing is called valid', async () => {
    using folder = tempFolder({ 'project/README.md': '' });
    expect((await lectern(folder, ['validate'])).stdout).toMatch(/^! No skills to validate\.\n/u);
  });

  test('is served only with --root', async () => {
    await using plain = await connect('memory', FILES);
    expect(listedNames(await plain.description())).toEqual(['mine']);
    await using asked = await connect('stdio', FILES, { flags: ['--root', 'writing'] });
    expect(listedNames(await asked.description())).toEqual(['mine', 'blog', 'news']);
  });
});
