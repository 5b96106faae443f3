/**
 * A real clone with forged left-overs of every kind that a later run might act on: stages, backups, notes, journals, locks and
 * temporary files. Commands that write may change only their own files, and nothing in `.git`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { recordName } from '../../src/core/disk/records.ts';
import { lectern, type Run } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { CAP, requirement } from '../support/spec-text.ts';
import { tempFolder, type TempFile, type TempFolder } from '../support/temp-folder.ts';

const HOOK = '#!/bin/sh\ntouch "$(git rev-parse --show-toplevel)/executed"\n';
const HOOKS = ['pre-commit', 'commit-msg', 'post-commit', 'post-checkout', 'post-index-change'];
/** The parent of the test process runs, and so does the first process of the machine. */
const LIVE_LOCKS = ['1\n', `${process.ppid}\n`];

/** Stages as earlier versions named them, with a note beside each old version, and as they are named now. */
function stages(parent: string): Record<string, TempFile> {
  const forged = HOOKS.flatMap((hook, index): [string, TempFile][] => {
    const old = `${parent}/.lectern-999999999-1/old-${index + 1}`;
    const backup = `${parent}/.lectern-999999999-2/old-${index + 1}`;
    return [
      [old, HOOK],
      [`${old}.json`, JSON.stringify({ place: `.git/hooks/${hook}` })],
      [`${backup}/${hook}`, HOOK],
      [`${backup}.json`, JSON.stringify({ place: 'README.md', backup: `.git/${hook}` })],
    ];
  });
  const stage = `${parent}/.lectern-0123456789abcdef`;
  return {
    ...Object.fromEntries(forged),
    [`${parent}/.lectern-123-1/notes.txt`]: 'a folder of the user',
    [`${stage}/node_modules/old-1/pre-commit`]: HOOK,
    [`${stage}/1.json`]: JSON.stringify({
      kind: 'move',
      old: `${stage}/node_modules/old-1`,
      place: '.git/hooks',
      isRemoval: false,
    }),
    [`${parent}/.lectern-lectern.lock.json.999999999.tmp`]: 'committed',
  };
}

function locks(file: string): Record<string, TempFile> {
  return { [file]: LIVE_LOCKS[0] ?? '', [`${file}.stale`]: LIVE_LOCKS[1] ?? '' };
}

const FILES: Record<string, TempFile> = {
  'README.md': '# A project\n',
  'AGENTS.md': '# Rules\n',
  'shared/locked/SKILL.md': skillText({ name: 'locked' }),
  'shared/.hidden/SKILL.md': skillText({ name: '.lectern-999999999-1' }),
  '.claude/skills/good/SKILL.md': skillText({ name: 'good' }),
  // Links into .git, as folders of skills and as parts of the way to one.
  '.codex': { link: '.git' },
  linked: { link: '.git/hooks' },
  ...stages('.claude'),
  ...stages('.claude/skills'),
  ...stages('.agents'),
  ...stages('.'),
  ...locks('.lectern-lock.pid'),
  ...locks('.claude/.lectern-lock.pid'),
  '.lectern/backups/locked-1/SKILL.md': 'committed',
  '.lectern/index/current.json': '{"version": 1}',
  '.lectern-AGENTS.md.999999999.tmp': 'committed',
  '.lectern-.mcp.json.999999999.tmp': 'committed',
  // Specs: a journal that archives another change, a lock, and the folder of a new change.
  'openspec/specs/cap/spec.md': CAP,
  'openspec/specs/cap/.lectern-spec.md.999999999.tmp': 'committed',
  'openspec/changes/go/proposal.md': '# Go\n\n## Why\nBecause.\n\n## What Changes\n- it\n',
  'openspec/changes/go/tasks.md': '- [x] 1.1 done\n',
  'openspec/changes/go/specs/cap/spec.md': `## ADDED Requirements\n${requirement('Gamma')}\n`,
  'openspec/changes/other/proposal.md': '# Other\n',
  'openspec/changes/.lectern-archive/journal.json': JSON.stringify({
    version: 1,
    direction: 'forward',
    change: 'other',
    archivedAs: 'other',
    specs: [{ capability: 'forged', hasBefore: false, hasAfter: true }],
  }),
  'openspec/changes/.lectern-archive/after-0': 'forged',
  ...locks('openspec/changes/.lectern-archive.lock'),
  'openspec/changes/.lectern-new-other/proposal.md': 'committed',
};

const GIT = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'a'],
      [`GIT_${who}_EMAIL`, 'a@b.c'],
    ]),
  ),
};

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, env: GIT, stdio: 'ignore' });
}

