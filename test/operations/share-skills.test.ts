import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Disk, WriteTrouble } from '../../src/core/disk/writes.ts';
import { disableSkills } from '../../src/operations/toggle-skills.ts';
import { installSkills } from '../../src/operations/install-skills.ts';
import { outdatedSkills } from '../../src/operations/outdated-skills.ts';
import { removeInstalled } from '../../src/operations/remove-skills.ts';
import { shareSkills } from '../../src/operations/share-skills.ts';
import { updateSkills } from '../../src/operations/update-skills.ts';
import { verifySkills } from '../../src/operations/verify-skills.ts';
import { why } from '../../src/operations/why.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { failureOf } from '../support/failure-of.ts';
import { HOME, project, PROJECT, type Project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { beforeWrites } from '../support/watched-writes.ts';

const PDF = {
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  'project/.claude/skills/pdf/scripts/run.sh': 'echo hi\n',
};
const YES = { skills: ['pdf'], yes: true };

/** The links below the project and the home, with their targets. */
function linksOf({ disk }: Project): Record<string, string> {
  const below = (dir: string): [string, string][] =>
    disk.list(dir).flatMap(({ name, kind }): [string, string][] => {
      const place = path.join(dir, name);
      return kind === 'directory' ? below(place) : kind === 'link' ? [[place, disk.readLink(place)]] : [];
    });
  return Object.fromEntries([PROJECT, HOME].filter((dir) => disk.look(dir)).flatMap(below));
}

const lockIn = (place: Project): { skills: Record<string, { targets: object[] }> } =>
  JSON.parse(place.read('project/lectern.lock.json'));

async function statusIn(workspace: Workspace, agent: string): Promise<string | undefined> {
  return (await ask(why, { name: 'pdf', agent }, workspace)).agents[0]?.status;
}

describe('sharing', () => {
  test('makes a relative link, records it in the lock, and the agent lists the skill', async () => {
    const place = project(PDF);
    const workspace = await place.open();
    expect(await ask(shareSkills, { ...YES, to: ['codex'] }, workspace)).toEqual({
      shared: [
        {
          name: 'pdf',
          agent: 'codex',
          scope: 'project',
          path: place.at('project/.codex/skills/pdf'),
          kind: 'link',
          status: 'done',
        },
      ],
    });
    expect(linksOf(place)).toEqual({ [place.at('project/.codex/skills/pdf')]: '../../.claude/skills/pdf' });
    expect(lockIn(place).skills['pdf']).toMatchObject({ type: 'local', source: '.claude/skills/pdf' });
    expect(await statusIn(workspace, 'codex')).toBe('seen');
    expect((await ask(verifySkills, {}, workspace)).ok).toBe(true);
  });

  test('a second time there is nothing to do', async () => {
    const place = project(PDF);
    const workspace = await place.open();
    await ask(shareSkills, { ...YES, to: ['codex'] }, workspace);
    const before = place.read('project/lectern.lock.json');
    // Nothing is written, so no confirmation is needed.
    const again = await ask(shareSkills, { skills: ['pdf'], to: ['codex'] }, workspace);
    expect(again.shared).toMatchObject([{ agent: 'codex', kind: 'present', status: 'done' }]);
    expect(place.read('project/lectern.lock.json')).toBe(before);
  });

  test('a dry run and a missing confirmation write nothing', async () => {
    const place = project(PDF);
    const workspace = await place.open();
    const dry = await ask(shareSkills, { skills: ['pdf'], to: ['codex'], dryRun: true }, workspace);
    expect(dry).toMatchObject({ dryRun: true, shared: [{ kind: 'link', status: 'planned' }] });
    expect((await failureOf(ask(shareSkills, { skills: ['pdf'], to: ['codex'] }, workspace))).code).toBe(
      'CONFIRM_NEEDED',
    );
    expect(Object.keys(place.state()).sort()).toEqual([
      '.claude/skills/pdf/SKILL.md',
      '.claude/skills/pdf/scripts/run.sh',
    ]);
    expect([linksOf(place), place.exists('home/.local')]).toEqual([{}, false]);
  });

  test('all agents found get one link in the shared folder, and agents without observed folders are left out', async () => {
    const place = project({
      ...PDF,
      'home/.codex/config.toml': '',
      'home/.gemini/settings.json': '{}',
      'home/.cursor/mcp.json': '{}',
    });
    const workspace = await place.open();
    const { shared, notes } = await ask(shareSkills, { ...YES, to: ['all'] }, workspace);
    expect(shared.map(({ agent, kind }) => [agent, kind])).toEqual([
      ['claude', 'present'],
      ['codex', 'link'],
      ['gemini', 'link'],
    ]);
    expect(notes).toEqual([expect.stringContaining('Cursor')]);
    expect(linksOf(place)).toEqual({ [place.at('project/.agents/skills/pdf')]: '../../.claude/skills/pdf' });
    expect([await statusIn(workspace, 'codex'), await statusIn(workspace, 'gemini')]).toEqual(['seen', 'seen']);
    await ask(shareSkills, { ...YES, to: ['gemini'], undo: true }, workspace);
    expect(linksOf(place)).toEqual({});
  });

  test('the scope is that of the skill, and a project gets a copy of a personal skill, with the reason', async () => {
    const place = project({ 'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    const workspace = await place.open();
    const { shared } = await ask(shareSkills, { ...YES, to: ['codex', 'gemini:project'] }, workspace);
    expect(shared).toMatchObject([
      { agent: 'codex', scope: 'user', kind: 'link' },
      { agent: 'gemini', scope: 'project', kind: 'copy', reason: expect.stringContaining('outside the project') },
    ]);
    expect(linksOf(place)).toEqual({ [place.at('home/.codex/skills/pdf')]: '../../.claude/skills/pdf' });
    expect(place.read('project/.gemini/skills/pdf/SKILL.md')).toBe(skillText({ name: 'pdf' }));
    await ask(shareSkills, { ...YES, undo: true }, workspace);
    expect([linksOf(place), place.state()]).toEqual([{}, {}]);
    expect(place.exists('home/.config')).toBe(false);
  });

  test('a copy follows its original with update, and links need no update', async () => {
    const place = project(PDF);
    const workspace = await place.open();
    await ask(shareSkills, { ...YES, to: ['codex'], copy: true }, workspace);
    await ask(shareSkills, { ...YES, to: ['gemini'] }, workspace);
    place.write({ 'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'New' }) });
    expect((await ask(outdatedSkills, {}, workspace)).skills).toMatchObject([{ name: 'pdf', status: 'outdated' }]);
    await ask(updateSkills, { yes: true }, workspace);
    expect(place.read('project/.codex/skills/pdf/SKILL.md')).toContain('New');
    expect((await ask(verifySkills, { frozen: true }, workspace)).ok).toBe(true);
    await ask(shareSkills, { ...YES, undo: true, to: ['codex'] }, workspace);
    place.write({ 'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Newer' }) });
    expect((await ask(outdatedSkills, {}, workspace)).skills).toMatchObject([{ status: 'current' }]);
  });

  test('an identical copy is present, --replace turns it into a link, and --undo into a copy', async () => {
    const copy = Object.fromEntries(
      Object.entries(PDF).map(([name, text]) => [name.replace('.claude', '.codex'), text]),
    );
    const place = project({ ...PDF, ...copy });
    const workspace = await place.open();
    const before = place.state();
    const asked = { ...YES, skills: ['./.claude/skills/pdf'], to: ['codex'] };
    expect((await ask(shareSkills, asked, workspace)).shared).toMatchObject([{ kind: 'present' }]);
    expect((await ask(shareSkills, { ...asked, replace: true }, workspace)).shared).toMatchObject([{ kind: 'link' }]);
    expect(linksOf(place)).toEqual({ [place.at('project/.codex/skills/pdf')]: '../../.claude/skills/pdf' });
    await ask(shareSkills, { ...YES, undo: true }, workspace);
    expect([linksOf(place), place.state()]).toEqual([{}, before]);
  });

  test('--undo accepts the names that share accepts, also if the folder has another name', async () => {
    const place = project({ 'project/.claude/skills/my forms/SKILL.md': skillText({ name: 'pdf' }) });
    const workspace = await place.open();
    for (const name of ['pdf', 'claude:pdf', 'my forms', '.claude/skills/my forms']) {
      await ask(shareSkills, { skills: [name], yes: true, to: ['codex'] }, workspace);
      expect(Object.keys(linksOf(place))).toEqual([place.at('project/.codex/skills/my forms')]);
      await ask(shareSkills, { skills: [name], yes: true, undo: true }, workspace);
      expect(linksOf(place)).toEqual({});
    }
  });

  test('an installed skill keeps its entry, and the links are removed with it', async () => {
    const place = project({ 'project/vendor/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    const workspace = await place.open();
    await ask(installSkills, { source: './vendor', to: ['claude'], yes: true }, workspace);
    await ask(shareSkills, { ...YES, to: ['codex'] }, workspace);
    expect(lockIn(place).skills['pdf']?.targets).toMatchObject([
      { agent: 'claude' },
      { agent: 'codex', shared: 'added', link: '../../.claude/skills/pdf' },
    ]);
    // Installing it again keeps the link.
    await ask(installSkills, { source: './vendor', to: ['gemini'], yes: true }, workspace);
    expect((await ask(verifySkills, { frozen: true }, workspace)).ok).toBe(true);
    await ask(removeInstalled, { names: ['pdf'], yes: true }, workspace);
    expect([linksOf(place), Object.keys(place.state()).sort()]).toEqual([
      {},
      ['lectern.lock.json', 'vendor/pdf/SKILL.md'],
    ]);
  });

  test('a shared skill is not removed or overwritten by its name', async () => {
    const place = project({ ...PDF, 'project/vendor/pdf/SKILL.md': skillText({ name: 'pdf' }) });
    const workspace = await place.open();
    await ask(shareSkills, { ...YES, to: ['codex'] }, workspace);
    const before = place.state();
    const removal = await failureOf(ask(removeInstalled, { names: ['pdf'], yes: true }, workspace));
    expect([removal.code, removal.hint]).toEqual(['REFUSED', expect.stringContaining('lectern share pdf --undo')]);
    const install = { source: './vendor', to: ['gemini'], yes: true };
    expect((await failureOf(ask(installSkills, install, workspace))).code).toBe('REFUSED');
    expect(place.state()).toEqual(before);
  });
});

describe('a refusal changes nothing for any target', () => {
  const other = skillText({ name: 'pdf', description: 'Something else' });
  test.each([
    ['an agent that does not exist', {}, { to: ['codex', 'cluade'] }, 'USAGE'],
    ['a scope that does not exist', {}, { to: ['codex:team'] }, 'USAGE'],
    ['a skill that does not exist', {}, { skills: ['pdf', 'pfd'] }, 'NOT_FOUND'],
    ['an agent whose folders were not observed', {}, { to: ['codex', 'cursor'] }, 'REFUSED'],
    [
      'a folder that is taken',
      { 'project/.gemini/skills/pdf/notes.txt': 'mine' },
      { to: ['codex:user', 'gemini'] },
      'REFUSED',
    ],
    [
      'a file in the place of the folder',
      { 'project/.gemini/skills/pdf': 'mine' },
      { to: ['codex:user', 'gemini'] },
      'REFUSED',
    ],
    [
      'a different skill of that name',
      { 'home/.gemini/skills/pdf/SKILL.md': other },
      { skills: ['./.claude/skills/pdf'] },
      'REFUSED',
    ],
    ['two different skills of that name', { 'project/.cursor/skills/pdf/SKILL.md': other }, {}, 'AMBIGUOUS'],
    ['a broken skill', { 'project/.claude/skills/pdf/SKILL.md': '---\nname: pdf\n---\n\nBody\n' }, {}, 'REFUSED'],
    [
      'a name that is not safe',
      { 'project/.claude/skills/.pdf/SKILL.md': other },
      { skills: ['./.claude/skills/.pdf'] },
      'REFUSED',
    ],
    ['no agent', {}, { to: [] }, 'USAGE'],
    ['--undo without a record', {}, { undo: true }, 'NOT_FOUND'],
  ])('%s', async (_, files, given, code) => {
    const place = project({ ...PDF, ...files });
    const workspace = await place.open();
    const before = place.state();
    const failure = await failureOf(ask(shareSkills, { ...YES, to: ['codex', 'gemini'], ...given }, workspace));
    expect(failure.code).toBe(code);
    expect([linksOf(place), place.state()]).toEqual([{}, before]);
  });

  test('the paths in the hint of an ambiguous name can be copied into a shell', async () => {
    const workspace = await project({
      'project/.claude/skills/two words/SKILL.md': skillText({ name: 'pdf', description: 'One' }),
      'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Two' }),
    }).open();
    const { hint } = await failureOf(ask(shareSkills, { ...YES, to: ['gemini'] }, workspace));
    expect(hint).toContain(`'${PROJECT}/.claude/skills/two words'`);
  });

  test('the error lists every target', async () => {
    const place = project({ ...PDF, 'home/.gemini/skills/pdf/notes.txt': 'mine' });
    const request = ask(shareSkills, { ...YES, to: ['codex', 'gemini:user'] }, await place.open());
    const { facts, message } = await failureOf(request);
    expect(facts['shared']).toMatchObject([
      { agent: 'codex', kind: 'link', status: 'planned' },
      { agent: 'gemini', kind: 'link', status: 'refused', reason: expect.stringContaining('there already') },
    ]);
    expect(message).toContain('Nothing was changed');
  });

  test('a disabled skill, the skill of a plugin and a built-in skill are refused', async () => {
    const dir = '/home/someone/.claude/plugins/cache/shop/tools/1.0.0';
    const place = project({
      ...PDF,
      [`${dir}/skills/docx/SKILL.md`]: skillText({ name: 'docx' }),
      'home/.claude/plugins/installed_plugins.json': JSON.stringify({
        version: 2,
        plugins: { 'tools@shop': [{ scope: 'user', installPath: dir, version: '1.0.0' }] },
      }),
      'home/.claude/settings.json': '{"enabledPlugins":{"tools@shop":true}}',
      'home/.codex/skills/.system/imagegen/SKILL.md': skillText({ name: 'imagegen' }),
    });
    const workspace = await place.open();
    await ask(disableSkills, { names: ['pdf'] }, workspace);
    for (const name of ['pdf', 'docx', 'imagegen'])
      expect((await failureOf(ask(shareSkills, { skills: [name], to: ['gemini'], yes: true }, workspace))).code).toBe(
        'REFUSED',
      );
    expect(linksOf(place)).toEqual({});
  });
});

describe('records in the lock are not trusted', () => {
  async function shared(copy: boolean): Promise<{ place: Project; workspace: Workspace }> {
    const place = project(PDF);
    const workspace = await place.open();
    await ask(shareSkills, { ...YES, to: ['codex'], copy }, workspace);
    return { place, workspace };
  }
  const undo = (workspace: Workspace) => failureOf(ask(shareSkills, { ...YES, undo: true }, workspace));

  test('a copy with a changed or an additional file is not removed, and the file is named', async () => {
    for (const file of ['SKILL.md', 'notes.txt']) {
      const { place, workspace } = await shared(true);
      place.write({ [`project/.codex/skills/pdf/${file}`]: 'mine' });
      const failure = await undo(workspace);
      expect([failure.code, failure.path]).toEqual(['REFUSED', place.at('project/.codex/skills/pdf')]);
      expect(failure.message).toContain(place.at('project/.codex/skills/pdf', file));
      expect(place.read(`project/.codex/skills/pdf/${file}`)).toBe('mine');
    }
  });

  test('the last copy of a skill is not removed', async () => {
    const { place, workspace } = await shared(true);
    place.disk.removeTree(place.at('project/.claude/skills/pdf'));
    expect((await undo(workspace)).message).toContain('only copy');
    expect(place.exists('project/.codex/skills/pdf/SKILL.md')).toBe(true);
  });

  test('a link that leads elsewhere now is not removed', async () => {
    const { place, workspace } = await shared(false);
    place.disk.remove(place.at('project/.codex/skills/pdf'));
    place.disk.createLink(place.at('project/.codex/skills/pdf'), '../../src');
    expect((await undo(workspace)).code).toBe('REFUSED');
    expect(linksOf(place)).toEqual({ [place.at('project/.codex/skills/pdf')]: '../../src' });
  });

  test('a folder that was removed by hand is only forgotten', async () => {
    const { place, workspace } = await shared(false);
    place.disk.remove(place.at('project/.codex/skills/pdf'));
    const { shared: rows } = await ask(shareSkills, { ...YES, undo: true }, workspace);
    expect(rows).toMatchObject([{ status: 'done', reason: 'it was already removed' }]);
    expect(place.exists('project/lectern.lock.json')).toBe(false);
  });

  test.each<[string, (lock: string) => string]>([
    [
      'a link out of the project',
      (lock) =>
        lock.replaceAll('../../.claude/skills/pdf', '../../../../etc').replace('".claude/skills/pdf"', '"../../etc"'),
    ],
    ['a link that is not to the recorded folder', (lock) => lock.replace('"../../.claude/skills/pdf"', '"../../src"')],
    ['a path that leads out', (lock) => lock.replace('".codex/skills/pdf"', '"../x/pdf"')],
    ['a folder that is not above the link', (lock) => lock.replace('"made": ".codex"', '"made": "src"')],
    ['an unknown kind of share', (lock) => lock.replace('"added"', '"always"')],
    ['a link of an installation', (lock) => lock.replace(/,\s*"shared": "added"/u, '')],
  ])('%s makes the lock invalid', async (_, change) => {
    const { place, workspace } = await shared(false);
    const before = place.read('project/lectern.lock.json');
    const changed = change(before);
    expect(changed).not.toBe(before);
    place.write({ 'project/lectern.lock.json': changed });
    expect((await undo(workspace)).code).toBe('LOCK_INVALID');
    expect(Object.keys(linksOf(place))).toHaveLength(1);
  });
});

describe('between the plan and the write', () => {
  /** Does something just before the first stage is created. */
  function meanwhile(place: { at: Project['at'] }, act: () => void): Promise<Workspace> {
    let isDone = false;
    const disk = beforeWrites(nodeDisk, (method) => {
      if (isDone || method !== 'lock') return;
      isDone = true;
      act();
    });
    return Workspace.open({ projectDir: place.at('project'), userDir: place.at('home') }, disk);
  }

  test('a folder of skills that became a link out of the project is refused', async () => {
    using place = project({ ...PDF, 'project/.codex/skills/x.txt': 'x', 'outside/y.txt': 'y' }, 'disk');
    const workspace = await meanwhile(place, () => {
      fs.rmSync(place.at('project/.codex/skills'), { recursive: true });
      fs.symlinkSync('../../outside', place.at('project/.codex/skills'));
    });
    expect((await failureOf(ask(shareSkills, { ...YES, to: ['codex'], copy: true }, workspace))).code).toBe('REFUSED');
    expect(fs.readdirSync(place.at('outside'))).toEqual(['y.txt']);
    expect(place.exists('project/lectern.lock.json')).toBe(false);
  });

  test('a skill that became a link out of the project is refused', async () => {
    using place = project({ ...PDF, 'outside/SKILL.md': skillText({ name: 'pdf' }) }, 'disk');
    const workspace = await meanwhile(place, () => {
      fs.rmSync(place.at('project/.claude/skills/pdf'), { recursive: true });
      fs.symlinkSync('../../../outside', place.at('project/.claude/skills/pdf'));
    });
    expect((await failureOf(ask(shareSkills, { ...YES, to: ['codex'] }, workspace))).code).toBe('REFUSED');
    expect(fs.readdirSync(place.at('project'))).toEqual(['.claude']);
  });

  test('a folder that appeared is left as it is, and other targets get nothing', async () => {
    using place = project(PDF, 'disk');
    const workspace = await meanwhile(place, () => place.write({ 'project/.gemini/skills/pdf/mine.txt': 'mine' }));
    const to = ['codex:user', 'gemini'];
    expect((await failureOf(ask(shareSkills, { ...YES, to }, workspace))).code).toBe('REFUSED');
    expect(fs.readdirSync(place.at('project/.gemini/skills/pdf'))).toEqual(['mine.txt']);
    expect([place.exists('home/.codex'), place.exists('project/lectern.lock.json')]).toEqual([false, false]);
  });

  test('a lock that cannot be written leaves nothing behind, in neither scope', async () => {
    using place = project(PDF, 'disk');
    const disk = beforeWrites(nodeDisk, (method, file) => {
      if (method === 'replace' && file.startsWith(place.at('home')) && file.endsWith('lectern.lock.json'))
        throw new WriteTrouble('full', file);
    });
    const workspace = await Workspace.open({ projectDir: place.at('project'), userDir: place.at('home') }, disk);
    const to = ['codex:user', 'gemini:project'];
    expect((await failureOf(ask(shareSkills, { ...YES, to }, workspace))).code).toBe('UNWRITABLE');
    expect(fs.readdirSync(place.at('project'))).toEqual(['.claude']);
    expect(fs.readdirSync(place.at('home'))).toEqual(['.local']);
  });

  test('where links do not work, the skill is copied', async () => {
    using place = project(PDF, 'disk');
    const disk: Disk = {
      ...nodeDisk,
      createLink(file) {
        throw new WriteTrouble('not-permitted', file);
      },
    };
    const workspace = await Workspace.open({ projectDir: place.at('project'), userDir: place.at('home') }, disk);
    const { shared } = await ask(shareSkills, { ...YES, to: ['codex'] }, workspace);
    expect(shared).toMatchObject([{ kind: 'copy', reason: expect.stringContaining('links do not work') }]);
    expect(place.read('project/.codex/skills/pdf/scripts/run.sh')).toBe('echo hi\n');
  });
});
