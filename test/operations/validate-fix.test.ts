import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/operations/define.ts';
import { perform } from '../../src/operations/perform.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { failureOf } from '../support/failure-of.ts';
import { project, type Project, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const SKILLS = 'project/.claude/skills';
const BROKEN = skillText({ name: 'pdf', description: 'Use when: asked' });
const REPAIRED = skillText({ name: 'pdf', description: '"Use when: asked"' });

const fix = (workspace: Workspace, more: object = {}) =>
  ask(validateSkills, { fix: true, yes: true, ...more }, workspace);

async function openWith(files: ProjectFiles): Promise<{ here: Project; workspace: Workspace }> {
  const here = project(files);
  return { here, workspace: await here.open() };
}

/** Answers every prompt, after doing something else. */
function withPerson(workspace: Workspace, answer: boolean, meanwhile: (plan: object) => void = () => undefined) {
  const person: Pick<Person, 'confirm'> = {
    confirm: async (plan) => {
      meanwhile(plan);
      return answer;
    },
  };
  return perform(validateSkills, { fix: true }, () => Promise.resolve(workspace), {
    face: 'library',
    wording: { code: 'USAGE', whole: 'the input', unknown: 'key' },
    context: { person: person as Person },
  });
}

describe('validate --fix', () => {
  test('repairs a header, validates again, and has nothing left to do', async () => {
    const { here, workspace } = await openWith({ [`${SKILLS}/pdf/SKILL.md`]: BROKEN });
    const first = await fix(workspace);
    expect(first).toMatchObject({ valid: true, warnings: [], notFixed: [] });
    expect(first.fixed).toEqual([
      {
        file: here.at(`${SKILLS}/pdf/SKILL.md`),
        code: 'frontmatter-repaired',
        diff: expect.stringContaining('-description: Use when: asked\n+description: "Use when: asked"\n') as string,
      },
    ]);
    expect(first.fixed?.[0]?.diff).toMatch(/^--- a\/\.claude\/skills\/pdf\/SKILL\.md\n\+\+\+ b\/\.claude/u);
    expect(here.read(`${SKILLS}/pdf/SKILL.md`)).toBe(REPAIRED);
    expect(await fix(workspace)).toMatchObject({ valid: true, fixed: [], notFixed: [] });
    expect(here.read(`${SKILLS}/pdf/SKILL.md`)).toBe(REPAIRED);
  });

  test('repairs a file that was not a skill before', async () => {
    const { workspace } = await openWith({
      [`${SKILLS}/pdf/SKILL.md`]: '---\nname: pdf\ndescription: Forms\n\nBody\n',
    });
    expect((await ask(validateSkills, {}, workspace)).valid).toBe(false);
    const result = await fix(workspace);
    expect(result).toMatchObject({ valid: true, items: [{ id: 'claude:pdf' }] });
    expect(result.fixed).toMatchObject([{ code: 'frontmatter-unclosed' }]);
  });

  test('repairs every copy of a skill', async () => {
    const { here, workspace } = await openWith({
      [`${SKILLS}/pdf/SKILL.md`]: BROKEN,
      'project/.agents/skills/pdf/SKILL.md': BROKEN,
    });
    expect((await fix(workspace)).fixed).toHaveLength(2);
    expect(here.read('project/.agents/skills/pdf/SKILL.md')).toBe(REPAIRED);
    expect((await fix(workspace)).fixed).toEqual([]);
  });

  test('leaves the files of the home alone unless everything is validated', async () => {
    const { here, workspace } = await openWith({ 'home/.claude/skills/pdf/SKILL.md': BROKEN });
    expect((await fix(workspace)).fixed).toEqual([]);
    expect((await fix(workspace, { all: true })).fixed).toHaveLength(1);
    expect(here.read('home/.claude/skills/pdf/SKILL.md')).toBe(REPAIRED);
  });

  test('a dry run writes nothing, and its verdict is about the files as they are', async () => {
    const { here, workspace } = await openWith({ [`${SKILLS}/pdf/SKILL.md`]: BROKEN });
    const result = await ask(validateSkills, { fix: true, dryRun: true }, workspace);
    expect(result).toMatchObject({ dryRun: true, warnings: [{ code: 'frontmatter-repaired' }] });
    expect(result.fixed).toHaveLength(1);
    expect(here.read(`${SKILLS}/pdf/SKILL.md`)).toBe(BROKEN);
  });

  test('needs confirmation without a terminal, but only if there is something to write', async () => {
    const { here, workspace } = await openWith({ [`${SKILLS}/pdf/SKILL.md`]: BROKEN });
    const failure = await failureOf(ask(validateSkills, { fix: true }, workspace));
    expect(failure.code).toBe('CONFIRM_NEEDED');
    expect(here.read(`${SKILLS}/pdf/SKILL.md`)).toBe(BROKEN);
    await fix(workspace);
    expect((await ask(validateSkills, { fix: true }, workspace)).valid).toBe(true);
  });

  test('shows the plan to the user, and writes nothing if the user declines', async () => {
    const { here, workspace } = await openWith({ [`${SKILLS}/pdf/SKILL.md`]: BROKEN });
    let shown: object = {};
    const failure = await failureOf(withPerson(workspace, false, (plan) => void (shown = plan)));
    expect(failure.code).toBe('REFUSED');
    expect(shown).toMatchObject({ fixed: [{ code: 'frontmatter-repaired' }] });
    expect(here.read(`${SKILLS}/pdf/SKILL.md`)).toBe(BROKEN);
  });

  test('keeps a file that changed while the user was deciding', async () => {
    const { here, workspace } = await openWith({ [`${SKILLS}/pdf/SKILL.md`]: BROKEN });
    const edited = `${BROKEN}\nEdited.\n`;
    const { output } = await withPerson(workspace, true, () => here.write({ [`${SKILLS}/pdf/SKILL.md`]: edited }));
    expect(output.fixed).toEqual([]);
    expect(output.notFixed).toMatchObject([
      { code: 'frontmatter-repaired', reason: expect.stringContaining('changed') as string },
    ]);
    expect(here.read(`${SKILLS}/pdf/SKILL.md`)).toBe(edited);
  });

  test.each(['nameFrom', 'dryRun', 'yes'])('%s alone is refused', async (key) => {
    const { workspace } = await openWith({});
    const failure = await failureOf(ask(validateSkills, { [key]: key === 'nameFrom' ? 'folder' : true }, workspace));
    expect(failure).toMatchObject({ code: 'USAGE', message: expect.stringContaining('needs --fix') as string });
  });
});

describe('a skill that is not repaired is named with its reason', () => {
  async function reasonIn(workspace: Workspace, more: object = {}): Promise<string | undefined> {
    const { fixed, notFixed } = await fix(workspace, { all: true, ...more });
    expect(fixed).toEqual([]);
    expect(notFixed).toHaveLength(1);
    return notFixed?.[0]?.reason;
  }

  test('installed by another installer', async () => {
    const { here, workspace } = await openWith({
      'project/.agents/skills/pdf/SKILL.md': BROKEN,
      'project/.git/HEAD': '',
      'project/skills-lock.json': JSON.stringify({
        version: 1,
        skills: { pdf: { source: 'acme/skills', sourceType: 'github', computedHash: 'x' } },
      }),
    });
    expect(await reasonIn(workspace)).toContain('installed (skills-lock.json)');
    expect(here.read('project/.agents/skills/pdf/SKILL.md')).toBe(BROKEN);
  });

  test('installed by Lectern', async () => {
    using here = project({ 'project/.git/HEAD': '', 'home/source/pdf/SKILL.md': skillText({ name: 'pdf' }) }, 'disk');
    const { installSkills } = await import('../../src/operations/install-skills.ts');
    const workspace = await here.open();
    await ask(installSkills, { source: here.at('home/source'), to: ['claude:project'], yes: true } as never, workspace);
    fs.writeFileSync(here.at(`${SKILLS}/pdf/SKILL.md`), BROKEN);
    expect(await reasonIn(await here.open())).toContain('installed (lectern.lock.json)');
    expect(here.read(`${SKILLS}/pdf/SKILL.md`)).toBe(BROKEN);
  });

  test('part of a plugin', async () => {
    const { here, workspace } = await openWith({
      'home/.claude/plugins/cache/acme/tools/1.0.0/skills/pdf/SKILL.md': BROKEN,
    });
    const target = here.at('home/.claude/plugins/cache/acme/tools/1.0.0/skills/pdf');
    expect(await reasonIn(workspace, { all: false, target })).toContain('plugin');
  });

  test('a link to a folder', async () => {
    using here = project({ 'project/shared/pdf/SKILL.md': BROKEN }, 'disk');
    fs.mkdirSync(here.at(SKILLS), { recursive: true });
    fs.symlinkSync(here.at('project/shared/pdf'), here.at(`${SKILLS}/pdf`));
    expect(await reasonIn(await here.open())).toContain('it is a link');
    expect(here.read('project/shared/pdf/SKILL.md')).toBe(BROKEN);
  });

  test('read-only', async () => {
    using here = project({ [`${SKILLS}/pdf/SKILL.md`]: BROKEN }, 'disk');
    fs.chmodSync(here.at(`${SKILLS}/pdf/SKILL.md`), 0o444);
    expect(await reasonIn(await here.open())).toContain('read-only');
  });

  test('with a hard link', async () => {
    using here = project({ [`${SKILLS}/pdf/SKILL.md`]: BROKEN }, 'disk');
    fs.linkSync(here.at(`${SKILLS}/pdf/SKILL.md`), here.at('project/other.md'));
    expect(await reasonIn(await here.open())).toContain('hard link');
  });

  test('not UTF-8', async () => {
    using here = project({ [`${SKILLS}/pdf/SKILL.md`]: BROKEN }, 'disk');
    const file = here.at(`${SKILLS}/pdf/SKILL.md`);
    const bytes = Buffer.concat([Buffer.from(BROKEN), Buffer.from([0xe9, 0x0a])]);
    fs.writeFileSync(file, bytes);
    expect(await reasonIn(await here.open())).toBe('the file is not UTF-8');
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
  });

  test('beyond a safe repair', async () => {
    const { workspace } = await openWith({
      [`${SKILLS}/pdf/SKILL.md`]: skillText({ name: 'pdf', description: 'Use when: asked\n  politely' }),
    });
    expect(await reasonIn(workspace)).toContain('guess');
  });
});

describe('--name-from', () => {
  const OTHER = skillText({ name: 'forms' });

  test('folder changes the name in the header', async () => {
    const { here, workspace } = await openWith({ [`${SKILLS}/pdf/SKILL.md`]: OTHER });
    expect((await fix(workspace)).fixed).toEqual([]);
    const result = await fix(workspace, { nameFrom: 'folder' });
    expect(result).toMatchObject({ valid: true, fixed: [{ code: 'name-folder' }] });
    expect(here.read(`${SKILLS}/pdf/SKILL.md`)).toBe(OTHER.replace('name: forms', 'name: pdf'));
  });

  test.each(['forms', 'pdf', '.claude/skills/pdf', '.claude/skills/pdf/SKILL.md', '.claude/skills', undefined])(
    'header renames the folder, and the target %s is validated in its new place',
    async (target) => {
      const { here, workspace } = await openWith({
        [`${SKILLS}/pdf/SKILL.md`]: OTHER,
        [`${SKILLS}/pdf/scripts/fill.py`]: 'print()\n',
      });
      const result = await fix(workspace, { nameFrom: 'header', target });
      expect(result).toMatchObject({ valid: true, items: [{ valid: true }] });
      expect(result.fixed).toEqual([
        {
          file: here.at(`${SKILLS}/pdf/SKILL.md`),
          code: 'name-folder',
          diff: `rename from ${here.at(`${SKILLS}/pdf`)}\nrename to ${here.at(`${SKILLS}/forms`)}\n`,
        },
      ]);
      expect(here.exists(`${SKILLS}/pdf`)).toBe(false);
      expect(here.read(`${SKILLS}/forms/scripts/fill.py`)).toBe('print()\n');
    },
  );

  test('header repairs the text of a folder before it renames it', async () => {
    const { here, workspace } = await openWith({ [`${SKILLS}/other/SKILL.md`]: BROKEN });
    expect((await fix(workspace, { nameFrom: 'header' })).fixed?.map(({ code }) => code)).toEqual([
      'frontmatter-repaired',
      'name-folder',
    ]);
    expect(here.read(`${SKILLS}/pdf/SKILL.md`)).toBe(REPAIRED);
  });

  test('header never renames onto an existing folder, not even onto one that another skill gets', async () => {
    const { here, workspace } = await openWith({
      [`${SKILLS}/pdf/SKILL.md`]: OTHER,
      [`${SKILLS}/forms/notes.md`]: 'mine\n',
      [`${SKILLS}/a/SKILL.md`]: skillText({ name: 'same', body: 'A' }),
      [`${SKILLS}/b/SKILL.md`]: skillText({ name: 'same', body: 'B' }),
    });
    const { fixed, notFixed } = await fix(workspace, { nameFrom: 'header' });
    expect(fixed).toHaveLength(1);
    expect(notFixed?.map(({ reason }) => path.basename(reason.replace(' exists already', '')))).toEqual(
      expect.arrayContaining(['forms', 'same']),
    );
    expect(here.read(`${SKILLS}/forms/notes.md`)).toBe('mine\n');
    expect(here.exists(`${SKILLS}/pdf/SKILL.md`)).toBe(true);
  });

  test.each([
    ['a name that is a path', `${SKILLS}/pdf/SKILL.md`, '../../outside', 'valid skill name'],
    ['a folder that agents search', `${SKILLS}/SKILL.md`, 'pdf', 'searched for skills'],
    ['a name with capital letters', `${SKILLS}/pdf/SKILL.md`, 'PDF-Tools', 'valid skill name'],
  ])('header refuses %s', async (_, file, name, reason) => {
    const { here, workspace } = await openWith({ [file]: skillText({ name }) });
    const before = here.state();
    const { fixed, notFixed } = await fix(workspace, { nameFrom: 'header' });
    expect(fixed).toEqual([]);
    expect(notFixed).toMatchObject([{ code: 'name-folder', reason: expect.stringContaining(reason) as string }]);
    expect(here.state()).toEqual(before);
  });

  test('header keeps a folder that a link of another agent leads to', async () => {
    using here = project({ 'project/.agents/skills/pdf/SKILL.md': OTHER }, 'disk');
    fs.mkdirSync(here.at(SKILLS), { recursive: true });
    fs.symlinkSync('../../.agents/skills/pdf', here.at(`${SKILLS}/pdf`));
    const { fixed, notFixed } = await fix(await here.open(), { nameFrom: 'header' });
    expect(fixed).toEqual([]);
    expect(notFixed).toMatchObject([{ reason: expect.stringContaining('link') as string }]);
    expect(here.exists('project/.agents/skills/pdf')).toBe(true);
  });

  test('folder refuses a folder whose name is not valid', async () => {
    const { workspace } = await openWith({ [`${SKILLS}/PDF_Tools/SKILL.md`]: OTHER });
    expect((await fix(workspace, { nameFrom: 'folder' })).notFixed).toMatchObject([
      { reason: expect.stringContaining('PDF_Tools') as string },
    ]);
  });
});
