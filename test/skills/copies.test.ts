import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { search } from '../../src/operations/search.ts';
import { fullNameOf } from '../../src/skills/skill.ts';
import { ask } from '../support/ask.ts';
import { HOME as H, project, type ProjectFiles, PROJECT as P } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

/** The same skill in each of the folders, with a script beside it. */
function inFolders(folders: readonly string[], more: ProjectFiles = {}): ProjectFiles {
  const files = folders.flatMap((folder) => [
    [`${folder}/pdf/SKILL.md`, skillText({ name: 'pdf' })],
    [`${folder}/pdf/scripts/fill.py`, 'print(1)'],
  ]);
  return { ...Object.fromEntries(files), ...more };
}

const CLAUDE = `${P}/.claude/skills`;
const CODEX = `${P}/.codex/skills`;
const namesOf = async (files: ProjectFiles): Promise<string[]> =>
  (await project(files).open()).snapshot.view().skills.map(fullNameOf);

describe('copies with the same bytes in every file', () => {
  test('are listed once, with every place', async () => {
    const workspace = await project(inFolders([CLAUDE, CODEX, `${H}/.claude/skills`])).open();
    const { skills, counts } = await ask(listSkills, {}, workspace);
    expect(skills).toMatchObject([{ fullName: 'claude:pdf', path: `${CLAUDE}/pdf` }]);
    expect(skills[0]?.places).toEqual([
      { fullName: 'claude:pdf', path: `${CLAUDE}/pdf`, provider: 'claude', location: 'project' },
      { fullName: 'claude:pdf', path: `${H}/.claude/skills/pdf`, provider: 'claude', location: 'user' },
      { fullName: 'codex:pdf', path: `${CODEX}/pdf`, provider: 'codex', location: 'project' },
    ]);
    expect(skills[0]).not.toHaveProperty('ambiguous');
    expect(counts).toMatchObject({ total: 1, copies: 2, shadowed: 0, ambiguous: 0 });
    expect(workspace.snapshot.diagnostics({ names: true })).toEqual([]);
  });

  test('are loaded by each of their names, each from its own place', async () => {
    const workspace = await project(inFolders([CLAUDE, CODEX])).open();
    const loaded = async (name: string): Promise<string> => (await ask(loadSkill, { name }, workspace)).path;
    expect(await loaded('pdf')).toBe(`${CLAUDE}/pdf/SKILL.md`);
    expect(await loaded('claude:pdf')).toBe(`${CLAUDE}/pdf/SKILL.md`);
    expect(await loaded('codex:pdf')).toBe(`${CODEX}/pdf/SKILL.md`);
  });

  test('are one result of a search and one entry for agents', async () => {
    const workspace = await project(inFolders([CLAUDE, CODEX])).open();
    expect(await ask(search, { query: 'pdf', mode: 'keyword' }, workspace)).toMatchObject({ total: 1 });
    expect(workspace.snapshot.forAgents.map(({ name }) => name)).toEqual(['pdf']);
  });

  test('a filter that leaves one copy out keeps the skill', async () => {
    const workspace = await project(inFolders([CLAUDE, CODEX])).open({ exclude: ['claude'] });
    expect(workspace.snapshot.view().skills.map(fullNameOf)).toEqual(['codex:pdf']);
    expect((await ask(listSkills, {}, workspace)).counts.leftOut).toEqual({ byState: 0, byFilters: 0 });
  });

  test('beside a skill that differs, the name is ambiguous between the two', async () => {
    const other = { [`${P}/.cursor/skills/pdf/SKILL.md`]: skillText({ name: 'pdf', body: 'Another way.' }) };
    const { snapshot } = await project(inFolders([CLAUDE, CODEX], other)).open();
    const found = snapshot.view().find('pdf');
    expect(found.kind === 'ambiguous' && found.skills.map(fullNameOf)).toEqual(['claude:pdf', 'cursor:pdf']);
  });

  test('the copy that is listed is one that its name leads to', async () => {
    // The personal copy is hidden by a project's skill of the same agent; the copy of Codex is not.
    const other = { [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf', body: 'Another way.' }) };
    const { snapshot } = await project(inFolders([`${H}/.claude/skills`, CODEX], other)).open();
    expect(snapshot.forAgents.map(({ name, skill }) => [name, skill.dir])).toEqual([
      ['claude:pdf', `${CLAUDE}/pdf`],
      ['codex:pdf', `${CODEX}/pdf`],
    ]);
  });
});

describe('skills that differ', () => {
  test.each([
    ['in the text', { [`${CODEX}/pdf/SKILL.md`]: skillText({ name: 'pdf', body: '# pdf\n\nDo the w0rk.\n' }) }],
    ['in another file', { [`${CODEX}/pdf/scripts/fill.py`]: 'print(2)' }],
    ['in a further file', { [`${CODEX}/pdf/notes.md`]: '' }],
    ['in the name of a file', { [`${CODEX}/pdf/a`]: '', [`${CLAUDE}/pdf/b`]: '' }],
    ['in a link that leads out', { [`${CODEX}/pdf/key`]: { link: '/etc/secret' }, '/etc/secret': 'x' }],
  ])('%s are not copies', async (_, more) => {
    expect(await namesOf(inFolders([CLAUDE, CODEX], more))).toEqual(['claude:pdf', 'codex:pdf']);
  });

  test('in their state are not copies', async () => {
    const files = {
      [`${CLAUDE}/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
      [`${CODEX}/pdf/.SKILL.md`]: skillText({ name: 'pdf' }),
    };
    const { snapshot } = await project(files).open();
    expect(snapshot.view('all').skills).toHaveLength(2);
  });

  test.each([
    ['more files than are compared', LIMITS.comparedFiles.value, ''],
    ['more bytes than are compared', 1, 'x'.repeat(LIMITS.comparedBytes.value)],
  ])('or have %s count as different', async (_, files, text) => {
    const more = [CLAUDE, CODEX].flatMap((folder) =>
      Array.from({ length: files }, (_each, index) => [`${folder}/pdf/more/${index}`, text]),
    );
    expect(await namesOf(inFolders([CLAUDE, CODEX], Object.fromEntries(more)))).toHaveLength(2);
  });
});

test('a modified copy becomes a separate skill at the next scan, and a copy again after the change is reverted', async () => {
  using folder = project(inFolders(['project/.claude/skills', 'project/.codex/skills']), 'disk');
  const workspace = await folder.open();
  const count = async (): Promise<number> => (await workspace.reload()).view().skills.length;
  expect(await count()).toBe(1);
  folder.write({ 'project/.codex/skills/pdf/scripts/fill.py': 'print(2)' });
  expect(await count()).toBe(2);
  folder.write({ 'project/.codex/skills/pdf/scripts/fill.py': 'print(1)' });
  expect(await count()).toBe(1);
});
