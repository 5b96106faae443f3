/** Files that are being written while skills are loaded. The disk is in memory, so that no test depends on timing. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { FileTrouble, type Stamp } from '../../src/core/disk/tree.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { Digests } from '../../src/workspace/digests.ts';
import { DiskContent } from '../../src/workspace/skill-content.ts';
import { WholeSkills } from '../../src/workspace/whole-skills.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { agentList } from '../../src/operations/agent-list.ts';
import { loadSkill } from '../../src/operations/load-skill.ts';
import { skillFile } from '../../src/operations/skill-file.ts';
import { ask } from '../support/ask.ts';
import { HOME, project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const FILE = `${PROJECT}/.claude/skills/pdf/SKILL.md`;
const text = (version: string, name = 'pdf'): string =>
  skillText({ name, description: `About ${version}`, body: `The ${version} body.` });
const HALF = text('new').slice(0, 20);

/** A disk on which one file can be in the middle of a write: its time is always now. */
function changing(): { disk: Disk; write: (text: string, state: 'moving' | 'at rest') => void; remove: () => void } {
  const { disk } = project({ [FILE]: text('old') });
  let moving = false;
  const touched = (file: string, stamp: Stamp): Stamp =>
    moving && file === FILE ? { ...stamp, mtimeMs: Date.now() } : stamp;
  return {
    disk: {
      ...disk,
      look(file) {
        const look = disk.look(file);
        return look && { ...look, stamp: touched(file, look.stamp) };
      },
      read(file, maxBytes, within) {
        const read = disk.read(file, maxBytes, within);
        return { ...read, stamp: touched(file, read.stamp) };
      },
    },
    write(content, state) {
      disk.replace(FILE, content);
      moving = state === 'moving';
    },
    remove: () => disk.remove(FILE),
  };
}

async function open() {
  const file = changing();
  const workspace = await Workspace.open({ projectDir: PROJECT, userDir: HOME }, file.disk);
  return { ...file, workspace, load: (name = 'pdf') => ask(loadSkill, { name }, workspace) };
}

