/** Looking up one name in the list that an earlier scan has kept: the result is that of a scan. */
import fs from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';
import { showSkill } from '../../src/operations/show-skill.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { fc, times } from '../support/effort.ts';
import { lectern } from '../support/run-lectern.ts';
import { project, type Project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import type { TempFolder } from '../support/temp-folder.ts';

type OnDisk = Project & TempFolder;

/** Lists of fewer skills are not kept. */
const MANY = 300;

const skill = (name: string, description = `Use it for ${name}.`): string => skillText({ name, description });
const fileOf = (name: string, root = 'project/.claude/skills'): string => `${root}/${name}/SKILL.md`;

function manySkills(more: Record<string, string> = {}): OnDisk {
  const names = Array.from({ length: MANY }, (_, index) => `skill-${index}`);
  const folder = project({ ...Object.fromEntries(names.map((name) => [fileOf(name), skill(name)])), ...more }, 'disk');
  return folder;
}

function optionsOf(folder: OnDisk) {
  return { projectDir: folder.at('project'), userDir: folder.at('home'), collections: true, oneShot: true };
}

async function shown(workspace: Workspace, name: string): Promise<unknown> {
  return ask(showSkill, { name, full: true }, workspace).catch((error: unknown) => String(error));
}

const scanned = async (folder: OnDisk, name: string): Promise<unknown> =>
  shown(await Workspace.open(optionsOf(folder)), name);
const lookedUp = async (folder: OnDisk, name: string): Promise<unknown> =>
  shown(await Workspace.openFor(name, optionsOf(folder)), name);
const isKept = async (folder: OnDisk, name: string): Promise<boolean> =>
  (await Workspace.openNamed(name, optionsOf(folder))) !== undefined;

/** A file that changed just before a scan could change again with the same stamp, so the scan does not keep its list. */
async function keep(folder: OnDisk, name = 'skill-7'): Promise<void> {
  while (!(await isKept(folder, name))) {
    await lookedUp(folder, name);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const foundFolder = (folder: OnDisk): string => folder.at('home/.cache/lectern/found');

const RIVALS = {
  [fileOf('pdf')]: skill('pdf'),
  [fileOf('pdf', 'home/.claude/skills')]: skill('pdf', 'Another one.'),
  [fileOf('pdf', 'home/.codex/skills')]: skill('pdf'),
  [fileOf('Folder', 'home/.agents/skills')]: skill('Other-Name'),
  [fileOf('twin', 'project/.agents/skills')]: skill('twin'),
  [fileOf('twin', 'project/.codex/skills')]: skill('twin'),
  'project/.claude/skills/off/.SKILL.md': skill('off'),
  [fileOf('plain')]: '---\nname: plain\ndescription: >\n  Folded\n  text.\nlicense: MIT\n---\n\nBody.\n',
};

test('every spelling of a name has the result of a scan', async () => {
  using folder = manySkills(RIVALS);
  await keep(folder);
  const spellings = ['pdf', 'PDF', '/pdf', ' pdf ', 'claude:pdf', 'codex:pdf', 'folder', 'Other Name', 'other-name'];
  for (const name of [...spellings, 'twin', 'codex:twin', 'off', 'plain', 'skill-299']) {
    expect([name, await isKept(folder, name)]).toEqual([name, true]);
    expect(await lookedUp(folder, name)).toEqual(await scanned(folder, name));
  }
  for (const name of ['pd', 'no-such', '', '../pdf', './.claude/skills/pdf']) {
    expect([name, await isKept(folder, name)]).toEqual([name, false]);
    expect(await lookedUp(folder, name)).toEqual(await scanned(folder, name));
  }
});

test('only the files of skills with the name are opened', async () => {
  using folder = manySkills(RIVALS);
  await keep(folder);
  const read: string[] = [];
  const noting = <T>(use: (file: string, ...rest: never[]) => T) =>
    ((file: string, ...rest: never[]) => (read.push(file), use(file, ...rest))) as never;
  const disk = {
    ...nodeDisk,
    read: noting(nodeDisk.read),
    readStart: noting(nodeDisk.readStart),
    list: noting(nodeDisk.list),
  };
  expect(await Workspace.openNamed('skill-7', optionsOf(folder), disk)).toBeDefined();
  expect(read.filter((file) => path.basename(file) === 'SKILL.md')).toEqual([folder.at(fileOf('skill-7'))]);
});

describe('a list is not used', () => {
  test.each<[string, (folder: OnDisk) => void]>([
    ['that is damaged', (folder) => eachList(folder, (file) => fs.writeFileSync(file, 'x', { flag: 'r+' }))],
    ['that is cut', (folder) => eachList(folder, (file) => fs.truncateSync(file, 500))],
    ['that is missing', (folder) => fs.rmSync(foundFolder(folder), { recursive: true })],
    ['in a folder that others can change', (folder) => fs.chmodSync(foundFolder(folder), 0o777)],
    [
      'in a folder of another user',
      (folder) =>
        process.getuid?.() === 0
          ? fs.chownSync(foundFolder(folder), 12_345, 12_345)
          : fs.chmodSync(foundFolder(folder), 0o777),
    ],
  ])('%s', async (_, change) => {
    using folder = manySkills(RIVALS);
    await keep(folder);
    change(folder);
    expect(await isKept(folder, 'pdf')).toBe(false);
    expect(await lookedUp(folder, 'pdf')).toEqual(await scanned(folder, 'pdf'));
  });

  test('if the settings are different', async () => {
    using folder = manySkills(RIVALS);
    await keep(folder);
    expect(await Workspace.openNamed('pdf', { ...optionsOf(folder), exclude: ['pdf'] })).toBeUndefined();
  });
});

function eachList(folder: OnDisk, change: (file: string) => void): void {
  for (const name of fs.readdirSync(foundFolder(folder))) change(path.join(foundFolder(folder), name));
}

test('a small project keeps no list', async () => {
  using folder = project(RIVALS, 'disk');
  await lookedUp(folder, 'pdf');
  expect(fs.existsSync(foundFolder(folder)) ? fs.readdirSync(foundFolder(folder)) : []).toEqual([]);
});

const OTHER_TEXT = skill('pdf').replace(/.\n*$/u, '?\n');

/** Every edit that an editor, an installer or git makes. Those with `times` also restore the time of the last change. */
const EDITS: Record<string, (folder: OnDisk) => void> = {
  'other text of the same size and time': (folder) =>
    keepingTime(folder.at(fileOf('pdf')), (file) => fs.writeFileSync(file, OTHER_TEXT)),
  'a renamed file of the same size and time': (folder) =>
    keepingTime(folder.at(fileOf('pdf')), (file) => {
      fs.writeFileSync(`${file}.new`, OTHER_TEXT);
      fs.renameSync(`${file}.new`, file);
    }),
  'another skill takes the name': (folder) => fs.writeFileSync(folder.at(fileOf('skill-3')), skill('pdf', 'New.')),
  'the skill is removed': (folder) =>
    fs.rmSync(folder.at('project/.claude/skills/pdf'), { recursive: true, force: true }),
  'the skill is disabled': (folder) => {
    const file = folder.at(fileOf('pdf'));
    if (fs.existsSync(file)) fs.renameSync(file, path.join(path.dirname(file), '.SKILL.md'));
  },
  'a skill is added in the home': (folder) => folder.write({ [fileOf('pdf', 'home/.agents/skills')]: skill('pdf') }),
  'a new root appears': (folder) => folder.write({ [fileOf('pdf', 'project/.gemini/skills')]: skill('pdf', 'Third.') }),
  'the settings change': (folder) => folder.write({ 'project/lectern.json': '{"exclude":["pdf"]}' }),
  'git ignores the skills': (folder) => folder.write({ 'project/.gitignore': 'pdf\n' }),
  'a folder becomes a link': (folder) => {
    const dir = folder.at('project/.claude/skills/skill-5');
    if (!fs.existsSync(dir)) return;
    fs.rmSync(dir, { recursive: true });
    fs.symlinkSync(folder.at('home/.claude/skills/pdf'), dir);
  },
  'the header is broken': (folder) => {
    if (fs.existsSync(folder.at(fileOf('pdf')))) fs.writeFileSync(folder.at(fileOf('pdf')), '---\nname: [\n---\n');
  },
};

function keepingTime(file: string, change: (file: string) => void): void {
  if (!fs.existsSync(file)) return;
  const { atime, mtime } = fs.statSync(file);
  change(file);
  fs.utimesSync(file, atime, mtime);
}

test('after any edits, a name has the result of a scan', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(EDITS)), { minLength: 1, maxLength: 4 }),
      async (edits) => {
        using folder = manySkills({ ...RIVALS, 'project/.git/HEAD': 'ref: refs/heads/main\n' });
        for (const edit of edits) {
          await keep(folder);
          EDITS[edit]?.(folder);
          for (const name of ['pdf', 'skill-3'])
            expect(await lookedUp(folder, name)).toEqual(await scanned(folder, name));
        }
      },
    ),
    { numRuns: times(12) },
  );
}, 600_000);

test('ten processes at once show the same skill', async () => {
  using folder = manySkills(RIVALS);
  const run = () => lectern(folder, ['show', 'claude:pdf', '--json']);
  const first = await Promise.all(Array.from({ length: 10 }, run));
  fs.writeFileSync(folder.at(fileOf('pdf')), OTHER_TEXT);
  const second = await Promise.all(Array.from({ length: 10 }, run));
  expect(new Set(first.map(({ code }) => code))).toEqual(new Set([0]));
  expect(new Set(first.map(({ stdout }) => stdout)).size).toBe(1);
  expect(new Set(second.map(({ stdout }) => stdout)).size).toBe(1);
  expect(second[0]?.stdout).not.toBe(first[0]?.stdout);
});
