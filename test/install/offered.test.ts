/** `install <source>` without names, without targets, and with sources that cannot be used. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { installSkills } from '../../src/operations/install-skills.ts';
import { listSource } from '../../src/operations/list-source.ts';
import { ask } from '../support/ask.ts';
import { gitServer } from '../support/git-server.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { tempFolder } from '../support/temp-folder.ts';

const skill = (name: string): string => `---\nname: ${name}\ndescription: About ${name}\n---\n\nBody\n`;
const TWO = { 'source/skills/a/SKILL.md': skill('a'), 'source/skills/b b/SKILL.md': skill('b b') };

describe('without names and without a terminal', () => {
  test('the skills are listed with their descriptions and the commands that install them, and the exit code is 2', async () => {
    using folder = tempFolder(TWO);
    const run = await lectern(folder, ['install', '../source'], { env: { COLUMNS: '80' } });
    expect(run).toMatchObject({ code: 2, stderr: 'lectern: No skill was named, so nothing was installed.\n' });
    expect(run.stdout).toBe(
      [
        '../source has 2 skills:',
        '',
        '  a    About a',
        '  b b  About b b',
        '',
        'Install one: lectern install ../source a -y',
        'Install all: lectern install ../source --all -y',
        '',
      ].join('\n'),
    );
    expect(fs.readdirSync(folder.at('project'))).toEqual([]);
  });

  test('--yes does not choose skills', async () => {
    using folder = tempFolder(TWO);
    const run = await lectern(folder, ['install', '../source', '-y', '--to', 'claude', '--json']);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stdout)).toEqual({
      source: '../source',
      skills: [
        { name: 'a', description: 'About a', path: 'skills/a' },
        { name: 'b b', description: 'About b b', path: 'skills/b b' },
      ],
    });
    expect(fs.readdirSync(folder.at('project'))).toEqual([]);
  });

  test('--list exits with 0, has the commit of a repository, and a command that works without a terminal', async () => {
    await using server = await gitServer();
    const repository = server.repository('shop', { 'x/a/SKILL.md': skill('a'), 'y/SKILL.md': skill('y') });
    using folder = tempFolder();
    const json = await lectern(folder, ['install', repository.url, '--list', '--path', 'x', '--json']);
    expect(json.code).toBe(0);
    expect(JSON.parse(json.stdout)).toEqual({
      source: repository.url,
      commit: repository.git('rev-parse', 'HEAD'),
      skills: [{ name: 'a', description: 'About a', path: 'x/a' }],
    });
    const text = await lectern(folder, ['install', repository.url, '--list', '--path', 'x']);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toContain(`Install it: lectern install ${repository.url} --path x -y\n`);
    expect(await lectern(folder, ['install', repository.url, 'a', '--list'])).toMatchObject({ code: 2 });
  });

  test('skills with the same name are listed by their paths', async () => {
    using folder = tempFolder({
      'source/one/a/SKILL.md': skill('a'),
      'source/two/a/SKILL.md': `${skill('a')}Other\n`,
    });
    const { stdout } = await lectern(folder, ['install', '../source', '--list']);
    expect(stdout).toContain('  one/a  About a\n  two/a  About a\n');
    expect(stdout).toContain('lectern install ../source one/a -y\n');
  });

  test('every line fits the terminal, and control characters do not reach it', async () => {
    const long = `---\nname: ${'n'.repeat(60)}\ndescription: "${'漢字 '.repeat(60)}\\e[31m"\n---\n`;
    using folder = tempFolder({ ...TWO, 'source/skills/long/SKILL.md': long });
    const { stdout } = await lectern(folder, ['install', '../source', '--list'], { env: { COLUMNS: '50' } });
    const { widthOf } = await import('../../src/core/columns.ts');
    expect(stdout.split('\n').filter((line) => widthOf(line) > 50)).toEqual([]);
    expect(stdout).not.toContain('\u001b');
  });

  test('a source with one skill needs no name', async () => {
    using folder = tempFolder({ 'source/a/SKILL.md': skill('a') });
    expect(await lectern(folder, ['install', '../source', '-y'])).toMatchObject({ code: 0, stderr: '' });
    expect(fs.readdirSync(folder.at('project/.agents/skills'))).toEqual(['a']);
  });

  test('for programs, the failure has the list', async () => {
    using place = project(TWO, 'disk');
    const failure = ask(installSkills, { source: place.at('source'), yes: true }, await place.open());
    await expect(failure).rejects.toMatchObject({
      code: 'CHOICE_NEEDED',
      message: `${place.at('source')} has 2 skills: a, b b.`,
      facts: { choices: ['a', 'b b'], skills: [{ name: 'a' }, { name: 'b b' }] },
    });
    expect(await ask(listSource, { source: place.at('source') }, await place.open())).toMatchObject({
      skills: [{ name: 'a' }, { name: 'b b' }],
    });
  });

  test('-i and --yes cannot be combined', async () => {
    using folder = tempFolder(TWO);
    const run = await lectern(folder, ['install', '../source', '-i', '-y', '--json']);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'USAGE' } });
  });
});

describe('without a target', () => {
  const source = { 'source/a/SKILL.md': skill('a') };
  const install = async (place: ReturnType<typeof project>) =>
    ask(installSkills, { source: place.at('source'), yes: true }, await place.open());

  test('no agent is found: the skill goes to .agents/skills of the project', async () => {
    using place = project(source, 'disk');
    expect(await install(place)).toMatchObject({
      foundAgents: [],
      skills: [{ targets: [place.at('project/.agents/skills/a')] }],
    });
  });

  test('an agent that does not read .agents/skills gets the skill in its own folder', async () => {
    using place = project({ ...source, 'home/.claude/settings.json': '{}' }, 'disk');
    expect(await install(place)).toMatchObject({
      foundAgents: [{ id: 'claude', name: 'Claude Code', folder: '.claude/skills' }],
      skills: [{ targets: [place.at('project/.claude/skills/a')] }],
    });
    expect(fs.readdirSync(place.at('project')).sort()).toEqual(['.claude', 'lectern.lock.json']);
  });

  test.skipIf(process.platform === 'win32')('agents that read .agents/skills share one copy there', async () => {
    using place = project({ ...source, 'home/.claude/x': '', 'home/.codex/x': '', 'home/.cursor/x': '' }, 'disk');
    const { foundAgents, skills } = await install(place);
    expect(foundAgents?.map(({ id, folder }) => [id, folder])).toEqual([
      ['claude', '.claude/skills'],
      ['codex', '.agents/skills'],
      ['cursor', '.agents/skills'],
    ]);
    expect(skills[0]?.targets.map((target) => path.relative(place.at('project'), target))).toEqual([
      '.agents/skills/a',
      '.claude/skills/a',
    ]);
    expect(fs.readlinkSync(place.at('project/.claude/skills/a'))).toBe('../../.agents/skills/a');
  });

  test('the output names the agents', async () => {
    using folder = tempFolder({ ...source, 'home/.claude/settings.json': '{}' });
    const { stdout } = await lectern(folder, ['install', '../source', '-y']);
    expect(stdout).toContain('for Claude Code (found here; --to chooses others)\n');
  });

  test('a requested target is the only one', async () => {
    using place = project({ ...source, 'home/.claude/settings.json': '{}' }, 'disk');
    const result = await ask(
      installSkills,
      { source: place.at('source'), to: ['codex'], yes: true },
      await place.open(),
    );
    expect(result.foundAgents).toBeUndefined();
    expect(result.skills).toMatchObject([{ targets: [place.at('project/.codex/skills/a')] }]);
  });
});

describe('sources', () => {
  test('a missing folder is reported before the targets', async () => {
    using place = project({}, 'disk');
    await expect(
      ask(installSkills, { source: place.at('nope'), to: ['nobody'], yes: true }, await place.open()),
    ).rejects.toMatchObject({ code: 'NOT_FOUND', path: place.at('nope') });
  });

  test('a relative folder starts at the working folder, not at the project', async () => {
    using folder = tempFolder({ 'elsewhere/x/SKILL.md': skill('x'), 'project/x/SKILL.md': skill('wrong') });
    const run = await lectern(folder, ['install', './x', '-y', '--project-dir', '../project', '--json'], {
      cwd: folder.at('elsewhere'),
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ skills: [{ name: 'x', status: 'installed' }] });
    expect(fs.readdirSync(folder.at('project/.agents/skills'))).toEqual(['x']);
  });

  test('the address of a page keeps its branch and path in errors', async () => {
    await using server = await gitServer();
    const { url } = server.repository('shop', { 'a/SKILL.md': skill('a') });
    const page = `${url.replace(/\.git$/u, '')}/-/tree`;
    using place = project({}, 'disk');
    const workspace = await place.open();
    await expect(ask(installSkills, { source: `${page}/gone/skills/a`, yes: true }, workspace)).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      message: expect.stringContaining('#gone (skills/a)'),
      hint: expect.stringContaining('in the address'),
      facts: { reason: 'ref', source: { url, ref: 'gone', path: 'skills/a' } },
    });
    await expect(ask(installSkills, { source: `${page}/main/nope`, yes: true }, workspace)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('/-/tree/main/nope'),
    });
    const nowhere = page.replace('/shop/', '/missing/');
    await expect(ask(installSkills, { source: `${nowhere}/main/a`, yes: true }, workspace)).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      facts: { source: { ref: 'main', path: 'a' } },
    });
  });

  test.each([
    ['its own folder', 'project/.claude/skills', { to: ['claude'] }],
    ['its own folder, with --force', 'project/.claude/skills', { to: ['claude'], force: true }],
    ['the shared folder that links would lead to', 'project/.agents/skills', { to: ['claude', 'agents'], force: true }],
    ['a folder inside itself', 'project/.claude/skills/a', { dir: '.claude/skills/a/more', force: true }],
  ])('a skill is not installed onto %s', async (_, source, how) => {
    using place = project({ [`${source.replace(/\/a$/u, '')}/a/SKILL.md`]: skill('a') }, 'disk');
    const before = place.state();
    await expect(
      ask(installSkills, { source: place.at(source), yes: true, ...how }, await place.open()),
    ).rejects.toMatchObject({ code: 'REFUSED', message: '"a" would be installed onto itself.' });
    expect(place.state()).toEqual(before);
  });

  test.skipIf(process.platform === 'win32')('a link does not hide that a folder is the source itself', async () => {
    using place = project(
      { 'project/mine/a/SKILL.md': skill('a'), 'project/.claude/skills': { link: '../mine' } },
      'disk',
    );
    const before = place.state();
    await expect(
      ask(
        installSkills,
        { source: place.at('project/mine'), to: ['claude'], force: true, yes: true },
        await place.open(),
      ),
    ).rejects.toMatchObject({ code: 'REFUSED' });
    expect(place.state()).toEqual(before);
  });
});
