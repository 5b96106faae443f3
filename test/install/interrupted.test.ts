/**
 * A process that dies at any step of `install`, `update` or `remove`: the next command leaves every skill whole, in line with the
 * lock, and nothing else behind. Steps are writes of the disk, and deleting a folder dies half-way.
 */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { type Disk, WriteTrouble } from '../../src/core/disk/writes.ts';
import { Failure } from '../../src/core/failure.ts';
import { installSkills } from '../../src/operations/install-skills.ts';
import { shareSkills } from '../../src/operations/share-skills.ts';
import { removeInstalled } from '../../src/operations/remove-skills.ts';
import { updateSkills } from '../../src/operations/update-skills.ts';
import { verifySkills } from '../../src/operations/verify-skills.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { project, type Project } from '../support/project.ts';
import type { TempFolder } from '../support/temp-folder.ts';
import { beforeWrites } from '../support/watched-writes.ts';

const text = (body: string): string => `---\nname: a\ndescription: About it\n---\n\n${body}\n`;
const version = (body: string): Record<string, string> => ({
  'source/a/SKILL.md': text(body),
  'source/a/deep/one.txt': `${body} one`,
  'source/a/two.txt': `${body} two`,
});

class Crash extends Error {}

/** Stops the world before a step: that write and all later ones fail. Deleting a folder gets as far as its first file. */
function dyingBefore(step: number): { disk: Disk; steps: () => number } {
  let steps = 0;
  const disk = beforeWrites(nodeDisk, (method, place) => {
    if (steps === step && method === 'removeTree') removeFirstFile(place);
    if (steps >= step) throw new Crash('killed');
    steps += 1;
  });
  return { disk, steps: () => steps };
}

function removeFirstFile(dir: string): void {
  const files = fs.existsSync(dir) ? fs.readdirSync(dir, { recursive: true, withFileTypes: true }) : [];
  const first = files.find((entry) => entry.isFile());
  if (first) fs.rmSync(path.join(first.parentPath, first.name));
}

type Place = Project & TempFolder;

function open(place: Place, disk: Disk): Promise<Workspace> {
  return Workspace.open({ projectDir: place.at('project'), userDir: place.at('home') }, disk);
}

