import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newSkill } from '../../src/operations/new-skill.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { PROFILES } from '../../src/skills/rules/subject.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { project } from '../support/project.ts';
import { ask } from '../support/ask.ts';
import { fc, times } from '../support/effort.ts';

const make = (workspace: Workspace, input: { name: string; description?: string; to?: string; user?: boolean }) =>
  ask(newSkill, input, workspace);

describe('a new skill', () => {
  test.each(PROFILES)('is valid under %s, to the last warning', async (profile) => {
    using folder = project({}, 'disk');
    const workspace = await folder.open();
    await make(workspace, { name: 'release-notes' });
    expect(await ask(validateSkills, { all: true, profile, strict: true }, workspace)).toMatchObject({
      valid: true,
      errors: [],
      warnings: [],
      info: [],
      items: [{ id: 'agents:release-notes' }],
    });
  });

  test.each([
    { input: { name: 'a' }, file: 'project/.agents/skills/a/SKILL.md' },
    { input: { name: 'a', user: true }, file: 'home/.agents/skills/a/SKILL.md' },
    { input: { name: 'a', to: 'claude' }, file: 'project/.claude/skills/a/SKILL.md' },
    { input: { name: 'a', to: 'Claude', user: true }, file: 'home/.claude/skills/a/SKILL.md' },
    { input: { name: 'a', to: 'copilot' }, file: 'project/.github/skills/a/SKILL.md' },
    { input: { name: 'a', to: './vendored' }, file: 'project/vendored/a/SKILL.md' },
  ])('$input goes to $file', async ({ input, file }) => {
    using folder = project({}, 'disk');
    expect(await make(await folder.open(), input)).toMatchObject({
      name: 'a',
      path: folder.at(file.replace('/SKILL.md', '')),
      file: folder.at(file),
    });
    expect(fs.existsSync(folder.at(file))).toBe(true);
  });

  test('is in the catalog immediately', async () => {
    using folder = project({}, 'disk');
    const workspace = await folder.open();
    await make(workspace, { name: 'fresh' });
    expect(workspace.snapshot.all.find('fresh').kind).toBe('found');
  });

  test('never replaces an existing entry, not even a folder without a skill or a dangling link', async () => {
    using folder = project(
      {
        'project/.agents/skills/a/notes.txt': 'mine',
        'project/.agents/skills/b': { link: 'nowhere' },
      },
      'disk',
    );
    const workspace = await folder.open();
    for (const name of ['a', 'b']) await expect(make(workspace, { name })).rejects.toMatchObject({ code: 'REFUSED' });
    expect(fs.readdirSync(folder.at('project/.agents/skills/a'))).toEqual(['notes.txt']);
  });

  test.each([
    '',
    '.',
    '..',
    '../evil',
    'a/b',
    'a\\b',
    '/abs',
    'Pdf',
    'a b',
    'a--b',
    '-a',
    'a-',
    'a.',
    'con',
    'NUL',
    'com1',
    'x:y',
    'a\0',
    'a\n',
    '½',
    'ﬁn',
    'a'.repeat(65),
    '\u{e0041}',
    '😀',
  ])('%j is no name for a skill', async (name) => {
    using folder = project({}, 'disk');
    await expect(make(await folder.open(), { name })).rejects.toMatchObject({ code: 'USAGE' });
    expect(fs.readdirSync(folder.at('project'))).toEqual([]);
  });

  test.each([
    ['My Skill', 'my-skill'],
    ['PDF_tools', 'pdf-tools'],
    ['½', '1-2'],
    ['con', 'con-skill'],
  ])('%s: a name that would do is offered', async (name, better) => {
    using folder = project({}, 'disk');
    await expect(make(await folder.open(), { name })).rejects.toMatchObject({ suggestions: [better] });
  });

  test.each(['con', 'NUL', 'com1'])('%s is refused with the reason', async (name) => {
    using folder = project({}, 'disk');
    await expect(make(await folder.open(), { name })).rejects.toMatchObject({
      message: expect.stringContaining('Windows reserves it'),
    });
  });

  test.each(['', '  ', '\u{e0041}', 'x'.repeat(1025)])(
    'a description that would not validate is refused',
    async (description) => {
      using folder = project({}, 'disk');
      await expect(make(await folder.open(), { name: 'a', description })).rejects.toMatchObject({ code: 'USAGE' });
    },
  );

  test('whatever name and description are accepted, the result has no errors under any profile', async () => {
    const name = fc.oneof(
      fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8})?$/u),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const description = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('Use when: x', '"quoted"', '---\nname: evil', '# no comment', "it's", '\\', 'a\u2028b'),
    );
    await fc.assert(
      fc.asyncProperty(name, description, async (each, text) => {
        const workspace = await project().open();
        const made = await make(workspace, { name: each, description: text }).catch(() => undefined);
        if (!made) return;
        for (const profile of PROFILES) {
          const { errors } = await ask(validateSkills, { all: true, profile, strict: false }, workspace);
          // Text direction and hidden characters are reported to whoever typed them.
          expect(errors.filter(({ code }) => code !== 'hidden-text' && code !== 'bidi-controls')).toEqual([]);
        }
        expect(workspace.snapshot.all.skills.map((skill) => skill.name)).toEqual([each]);
      }),
      { numRuns: times(60) },
    );
  });

  test('an agent that does not exist is a failure with suggestions', async () => {
    using folder = project({}, 'disk');
    await expect(make(await folder.open(), { name: 'a', to: 'cluade' })).rejects.toMatchObject({
      code: 'USAGE',
      suggestions: expect.arrayContaining(['claude']),
    });
  });
});