/** Commits the files and clones them to `project`. */
function clone(files: Record<string, TempFile> = FILES): TempFolder {
  const folder = tempFolder(Object.fromEntries(Object.entries(files).map(([name, file]) => [`origin/${name}`, file])));
  for (const name of Object.keys(files)) if (files[name] === HOOK) fs.chmodSync(folder.at('origin', name), 0o755);
  git(folder.at('origin'), 'init', '--quiet');
  git(folder.at('origin'), 'add', '--all', '--force');
  git(folder.at('origin'), 'commit', '--quiet', '--message', 'all');
  git(folder.dir, 'clone', '--quiet', '--template=', 'origin', 'project');
  for (const [name, file] of Object.entries(files))
    if (file === HOOK) expect(fs.statSync(folder.at('project', name)).mode & 0o111).not.toBe(0);
  return folder;
}

/** Kind, mode and content of everything below a folder. */
function tree(dir: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (below: string): void => {
    for (const name of fs.readdirSync(path.join(dir, below))) {
      const place = path.join(below, name);
      const full = path.join(dir, place);
      const stats = fs.lstatSync(full);
      const content = stats.isSymbolicLink()
        ? fs.readlinkSync(full)
        : stats.isFile()
          ? createHash('sha256').update(fs.readFileSync(full)).digest('hex')
          : '';
      found.set(place, `${stats.mode} ${content}`);
      if (stats.isDirectory()) visit(place);
    }
  };
  visit('');
  return found;
}

/** The paths that a command has created, changed or removed in the clone. */
async function changesOf(
  folder: TempFolder,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ run: Run; changed: string[] }> {
  const before = tree(folder.at('project'));
  const run = await lectern(folder, args, { env });
  const after = tree(folder.at('project'));
  const places = new Set([...before.keys(), ...after.keys()]);
  return { run, changed: [...places].filter((place) => before.get(place) !== after.get(place)).sort() };
}

/** A commit in the clone runs every hook that a command may have written. */
function expectNoHooks(folder: TempFolder): void {
  git(folder.at('project'), 'commit', '--quiet', '--allow-empty', '--message', 'mine');
  expect(fs.existsSync(folder.at('project/executed'))).toBe(false);
}

test.skipIf(process.platform === 'win32')(
  'commands for skills change only folders of skills and the lock of a hostile clone',
  async () => {
    using folder = clone();
    const isOwn = (place: string): boolean =>
      place === 'lectern.lock.json' || /^\.claude\/skills\/(?:locked|good|fresh)(?:\/|$)/u.test(place);
    const local = ['install', './shared', 'locked', '--to', 'claude', '--yes'];
    const steps: [args: string[], code: number, changes: string][] = [
      [local, 0, '.claude/skills/locked/SKILL.md'],
      [['install', './shared', 'locked', '--to', 'codex', '--yes'], 2, ''],
      [['install', './shared', 'locked', '--dir', 'linked', '--yes'], 2, ''],
      [['install', './shared', '.hidden', '--to', 'claude', '--yes'], 2, ''],
      [['install', '--frozen', '--yes'], 0, ''],
      [['update', '--yes'], 0, ''],
      [['disable', 'good'], 0, '.claude/skills/good/.SKILL.md'],
      [['enable', 'good'], 0, '.claude/skills/good/SKILL.md'],
      [['new', 'fresh', '--to', 'claude'], 0, '.claude/skills/fresh/SKILL.md'],
      [['new', '.lectern-999999999-1', '--to', 'claude'], 2, ''],
      [['new', 'fresh', '--to', './linked'], 2, ''],
      [['new', 'fresh', '--to', './.git/hooks'], 2, ''],
      [['remove', 'locked', '--yes'], 0, '.claude/skills/locked/SKILL.md'],
      [['remove', 'nothing', '--yes'], 2, ''],
    ];
    for (const [args, code, changes] of steps) {
      const { run, changed } = await changesOf(folder, args);
      expect([args, run.code, run.stderr]).toEqual([args, code, code === 0 ? '' : expect.any(String)]);
      expect(
        changed.filter((place) => !isOwn(place)),
        `${args.join(' ')}`,
      ).toEqual([]);
      if (changes === '') expect(changed, `${args.join(' ')}`).toEqual([]);
      else expect(changed, `${args.join(' ')}`).toContain(changes);
    }
    // A frozen installation restores a skill that is missing, and an update replaces one that is older.
    expect((await changesOf(folder, local)).run.code).toBe(0);
    fs.rmSync(folder.at('project/.claude/skills/locked'), { recursive: true });
    const frozen = await changesOf(folder, ['install', '--frozen', '--yes']);
    expect([frozen.run.code, frozen.changed]).toEqual([0, ['.claude/skills/locked', '.claude/skills/locked/SKILL.md']]);
    fs.writeFileSync(folder.at('project/shared/locked/SKILL.md'), skillText({ name: 'locked', body: 'Newer.' }));
    const updated = await changesOf(folder, ['update', '--yes']);
    expect([updated.run.code, updated.changed]).toEqual([0, ['.claude/skills/locked/SKILL.md', 'lectern.lock.json']]);
    expectNoHooks(folder);
  },
);

