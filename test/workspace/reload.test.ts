import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/core/disk/writes.ts';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { FileTrouble } from '../../src/core/disk/tree.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { HOME, project, PROJECT } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import type { TempFolder } from '../support/temp-folder.ts';

const OLD = new Date(1_700_000_000_000);
const skillFile = (name: string): string => `project/.claude/skills/${name}/SKILL.md`;

/** Files whose times lie well in the past, so that nothing about them is in doubt. */
function settled(folder: TempFolder): void {
  for (const entry of fs.readdirSync(folder.dir, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) fs.utimesSync(path.join(entry.parentPath, entry.name), OLD, OLD);
  }
  const until = Date.now() + 150;
  while (Date.now() < until);
}

const namesIn = (workspace: Workspace): string[] => workspace.snapshot.all.skills.map(({ name }) => name);

describe('rescanning', () => {
  test('a file that did not change is not reread', async () => {
    using folder = project(
      {
        [skillFile('a')]: skillText({ name: 'a' }),
        [skillFile('b')]: skillText({ name: 'b' }),
        [skillFile('broken')]: 'no frontmatter',
      },
      'disk',
    );
    settled(folder);
    const workspace = await folder.open();
    expect(workspace.snapshot.discovery.filesRead).toBe(3);
    const before = workspace.snapshot.diagnostics();
    await workspace.reload();
    expect(workspace.snapshot.discovery.filesRead).toBe(0);
    expect(namesIn(workspace)).toEqual(['a', 'b']);
    expect(workspace.snapshot.diagnostics()).toEqual(before);
  });

  test('only changed files are reread; new skills appear and deleted ones disappear', async () => {
    using folder = project(
      {
        [skillFile('a')]: skillText({ name: 'a' }),
        [skillFile('b')]: skillText({ name: 'b' }),
        [skillFile('c')]: skillText({ name: 'c' }),
      },
      'disk',
    );
    settled(folder);
    const workspace = await folder.open();
    folder.write({ [skillFile('a')]: skillText({ name: 'renamed' }), [skillFile('d')]: skillText({ name: 'd' }) });
    fs.rmSync(folder.at('project/.claude/skills/c'), { recursive: true });
    await workspace.reload();
    expect(namesIn(workspace)).toEqual(['renamed', 'b', 'd']);
    expect(workspace.snapshot.discovery.filesRead).toBe(2);
  });

  test('an edit that keeps size and mtime is seen, because ctime differs', async () => {
    using folder = project({ [skillFile('a')]: skillText({ name: 'aaa' }) }, 'disk');
    settled(folder);
    const workspace = await folder.open();
    folder.write({ [skillFile('a')]: skillText({ name: 'aaa' }).replaceAll('aaa', 'bbb') });
    fs.utimesSync(folder.at(skillFile('a')), OLD, OLD);
    await workspace.reload();
    expect(namesIn(workspace)).toEqual(['bbb']);
  });

  test('a file written a moment ago is reread, because a later write may have the same stamp', async () => {
    using folder = project({ [skillFile('a')]: skillText({ name: 'a' }) }, 'disk');
    const workspace = await folder.open();
    await workspace.reload();
    expect(workspace.snapshot.discovery.filesRead).toBe(1);
  });

  test('a file replaced by a rename is seen', async () => {
    using folder = project(
      {
        [skillFile('a')]: skillText({ name: 'aaa' }),
        other: skillText({ name: 'aaa' }).replaceAll('aaa', 'ccc'),
      },
      'disk',
    );
    settled(folder);
    const workspace = await folder.open();
    fs.renameSync(folder.at('other'), folder.at(skillFile('a')));
    await workspace.reload();
    expect(namesIn(workspace)).toEqual(['ccc']);
  });

  test('a snapshot in hand never changes', async () => {
    using folder = project({ [skillFile('a')]: skillText({ name: 'a' }) }, 'disk');
    const workspace = await folder.open();
    const { snapshot } = workspace;
    folder.write({ [skillFile('b')]: skillText({ name: 'b' }) });
    await workspace.reload();
    expect(snapshot.all.skills.map(({ name }) => name)).toEqual(['a']);
    expect(workspace.snapshot).not.toBe(snapshot);
  });

  test('a configuration that breaks is reported, and the scan still finds the skills', async () => {
    using folder = project({ [skillFile('a')]: skillText({ name: 'a' }) }, 'disk');
    const workspace = await folder.open();
    folder.write({ 'project/.lectern/config.json': '{' });
    await workspace.reload();
    expect(workspace.snapshot.configDiagnostics).toMatchObject([{ code: 'config-invalid' }]);
    expect(namesIn(workspace)).toEqual(['a']);
    fs.rmSync(folder.at('project/.lectern'), { recursive: true });
    await workspace.reload();
    expect(workspace.snapshot.configDiagnostics).toEqual([]);
  });

  test('the root may vanish and come back', async () => {
    using folder = project({ [skillFile('a')]: skillText({ name: 'a' }) }, 'disk');
    const workspace = await folder.open();
    fs.renameSync(folder.at('project'), folder.at('away'));
    await workspace.reload();
    expect(namesIn(workspace)).toEqual([]);
    fs.renameSync(folder.at('away'), folder.at('project'));
    await workspace.reload();
    expect(namesIn(workspace)).toEqual(['a']);
  });
});

