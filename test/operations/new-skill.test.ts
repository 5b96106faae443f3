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
  test.each(PROFILES)('is valid under %s, and only its untouched template text is a warning', async (profile) => {
    using folder = project({}, 'disk');
    const workspace = await folder.open();
    await make(workspace, { name: 'release-notes' });
    const fresh = await ask(validateSkills, { all: true, profile }, workspace);
    expect(fresh).toMatchObject({ valid: true, errors: [], info: [], items: [{ id: 'agents:release-notes' }] });
    expect(fresh.warnings.map(({ code, line }) => [code, line])).toEqual([
      ['template-text', 3],
      ['template-text', 8],
    ]);
    folder.write({
      'project/.agents/skills/release-notes/SKILL.md':
        '---\nname: release-notes\ndescription: Writes release notes. Use when a version is released.\n---\n\n# Release notes\n\nRun npm run notes.\n',
    });
    await workspace.fresh();
    expect(await ask(validateSkills, { all: true, profile, strict: true }, workspace)).toMatchObject({
      valid: true,
      warnings: [],
    });
  });

  test('one sentence of the template that is left is a warning with its line', async () => {
    const workspace = await project({
      'project/.agents/skills/a/SKILL.md':
        '---\nname: a\ndescription: Does something useful. Use when asked.\n---\n\nRun it.\n\n- Say how to tell that the work is done.\n',
    }).open();
    const { warnings } = await ask(validateSkills, { all: true }, workspace);
    expect(warnings).toMatchObject([{ code: 'template-text', line: 8 }]);
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

  test.each([
    ['no agent is found', {}, '.agents/skills'],
    ['an agent found here reads it', { 'home/.codex/config.toml': '' }, '.agents/skills'],
    ['one of several agents reads it', { 'home/.claude.json': '{}', 'home/.codex/config.toml': '' }, '.agents/skills'],
    ['only Claude Code is found', { 'home/.claude.json': '{}' }, '.claude/skills'],
    ['only Kiro is found', { 'project/.kiro/x.md': '' }, '.kiro/skills'],
  ])('%s: the default folder fits', async (_, files, folder) => {
    const place = project(files);
    const made = await make(await place.open(), { name: 'a' });
    expect(made.path).toBe(place.at('project', folder, 'a'));
  });

  test('names the agents found here that will not list it, with a command that works', async () => {
    const place = project({ 'home/.claude.json': '{}', 'home/.codex/config.toml': '' });
    const workspace = await place.open();
    const { notSeenBy } = await make(workspace, { name: 'a' });
    expect(notSeenBy).toEqual([
      {
        id: 'claude',
        title: 'Claude Code',
        reason: expect.stringContaining('.agents/skills'),
        fix: 'lectern share a --to claude --yes',
      },
    ]);
  });

  test('--to all shares it with every agent found', async () => {
    const place = project({ 'home/.claude.json': '{}', 'home/.codex/config.toml': '' });
    const workspace = await place.open();
    const made = await make(workspace, { name: 'a', to: 'all' });
    expect(made.notSeenBy).toEqual([]);
    expect(made.shared).toMatchObject([
      { agent: 'claude', kind: 'link', path: place.at('project/.claude/skills/a') },
      { agent: 'codex', kind: 'present' },
    ]);
    expect(place.disk.readLink(place.at('project/.claude/skills/a'))).toBe('../../.agents/skills/a');
  });

  test('--to all that is refused leaves no skill behind', async () => {
    const place = project({
      'home/.claude/skills/a/SKILL.md': '---\nname: a\ndescription: Another one\n---\n\nBody\n',
      'home/.codex/config.toml': '',
    });
    await expect(make(await place.open(), { name: 'a', to: 'all' })).rejects.toMatchObject({ code: 'REFUSED' });
    expect([place.state(), place.exists('project/.agents')]).toEqual([{}, false]);
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
        // Copilot CLI lists only names in ASCII.
        const isAscii = /^\p{ASCII}*$/u.test(each);
        for (const profile of PROFILES.filter((id) => id !== 'copilot' || isAscii)) {
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
