/** Folders of skills that are mounts, as in development containers: a rename from outside cannot reach them. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { type Disk, WriteTrouble } from '../../src/core/disk/writes.ts';
import { isInside } from '../../src/core/inside.ts';
import { installSkills } from '../../src/operations/install-skills.ts';
import { removeInstalled } from '../../src/operations/remove-skills.ts';
import { updateSkills } from '../../src/operations/update-skills.ts';
import { verifySkills } from '../../src/operations/verify-skills.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { canMount, mount } from '../support/small-disk.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

const text = (name: string, body = 'Body'): string => `---\nname: ${name}\ndescription: About it\n---\n\n${body}\n`;
const SKILLS = 'project/.claude/skills';
const SOURCE = { 'source/a/SKILL.md': text('a'), 'source/a/run.sh': '#!/bin/sh\n' };

function names(folder: TempFolder, dir: string): string[] {
  return fs.existsSync(folder.at(dir)) ? fs.readdirSync(folder.at(dir)).sort() : [];
}

describe('with a disk that refuses to rename into the folder of skills', () => {
  /** As if a file system were mounted on the folder. */
  const mountedOn = (dir: string): Disk => ({
    ...nodeDisk,
    move(from, to, options = {}) {
      if (isInside(dir, from) === isInside(dir, to)) return nodeDisk.move(from, to, options);
      if (!options.copies) throw new WriteTrouble('other-disk', to);
      fs.mkdirSync(path.dirname(to), { recursive: true });
      fs.cpSync(from, to, { recursive: true });
      fs.rmSync(from, { recursive: true });
    },
  });

  test('a skill is installed, updated, replaced with a backup and removed', async () => {
    using place = project({ ...SOURCE, [`${SKILLS}/own/SKILL.md`]: text('own') }, 'disk');
    const disk = mountedOn(place.at(SKILLS));
    const open = (): Promise<Workspace> =>
      Workspace.open({ projectDir: place.at('project'), userDir: place.at('home') }, disk);
    const install = { source: '../source', to: ['claude'], yes: true };
    expect(await ask(installSkills, install, await open())).toMatchObject({ skills: [{ status: 'installed' }] });
    place.write({ 'source/a/SKILL.md': text('a', 'Newer') });
    expect(await ask(updateSkills, { allowFile: true, yes: true }, await open())).toMatchObject({
      skills: [{ status: 'updated' }],
    });
    place.write({ [`${SKILLS}/a/SKILL.md`]: text('a', 'Mine'), 'source/a/SKILL.md': text('a', 'Newest') });
    expect(await ask(updateSkills, { allowFile: true, yes: true, force: true }, await open())).toMatchObject({
      skills: [{ status: 'updated', backup: place.at('project/.lectern/backups/a-1') }],
    });
    expect(place.read('project/.lectern/backups/a-1/SKILL.md')).toBe(text('a', 'Mine'));
    expect((await ask(verifySkills, {}, await open())).skills).toMatchObject([{ problems: [] }]);
    await ask(removeInstalled, { names: ['a'], yes: true }, await open());
    expect([names(place, SKILLS), names(place, 'project/.claude')]).toEqual([['own'], ['skills']]);
  });
});

describe.skipIf(!canMount())('on a real mount (only root on Linux can make one)', () => {
  /** A memory file system, and a bind mount, which has the same device number as the folder around it. */
  const MOUNTS: Record<string, (folder: TempFolder) => boolean> = {
    tmpfs: (folder) => mount(folder.at(SKILLS), 4096),
    bind: (folder) => {
      for (const dir of ['volume', SKILLS]) fs.mkdirSync(folder.at(dir), { recursive: true });
      return spawnSync('mount', ['--bind', folder.at('volume'), folder.at(SKILLS)]).status === 0;
    },
  };

  test.each(Object.keys(MOUNTS))('%s: skills are installed, updated, replaced and removed', async (kind) => {
    using folder = tempFolder(SOURCE);
    expect(MOUNTS[kind]?.(folder)).toBe(true);
    try {
      const run = async (...args: string[]): Promise<void> => {
        const { code, stderr } = await lectern(folder, args);
        expect([args[0], code, stderr]).toEqual([args[0], 0, '']);
        expect(names(folder, SKILLS).filter((name) => name.startsWith('.'))).toEqual([]);
      };
      await run('install', '../source', '--to', 'claude', '--yes');
      folder.write({ 'source/a/SKILL.md': text('a', 'Newer') });
      await run('update', '--yes', '--allow-file');
      expect(fs.readFileSync(folder.at(SKILLS, 'a/SKILL.md'), 'utf8')).toBe(text('a', 'Newer'));
      folder.write({ [`${SKILLS}/a/SKILL.md`]: text('a', 'Mine'), 'source/a/SKILL.md': text('a', 'Newest') });
      await run('update', '--yes', '--allow-file', '--force');
      expect(fs.readFileSync(folder.at('project/.lectern/backups/a-1/SKILL.md'), 'utf8')).toBe(text('a', 'Mine'));
      await run('verify');
      await run('remove', 'a', '--yes');
      expect([names(folder, SKILLS), names(folder, 'project/.claude')]).toEqual([[], ['skills']]);
    } finally {
      spawnSync('umount', ['--lazy', folder.at(SKILLS)]);
    }
  });

  test('a skill that is a mount itself is left as it is, with the reason', async () => {
    using folder = tempFolder(SOURCE);
    await lectern(folder, ['install', '../source', '--to', 'claude', '--yes']);
    const skill = folder.at(SKILLS, 'a');
    mount(skill, 256);
    try {
      fs.cpSync(folder.at('source/a'), skill, { recursive: true });
      const { code, stderr } = await lectern(folder, ['remove', 'a', '--yes']);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/in use, or another disk is mounted|another disk/u)]);
      expect(names(folder, `${SKILLS}/a`)).toEqual(['SKILL.md', 'run.sh']);
      expect((await lectern(folder, ['verify'])).code).toBe(0);
    } finally {
      spawnSync('umount', ['--lazy', skill]);
    }
  });
});