describe('concurrent scans', () => {
  /** Counts how many scans are under way by watching each one list the root and then its last folder. */
  function watched(tree: Disk, seen: string[]): Disk {
    return {
      ...tree,
      list(dir) {
        seen.push(dir);
        return tree.list(dir);
      },
    };
  }

  test('scans never overlap, and a call made during one gets a snapshot that started later', async () => {
    const seen: string[] = [];
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `${PROJECT}/.claude/skills/g/s${index}/SKILL.md`,
        skillText({ name: `s${index}` }),
      ]),
    );
    const workspace = await Workspace.open({ projectDir: PROJECT, userDir: HOME }, watched(memoryDisk(files), seen));
    const once = seen.length;
    seen.length = 0;
    const first = workspace.reload();
    const others = [workspace.reload(), workspace.reload(), workspace.reload()];
    const [one, ...rest] = await Promise.all([first, ...others]);
    expect(seen.length).toBe(2 * once);
    expect(new Set(rest).size).toBe(1);
    expect(rest[0]).not.toBe(one);
    expect(workspace.snapshot).toBe(rest[0]);
    // The second scan lists what the first did, in the same order and after it.
    expect(seen.slice(0, once)).toEqual(seen.slice(once));
  });

  test('a write that is done before the call is always seen', async () => {
    using folder = project({ [skillFile('a')]: skillText({ name: 'a' }) }, 'disk');
    const workspace = await folder.open();
    const running = workspace.reload();
    folder.write({ [skillFile('b')]: skillText({ name: 'b' }) });
    await workspace.reload();
    expect(namesIn(workspace)).toEqual(['a', 'b']);
    await running;
  });
});

describe('trouble of the machine', () => {
  const FILE = `${PROJECT}/.claude/skills/a/SKILL.md`;
  const failing = (reason: 'no-handles' | 'failing') => {
    const disk = memoryDisk({ [FILE]: skillText({ name: 'a' }) });
    const state = { dir: '' };
    const list: Disk['list'] = (dir) => {
      if (dir === state.dir) throw new FileTrouble(reason, dir);
      return disk.list(dir);
    };
    return { disk: { ...disk, list }, state };
  };

  test.each(['no-handles', 'failing'] as const)('keeps the last snapshot and says so: %s', async (reason) => {
    const { disk, state } = failing(reason);
    const workspace = await Workspace.open({ projectDir: PROJECT, userDir: HOME }, disk);
    const { snapshot } = workspace;
    const failures: unknown[] = [];
    workspace.observe({ failed: (error) => failures.push(error) });
    state.dir = `${PROJECT}/.claude/skills`;
    expect(await workspace.fresh()).toBe(snapshot);
    await expect(workspace.reload()).rejects.toMatchObject({ code: 'UNREADABLE', path: state.dir });
    expect(failures).toMatchObject([{ code: 'UNREADABLE' }, { code: 'UNREADABLE' }]);
    expect(namesIn(workspace)).toEqual(['a']);
    state.dir = '';
    expect(await workspace.fresh()).not.toBe(snapshot);
  });

  test('that was there from the start is a diagnostic, and new skills are still found', async () => {
    const { disk, state } = failing('failing');
    state.dir = `${PROJECT}/.codex/skills`;
    disk.create(`${state.dir}/lost/SKILL.md`, skillText({ name: 'lost' }));
    const workspace = await Workspace.open({ projectDir: PROJECT, userDir: HOME }, disk);
    expect(workspace.snapshot.diagnostics()).toMatchObject([
      { code: 'file-unreadable', message: 'the disk reports an error' },
    ]);
    disk.create(`${PROJECT}/.claude/skills/b/SKILL.md`, skillText({ name: 'b' }));
    await workspace.reload();
    expect(namesIn(workspace)).toEqual(['a', 'b']);
  });
});