describe('a skill that was loaded before', () => {
  test.each([
    ['half of it was written', HALF, 'moving'],
    ['all of it seems to be there, but it still moves', text('new'), 'moving'],
    ['it was emptied', '', 'at rest'],
    ['it no longer parses', 'no frontmatter', 'at rest'],
    ['it has another name now', text('new', 'other'), 'at rest'],
  ] as const)('is served as it was while %s', async (_, content, state) => {
    const { load, write, workspace } = await open();
    const before = await load();
    write(content, state);
    expect(await load()).toEqual(before);
    expect((await ask(skillFile, { name: 'pdf', path: 'SKILL.md' }, workspace)).text).toBe(text('old'));
  });

  test('is served unchanged after its deletion, until the next scan', async () => {
    const { load, remove, workspace } = await open();
    const before = await load();
    remove();
    expect(await load()).toEqual(before);
    await workspace.reload();
    await expect(load()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is reloaded as soon as it stops changing', async () => {
    const { load, write } = await open();
    await load();
    write(HALF, 'moving');
    const loading = load();
    write(text('new'), 'at rest');
    expect((await loading).content).toBe(text('new'));
  });

  test('is dropped with a diagnostic by the scan that finds it at rest and broken, not by one that finds it moving', async () => {
    const { load, write, workspace } = await open();
    const before = await load();
    write(HALF, 'moving');
    await workspace.reload();
    expect(workspace.snapshot.discovery.unsettled).toBe(true);
    expect(workspace.snapshot.diagnostics()).toEqual([]);
    expect(await load()).toEqual(before);
    write(HALF, 'at rest');
    await workspace.reload();
    expect(workspace.snapshot.discovery.unsettled).toBe(false);
    expect(workspace.snapshot.diagnostics()).toMatchObject([{ code: 'frontmatter-unclosed', path: FILE }]);
    await expect(load()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // The old version is forgotten, too: a file that comes back is a new one.
    write(text('new'), 'at rest');
    expect((await load()).content).toBe(text('new'));
  });
});

describe('a skill that is written in pieces', () => {
  /** A disk on which the file changed a given time ago. */
  async function aged() {
    const { disk } = project({ [FILE]: LONG });
    let age = 60_000;
    let ino = 1;
    const touched = (file: string, stamp: Stamp): Stamp =>
      file === FILE ? { ...stamp, ino, mtimeMs: Date.now() - age } : stamp;
    const workspace = await Workspace.open(
      { projectDir: PROJECT, userDir: HOME },
      {
        ...disk,
        look(file) {
          const look = disk.look(file);
          return look && { ...look, stamp: touched(file, look.stamp) };
        },
        read(file, maxBytes, within) {
          const read = disk.read(file, maxBytes, within);
          return { ...read, stamp: touched(file, read.stamp) };
        },
      },
    );
    const load = async (): Promise<string> => (await ask(loadSkill, { name: 'pdf' }, workspace)).content;
    expect(await load()).toBe(LONG);
    return {
      load,
      write: (content: string, ageMs: number, how: 'in place' | 'renamed over' = 'in place') => {
        disk.replace(FILE, content);
        age = ageMs;
        if (how === 'renamed over') ino += 1;
      },
    };
  }
  const body = (word: string): string => Array.from({ length: 20 }, (_, at) => `${word} ${at}.`).join('\n');
  const LONG = skillText({ name: 'pdf', description: 'About it', body: `${body('old')}\nThe end.` });
  const NEXT = skillText({ name: 'pdf', description: 'About it', body: `${body('new')}\nThe very end.` });
  /** Longer than a file usually has to stand still. */
  const RECENT = LIMITS.skillSettle.value + 50;

  test.each([
    ['is cut off after a part', LONG.slice(0, 120)],
    ['is a part of another text', NEXT.slice(0, 150)],
    ['is another text', NEXT],
    ['has more at its end', `${LONG}More.\n`],
  ])('has to stand still for longer if it %s', async (_, content) => {
    const { load, write } = await aged();
    write(content, RECENT);
    expect(await load()).toBe(LONG);
    write(content, LIMITS.skillSettleSlow.value + 1);
    expect(await load()).toBe(content);
  });

  test('is served soon if it was renamed over the old one', async () => {
    const { load, write } = await aged();
    write(NEXT, RECENT, 'renamed over');
    expect(await load()).toBe(NEXT);
  });

  test('is served soon if only its middle changed', async () => {
    const { load, write } = await aged();
    const content = LONG.replace('old 7.', 'something else.');
    write(content, RECENT);
    expect(await load()).toBe(content);
  });
});

describe('a skill without an earlier version', () => {
  test('fails with SKILL_CHANGING while half of it was written', async () => {
    const { load, write, workspace } = await open();
    write(HALF, 'moving');
    await expect(load()).rejects.toMatchObject({ code: 'SKILL_CHANGING', path: FILE });
    const { skills } = await ask(agentList, { includeBody: true }, workspace);
    expect(skills).toMatchObject([{ name: 'pdf', meta: { description: 'About old' } }]);
    expect(skills[0]).not.toHaveProperty('body');
  });

  test('is served as soon as it parses, even if it still moves', async () => {
    const { load, write } = await open();
    write(text('new'), 'moving');
    expect((await load()).content).toBe(text('new'));
  });

  test('that was renamed gets its new name from the next scan', async () => {
    const { load, write } = await open();
    write(text('new', 'other'), 'at rest');
    expect(await load()).toMatchObject({ name: 'other', content: text('new', 'other') });
  });

  test('that was emptied or removed is not found', async () => {
    const { load, write, remove } = await open();
    write('', 'at rest');
    await expect(load()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    remove();
    await expect(load()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('name, description and body of one entry come from one read', async () => {
  const { load, write, workspace } = await open();
  await load();
  workspace.isCurrent = () => Promise.resolve(true);
  write(text('new'), 'at rest');
  const { skills } = await ask(agentList, { includeBody: true }, workspace);
  expect(skills).toMatchObject([
    { meta: { description: 'About new' }, body: expect.stringContaining('The new body.') },
  ]);
  write(text('newest').replace('\n---', '\ndisable-model-invocation: true\n---'), 'at rest');
  await expect(load()).rejects.toMatchObject({ code: 'REFUSED' });
});

test('kept versions are bounded; the one not used for longest goes first', async () => {
  const files = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`${PROJECT}/.claude/skills/${name}/SKILL.md`, text('old', name)]),
  );
  const workspace = await project(files).open();
  const { skills } = workspace.snapshot.all;
  let gone = false;
  const tree: Disk = {
    ...workspace.diskFor('user'),
    read(file, maxBytes) {
      if (gone) throw new FileTrouble('missing', file);
      return workspace.disk.read(file, maxBytes);
    },
  };
  const wholeSkills = new WholeSkills(tree, 2 * Buffer.byteLength(text('old', 'a')));
  const read = (name: string) => {
    const skill = skills.find((each) => each.name === name);
    if (!skill) throw new Error(`no skill ${name}`);
    return new DiskContent(tree, skill, new Digests(tree), wholeSkills).whole();
  };
  for (const name of ['a', 'b', 'a', 'c']) await read(name);
  gone = true;
  expect((await read('a')).text).toBe(text('old', 'a'));
  expect((await read('c')).text).toBe(text('old', 'c'));
  await expect(read('b')).rejects.toMatchObject({ code: 'SKILL_CHANGING' });
});