/** Every file below a folder with its text; undefined if there is none. */
function filesOf(dir: string): Record<string, string> | undefined {
  if (!fs.existsSync(dir)) return undefined;
  const files = fs.readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(dir, file), fs.readFileSync(file, 'utf8')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const expected = (body: string): Record<string, string> => ({
  'SKILL.md': text(body),
  'deep/one.txt': `${body} one`,
  'two.txt': `${body} two`,
});

/** The lock of a dead process may stay: the next writer takes it over. */
function leftOvers(place: Place): string[] {
  return fs
    .readdirSync(place.dir, { recursive: true })
    .map(String)
    .filter((name) => /\.lectern-|\.local\/state\/lectern\/runs\/./u.test(name) && !name.endsWith('.lock'));
}

interface Scenario {
  /** What is installed before. */
  targets: string[];
  /** Changes after the installation. */
  change?: Record<string, string>;
  run(workspace: Workspace): Promise<unknown>;
  /** The states that the skill may have afterwards: old, new or absent. */
  allowed: (string | undefined)[];
}

const INSTALL = { source: '../source', skills: ['a'], yes: true };
const REMOVE = { names: ['a'], yes: true };
const SCENARIOS: Record<string, Scenario> = {
  'a first installation': {
    targets: [],
    run: (workspace) => ask(installSkills, { ...INSTALL, to: ['claude'] }, workspace),
    allowed: [undefined, 'old'],
  },
  'an update': {
    targets: ['claude'],
    change: version('new'),
    run: (workspace) => ask(updateSkills, { yes: true, allowFile: true }, workspace),
    allowed: ['old', 'new'],
  },
  'an update of a skill with a link': {
    targets: ['agents', 'claude'],
    change: version('new'),
    run: (workspace) => ask(updateSkills, { yes: true, allowFile: true }, workspace),
    allowed: ['old', 'new'],
  },
  'a removal': {
    targets: ['claude'],
    run: (workspace) => ask(removeInstalled, REMOVE, workspace),
    allowed: ['old', undefined],
  },
  'a removal with a link': {
    targets: ['agents', 'claude'],
    run: (workspace) => ask(removeInstalled, REMOVE, workspace),
    allowed: ['old', undefined],
  },
};

async function setUp({ targets, change = {} }: Scenario): Promise<Place> {
  const place = project(version('old'), 'disk');
  place.write({ 'source/b/SKILL.md': text('b').replace('name: a', 'name: b') });
  if (targets.length > 0) await ask(installSkills, { ...INSTALL, to: targets }, await open(place, nodeDisk));
  place.write(change);
  return place;
}

test.each(Object.entries(SCENARIOS))('%s that dies at any step leaves a whole skill or none', async (_, scenario) => {
  for (let step = 0; ; step++) {
    using place = await setUp(scenario);
    const { disk, steps } = dyingBefore(step);
    const error: unknown = await scenario.run(await open(place, disk)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) expect(error).toBeInstanceOf(Crash);
    // A command that finds nothing to do cleans up as well.
    const nothing = ask(removeInstalled, { names: ['nothing'], yes: true }, await open(place, nodeDisk));
    await expect(nothing).rejects.toBeInstanceOf(Failure);
    expect(leftOvers(place), `died before step ${step}`).toEqual([]);
    const found = filesOf(place.at('project/.claude/skills/a'));
    const allowed = scenario.allowed.map((body) => (body === undefined ? undefined : expected(body)));
    expect(allowed, `died before step ${step}`).toContainEqual(found);
    // The lock lists the skill if it is there. Only files that are newer than the lock may differ.
    const lock = place.exists('project/lectern.lock.json')
      ? JSON.parse(place.read('project/lectern.lock.json'))
      : { skills: {} };
    if (scenario.targets.length > 0) expect(Object.hasOwn(lock.skills, 'a')).toBe(found !== undefined);
    await scenario.run(await open(place, nodeDisk)).catch((reason: unknown) => {
      // It was removed before.
      if (!(reason instanceof Failure && reason.code === 'NOT_FOUND')) throw reason;
    });
    const { skills } = await ask(verifySkills, { frozen: true }, await open(place, nodeDisk)).catch(() => ({
      skills: [],
    }));
    expect(skills.flatMap(({ problems }) => problems)).toEqual([]);
    const end = scenario.allowed.at(-1);
    expect(filesOf(place.at('project/.claude/skills/a'))).toEqual(end === undefined ? undefined : expected(end));
    expect(leftOvers(place)).toEqual([]);
    if (error === undefined) {
      expect(steps()).toBeGreaterThan(5);
      break;
    }
  }
});

test('a replacement with a backup that dies at any step loses neither version', async () => {
  for (let step = 0; ; step++) {
    using place = await setUp({ targets: ['claude'], run: () => Promise.resolve(), allowed: [] });
    place.write({ 'project/.claude/skills/a/two.txt': 'mine', ...version('new') });
    const { disk } = dyingBefore(step);
    const run = (on: Disk): Promise<unknown> =>
      open(place, on).then((workspace) => ask(updateSkills, { yes: true, force: true, allowFile: true }, workspace));
    const error: unknown = await run(disk).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) expect(error).toBeInstanceOf(Crash);
    const nothing = ask(removeInstalled, { names: ['nothing'], yes: true }, await open(place, nodeDisk));
    await expect(nothing).rejects.toBeInstanceOf(Failure);
    const mine = { ...expected('old'), 'two.txt': 'mine' };
    const found = filesOf(place.at('project/.claude/skills/a'));
    const backup = filesOf(place.at('project/.lectern/backups/a-1'));
    expect([
      [mine, undefined],
      [expected('new'), mine],
    ]).toContainEqual([found, backup]);
    expect(leftOvers(place), `died before step ${step}`).toEqual([]);
    if (error === undefined) break;
  }
});

