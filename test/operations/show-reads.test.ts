import { expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { showSkill } from '../../src/operations/show-skill.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { HOME, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { ask } from '../support/ask.ts';

test('showing one skill among many reads the whole file of that one and of no other', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `skill-${index}`);
  const tree = memoryDisk(
    Object.fromEntries(names.map((name) => [`${PROJECT}/.agents/skills/${name}/SKILL.md`, skillText({ name })])),
  );
  const read: string[] = [];
  const watched = {
    ...tree,
    read: (path: string, maxBytes: number) => {
      read.push(path);
      return tree.read(path, maxBytes);
    },
  };
  const workspace = await Workspace.open({ projectDir: PROJECT, userDir: HOME }, watched);
  expect(read).toEqual([]);
  await ask(showSkill, { name: 'skill-7', full: true }, workspace);
  expect([...new Set(read)]).toEqual([`${PROJECT}/.agents/skills/skill-7/SKILL.md`]);
});
