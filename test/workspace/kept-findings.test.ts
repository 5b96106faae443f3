import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { fc, times } from '../support/effort.ts';
import { HOME, PROJECT, project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const skillFile = (name: string): string => `project/.claude/skills/${name}/SKILL.md`;
const report = async (workspace: Workspace) => ask(validateSkills, { all: true }, workspace);

/** The same disk under another identity, so that nothing about it is cached. */
const cold = (disk: Disk): Disk => ({ ...disk });

/** The disk, and the files that are read from the start to the end. */
function counting(disk: Disk): { disk: Disk; read: string[] } {
  const read: string[] = [];
  return {
    read,
    disk: {
      ...disk,
      read(file, ...rest) {
        if (path.basename(file) === 'SKILL.md') read.push(path.basename(path.dirname(file)));
        return disk.read(file, ...rest);
      },
    },
  };
}

/** Waits until a file that is written now gets other times than the existing ones. */
function settle(): void {
  const until = Date.now() + 150;
  while (Date.now() < until);
}

describe('the findings of a skill', () => {
  test('are computed again only if a file of the skill changed', async () => {
    const files = memoryDisk(
      Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [`${PROJECT}/.claude/skills/${name}/SKILL.md`, skillText({ name })]),
      ),
    );
    const { disk, read } = counting(files);
    const workspace = await Workspace.open({ projectDir: PROJECT, userDir: HOME }, disk);
    const first = await report(workspace);
    expect(new Set(read)).toEqual(new Set(['a', 'b', 'c']));
    read.length = 0;
    expect(await report(workspace)).toEqual(first);
    expect(read).toEqual([]);
    files.replace(`${PROJECT}/.claude/skills/b/SKILL.md`, skillText({ name: 'other' }));
    await workspace.reload();
    read.length = 0;
    const next = await report(workspace);
    expect(new Set(read)).toEqual(new Set(['b']));
    expect(next.errors.length + next.warnings.length).toBeGreaterThan(first.errors.length + first.warnings.length);
  });

  test('are computed again after an edit that leaves the size and the time of the change', async () => {
    using folder = project({ [skillFile('one')]: skillText({ name: 'one' }) }, 'disk');
    settle();
    const workspace = await folder.open();
    expect((await report(workspace)).errors).toEqual([]);
    const file = folder.at(skillFile('one'));
    const { atime, mtime, size } = fs.statSync(file);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('name: one', 'name: two'));
    fs.utimesSync(file, atime, mtime);
    expect(fs.statSync(file).size).toBe(size);
    // Not rescanned: the findings follow the file, not the last scan.
    const codes = (await report(workspace)).errors.map(({ code }) => code);
    expect(codes).toContain('name-folder');
  });

  test('follow links and folders that appear below the skill, and links that lead elsewhere', async () => {
    using folder = project(
      { [skillFile('one')]: skillText({ name: 'one' }), 'project/.claude/skills/one/docs/deep/a.md': 'Text.\n' },
      'disk',
    );
    settle();
    const workspace = await folder.open();
    const codes = async (): Promise<string[]> => (await report(workspace)).warnings.map(({ code }) => code);
    const before = await codes();
    const link = folder.at('project/.claude/skills/one/docs/deep/link.md');
    fs.symlinkSync('missing.md', link);
    settle();
    expect(await codes()).toEqual([...before, 'link-dangling']);
    fs.writeFileSync(folder.at('project/.claude/skills/one/docs/deep/missing.md'), 'Here.\n');
    settle();
    expect(await codes()).toEqual(before);
    fs.rmSync(link);
    fs.symlinkSync(folder.at('project'), link);
    expect(await codes()).toEqual([...before, 'symlink-outside']);
  });

  test('are those of a first validation after every series of edits', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const text = fc.oneof(
      name.map((each) => skillText({ name: each })),
      fc.constantFrom('No header.\n', '---\nname: a\n---\n', '---\nname: [a\n---\n', ''),
    );
    const edit = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), name, text }),
      fc.record({ kind: fc.constant('remove' as const), name }),
      fc.record({ kind: fc.constant('add' as const), name }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), async (edits) => {
        const disk = memoryDisk({ [`${PROJECT}/.claude/skills/a/SKILL.md`]: skillText({ name: 'a' }) });
        const options = { projectDir: PROJECT, userDir: HOME };
        const workspace = await Workspace.open(options, disk);
        for (const each of edits) {
          const dir = `${PROJECT}/.claude/skills/${each.name}`;
          if (each.kind === 'write') disk.replace(`${dir}/SKILL.md`, each.text);
          else if (each.kind === 'add') disk.replace(`${dir}/docs/more.md`, 'Text.\n');
          else disk.remove(`${dir}/SKILL.md`);
          await workspace.reload();
          const fresh = await Workspace.open(options, cold(disk));
          expect(await report(workspace)).toEqual(await report(fresh));
        }
      }),
      { numRuns: times(25) },
    );
  });

  test('are cached for the disk of this machine', async () => {
    using folder = project({ [skillFile('one')]: skillText({ name: 'one' }) }, 'disk');
    settle();
    const { disk, read } = counting(nodeDisk);
    const options = { projectDir: folder.at('project'), userDir: folder.at('home') };
    await report(await Workspace.open(options, disk));
    read.length = 0;
    await report(await Workspace.open(options, disk));
    // The second scan has only its own header to read.
    expect(read.length).toBeLessThanOrEqual(1);
  });
});
