import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { showSkill } from '../../src/operations/show-skill.ts';
import { disableSkills, enableSkills } from '../../src/operations/toggle-skills.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import type { TempFolder } from '../support/temp-folder.ts';

const CLAUDE = 'project/.claude/skills';
const CODEX = 'project/.codex/skills';
const run = (
  operation: typeof enableSkills | typeof disableSkills,
  workspace: Workspace,
  names: string[],
  force = false,
) =>
  operation === enableSkills
    ? ask(enableSkills, { names, force }, workspace)
    : ask(disableSkills, { names, force }, workspace);
const filesOf = (folder: TempFolder, dir: string): string[] => fs.readdirSync(folder.at(dir)).sort();

describe('disable and enable', () => {
  test('rename the file there and back; nothing is lost', async () => {
    using folder = project({ [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf' }) }, 'disk');
    const workspace = await folder.open();
    const off = await run(disableSkills, workspace, ['pdf']);
    expect(off.changed).toEqual([
      {
        name: 'pdf',
        fullName: 'claude:pdf',
        from: folder.at(`${CLAUDE}/pdf/SKILL.md`),
        to: folder.at(`${CLAUDE}/pdf/.SKILL.md`),
      },
    ]);
    expect(filesOf(folder, `${CLAUDE}/pdf`)).toEqual(['.SKILL.md']);
    expect(workspace.snapshot.view('enabled').skills).toEqual([]);
    await run(enableSkills, workspace, ['PDF']);
    expect(fs.readFileSync(folder.at(`${CLAUDE}/pdf/SKILL.md`), 'utf8')).toBe(skillText({ name: 'pdf' }));
    expect(workspace.snapshot.view('enabled').skills).toHaveLength(1);
  });

  test('report which copy the name now loads', async () => {
    using folder = project(
      {
        'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
        [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf', body: 'Claude’s way.' }),
        [`${CODEX}/pdf/SKILL.md`]: skillText({ name: 'pdf', body: 'Codex’s way.' }),
        [`${CODEX}/other/SKILL.md`]: skillText({ name: 'pdf-forms' }),
      },
      'disk',
    );
    const workspace = await folder.open();
    const claude = { fullName: 'claude:pdf', file: folder.at(`${CLAUDE}/pdf/SKILL.md`) };
    const codex = { fullName: 'codex:pdf', file: folder.at(`${CODEX}/pdf/SKILL.md`) };
    const agents = { fullName: 'agents:pdf', file: folder.at('project/.agents/skills/pdf/SKILL.md') };
    expect((await run(disableSkills, workspace, ['pdf'])).changed).toMatchObject([
      { fullName: 'agents:pdf', loads: [claude, codex] },
    ]);
    expect((await run(disableSkills, workspace, ['codex:pdf'])).changed).toMatchObject([{ loads: [claude] }]);
    expect((await run(enableSkills, workspace, ['codex:pdf'])).changed).toMatchObject([{ loads: [claude, codex] }]);
    expect((await run(enableSkills, workspace, ['agents:pdf'])).changed[0]).not.toHaveProperty('loads');
    await run(disableSkills, workspace, ['claude:pdf']);
    expect((await run(enableSkills, workspace, ['claude:pdf'])).changed).toMatchObject([{ loads: [agents] }]);
  });

  test('report when nothing had to change', async () => {
    using folder = project({ [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf' }) }, 'disk');
    expect(await run(enableSkills, await folder.open(), ['pdf'])).toMatchObject({
      changed: [],
      unchanged: [{ fullName: 'claude:pdf' }],
    });
  });

  test.each([
    ['disable', disableSkills, '.SKILL.md'],
    ['enable', enableSkills, 'SKILL.md'],
  ] as const)('%s never overwrites a file that stands in the way without force', async (verb, operation, taken) => {
    using folder = project({ [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf' }) }, 'disk');
    const workspace = await folder.open();
    if (verb === 'enable') await run(disableSkills, workspace, ['pdf']);
    // It appears after the last look, as another program's file would.
    folder.write({ [`${CLAUDE}/pdf/${taken}`]: 'precious' });
    await expect(run(operation, workspace, ['pdf'])).rejects.toMatchObject({ code: 'REFUSED' });
    expect(fs.readFileSync(folder.at(`${CLAUDE}/pdf/${taken}`), 'utf8')).toBe('precious');
    expect(filesOf(folder, `${CLAUDE}/pdf`)).toEqual(['.SKILL.md', 'SKILL.md']);
    await run(operation, workspace, ['pdf'], true);
    expect(filesOf(folder, `${CLAUDE}/pdf`)).toEqual([taken]);
    expect(fs.readFileSync(folder.at(`${CLAUDE}/pdf/${taken}`), 'utf8')).toBe(skillText({ name: 'pdf' }));
  });

  test('one misspelled name and nothing changes', async () => {
    using folder = project({ [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf' }) }, 'disk');
    await expect(run(disableSkills, await folder.open(), ['pdf', 'xlxs'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(filesOf(folder, `${CLAUDE}/pdf`)).toEqual(['SKILL.md']);
  });

  test('one file in the way and nothing changes', async () => {
    using folder = project(
      {
        [`${CLAUDE}/a/SKILL.md`]: skillText({ name: 'a' }),
        [`${CLAUDE}/b/SKILL.md`]: skillText({ name: 'b' }),
        [`${CLAUDE}/b/.SKILL.md`]: 'precious',
      },
      'disk',
    );
    await expect(run(disableSkills, await folder.open(), ['a', 'b'])).rejects.toMatchObject({ code: 'REFUSED' });
    expect(filesOf(folder, `${CLAUDE}/a`)).toEqual(['SKILL.md']);
  });

  test('an ambiguous name changes nothing and lists the full names', async () => {
    using folder = project(
      {
        [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
        [`${CODEX}/pdf/SKILL.md`]: skillText({ name: 'pdf', body: 'Another way.' }),
      },
      'disk',
    );
    const workspace = await folder.open();
    await expect(run(disableSkills, workspace, ['pdf'])).rejects.toMatchObject({
      code: 'AMBIGUOUS',
      suggestions: ['claude:pdf', 'codex:pdf'],
    });
    await run(disableSkills, workspace, ['codex:pdf']);
    expect(filesOf(folder, `${CODEX}/pdf`)).toEqual(['.SKILL.md']);
    expect(filesOf(folder, `${CLAUDE}/pdf`)).toEqual(['SKILL.md']);
  });

  test('of an enabled and a disabled skill of one name, the one whose state can change is meant', async () => {
    using folder = project(
      {
        [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
        [`${CODEX}/pdf/.SKILL.md`]: skillText({ name: 'pdf' }),
      },
      'disk',
    );
    const workspace = await folder.open();
    expect((await run(enableSkills, workspace, ['pdf'])).changed).toMatchObject([{ fullName: 'codex:pdf' }]);
  });

  test('the same skill named twice is changed once', async () => {
    using folder = project({ [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf' }) }, 'disk');
    expect((await run(disableSkills, await folder.open(), ['pdf', 'claude:pdf', 'PDF'])).changed).toHaveLength(1);
  });

  test('a SKILL.md in another case is disabled and enabled under the name agents look for', async () => {
    using folder = project({ [`${CLAUDE}/pdf/skill.md`]: skillText({ name: 'pdf' }) }, 'disk');
    const workspace = await folder.open();
    await run(disableSkills, workspace, ['pdf']);
    expect(filesOf(folder, `${CLAUDE}/pdf`)).toEqual(['.SKILL.md']);
    await run(enableSkills, workspace, ['pdf']);
    expect(filesOf(folder, `${CLAUDE}/pdf`)).toEqual(['SKILL.md']);
  });

  test('a link is renamed, never its target', async () => {
    using folder = project(
      {
        'project/docs/guide.md': skillText({ name: 'guide' }),
        [`${CLAUDE}/guide/SKILL.md`]: { link: '../../../docs/guide.md' },
      },
      'disk',
    );
    await run(disableSkills, await folder.open(), ['guide']);
    expect(fs.readlinkSync(folder.at(`${CLAUDE}/guide/.SKILL.md`))).toBe('../../../docs/guide.md');
    expect(filesOf(folder, 'project/docs')).toEqual(['guide.md']);
  });
});

describe('a path instead of a name', () => {
  const files = {
    'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
    'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Mine.' }),
  };

  test.each(['~/.claude/skills/pdf', '~/.claude/skills/pdf/SKILL.md', '../home/.claude/skills/pdf/'])(
    '%s means the copy there',
    async (given) => {
      using folder = project(files, 'disk');
      const workspace = await folder.open();
      await run(disableSkills, workspace, [given]);
      expect(filesOf(folder, 'home/.claude/skills/pdf')).toEqual(['.SKILL.md']);
      expect(filesOf(folder, 'project/.claude/skills/pdf')).toEqual(['SKILL.md']);
      await run(enableSkills, workspace, [folder.at('home/.claude/skills/pdf')]);
      expect(filesOf(folder, 'home/.claude/skills/pdf')).toEqual(['SKILL.md']);
    },
  );

  test('a path that the scan did not find is not opened', async () => {
    using folder = project({ ...files, 'home/elsewhere/SKILL.md': skillText({ name: 'elsewhere' }) }, 'disk');
    await expect(run(disableSkills, await folder.open(), ['~/elsewhere'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('shows the copy there', async () => {
    const workspace = await project(files).open();
    expect(await ask(showSkill, { name: './.claude/skills/pdf' }, workspace)).toMatchObject({ location: 'project' });
    expect(await ask(showSkill, { name: '~/.claude/skills/pdf' }, workspace)).toMatchObject({ location: 'user' });
  });
});