const SHARE = { skills: ['a'], to: ['codex', 'gemini:user'], yes: true };
const SHARES: Record<string, { before: object[]; run: object }> = {
  'a share with links': { before: [], run: SHARE },
  'a share with copies': { before: [], run: { ...SHARE, copy: true } },
  'the end of a share with links': { before: [SHARE], run: { ...SHARE, to: undefined, undo: true } },
  'the end of a share with copies': {
    before: [{ ...SHARE, copy: true }],
    run: { ...SHARE, to: undefined, undo: true },
  },
};

/** Every file and link below the project and the home, without the records. */
function treeOf(place: Place): Record<string, string> {
  const all = ['project', 'home'].flatMap((dir) =>
    fs.readdirSync(place.at(dir), { recursive: true }).map((name) => path.join(dir, String(name))),
  );
  return Object.fromEntries(
    all
      .filter((name) => !name.startsWith('home/.local'))
      .map((name): [string, string] => {
        const stats = fs.lstatSync(place.at(name));
        if (stats.isSymbolicLink()) return [name, `-> ${fs.readlinkSync(place.at(name))}`];
        return [name, stats.isDirectory() ? 'folder' : fs.readFileSync(place.at(name), 'utf8')];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The trees of the project and of the home, which have a lock each. */
function halves(tree: Record<string, string>): Record<string, string>[] {
  return ['project', 'home'].map((dir) =>
    Object.fromEntries(Object.entries(tree).filter(([name]) => name.startsWith(`${dir}/`))),
  );
}

test.each(Object.entries(SHARES))('%s that dies at any step is done or undone in each lock', async (_, given) => {
  const setUpShare = async (): Promise<Place> => {
    const place = project(
      { 'project/.claude/skills/a/SKILL.md': text('a'), 'project/.claude/skills/a/deep/one.txt': 'one' },
      'disk',
    );
    for (const input of given.before) await ask(shareSkills, input as never, await open(place, nodeDisk));
    return place;
  };
  using whole = await setUpShare();
  const old = halves(treeOf(whole));
  await ask(shareSkills, given.run as never, await open(whole, nodeDisk));
  const now = halves(treeOf(whole));
  for (let step = 0; ; step++) {
    using place = await setUpShare();
    const { disk, steps } = dyingBefore(step);
    const error: unknown = await ask(shareSkills, given.run as never, await open(place, disk)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) expect(error).toBeInstanceOf(Crash);
    // A command that finds nothing to do cleans up as well.
    const nothing = ask(shareSkills, { skills: ['nothing'], undo: true }, await open(place, nodeDisk));
    await expect(nothing).rejects.toBeInstanceOf(Failure);
    expect(leftOvers(place), `died before step ${step}`).toEqual([]);
    const found = halves(treeOf(place)).map(withoutEmptyFolders);
    for (const [index, tree] of found.entries())
      expect([old[index], now[index]].map(withoutEmptyFolders), `died before step ${step}`).toContainEqual(tree);
    if (error === undefined) {
      expect(steps()).toBeGreaterThan(5);
      break;
    }
  }
});

/** A process that dies while it removes the folders that are empty now may leave some of them. */
function withoutEmptyFolders(tree: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([, content]) => content !== 'folder'));
}

test('a lock that cannot be written puts removed skills back', async () => {
  using place = await setUp(SCENARIOS['a removal with a link'] as Scenario);
  const full = beforeWrites(nodeDisk, (method, file) => {
    if (method === 'replace' && file.endsWith('lectern.lock.json')) throw new WriteTrouble('full', file);
  });
  await expect(ask(removeInstalled, REMOVE, await open(place, full))).rejects.toMatchObject({ code: 'UNWRITABLE' });
  expect(filesOf(place.at('project/.claude/skills/a'))).toEqual(expected('old'));
  expect((await ask(verifySkills, {}, await open(place, nodeDisk))).skills).toMatchObject([{ problems: [] }]);
  expect(leftOvers(place)).toEqual([]);
});