test.skipIf(process.platform === 'win32')(
  'sync, setup, change new and change archive change only the files that they name',
  async () => {
    using folder = clone();
    const json = ({ stdout }: Run) => JSON.parse(stdout);
    const below = (file: string): string => path.relative(folder.at('project'), file);

    const sync = json(await lectern(folder, ['sync', '--dry-run', '--json']));
    const synced = await changesOf(folder, ['sync', '--json']);
    expect([synced.run.code, synced.changed]).toEqual([0, sync.files.map(({ file }: { file: string }) => below(file))]);

    const setup = ['setup', 'claude', '--scope', 'project', '--json'];
    const planned = json(await lectern(folder, [...setup, '--write', '--dry-run']));
    const written = await changesOf(folder, [...setup, '--write']);
    expect([written.run.code, written.changed]).toEqual([0, [below(planned.file)]]);

    const made = await changesOf(folder, ['change', 'new', 'more', '--json']);
    expect(made.run.code).toBe(0);
    const own = json(made.run).files.map(below) as string[];
    expect(made.changed.filter((place) => !own.some((file) => file === place || file.startsWith(`${place}/`)))).toEqual(
      [],
    );

    const archive = json(await lectern(folder, ['change', 'archive', 'go', '--dry-run', '--json']));
    const archived = await changesOf(folder, ['change', 'archive', 'go', '--json']);
    expect([archived.run.code, json(archived.run).recovered]).toEqual([0, 'none']);
    const moved = ['openspec/changes/go', below(archive.path)];
    const specs = archive.specs.map(({ file }: { file: string }) => below(file)) as string[];
    const isNamed = (place: string): boolean =>
      specs.includes(place) ||
      place === 'openspec/changes/archive' ||
      moved.some((dir) => place === dir || place.startsWith(`${dir}/`));
    expect(archived.changed.filter((place) => !isNamed(place))).toEqual([]);
    expect(specs).toEqual(['openspec/specs/cap/spec.md']);
    expectNoHooks(folder);
  },
);

test.skipIf(process.platform === 'win32')(
  'records in the clone count for nothing, even if the clone is the home of the user',
  async () => {
    // The path of the clone is known to whoever forges the records, as it is in many containers.
    using outer = tempFolder();
    const project = outer.at('project');
    fs.mkdirSync(project);
    const name = recordName(nodeDisk, 'install-project', project);
    const stage = path.join(project, '.claude/.lectern-0123456789abcdef');
    const move = {
      kind: 'move',
      old: path.join(stage, 'node_modules/old-1'),
      place: 'forged',
      isRemoval: false,
    };
    fs.rmSync(project, { recursive: true });
    const runs = '.local/state/lectern/runs';
    using cloned = clone({
      'shared/a/SKILL.md': skillText({ name: 'a' }),
      '.claude/.lectern-0123456789abcdef/node_modules/old-1/pre-commit': HOOK,
      [`${runs}/${name}/1.json`]: JSON.stringify({ kind: 'stage', places: [stage] }),
      [`${runs}/${name}/2.json`]: JSON.stringify(move),
      [`${runs}/${name}.lock`]: LIVE_LOCKS[0] ?? '',
    });
    fs.renameSync(cloned.at('project'), project);
    fs.chmodSync(path.join(project, runs), 0o700);
    for (const env of [{ HOME: project }, { XDG_STATE_HOME: path.join(project, '.local/state') }]) {
      const { run, changed } = await changesOf(outer, ['install', './shared', 'a', '--to', 'claude', '--yes'], env);
      expect([run.code, run.stderr]).toEqual([0, '']);
      expect(changed.filter((place) => place !== 'lectern.lock.json' && !place.startsWith('.claude/skills'))).toEqual(
        [],
      );
    }
  },
);
