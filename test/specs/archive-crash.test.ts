import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { openRecords } from '../../src/core/disk/records.ts';
import { type Disk, WriteTrouble } from '../../src/core/disk/writes.ts';
import { archiveChange } from '../../src/specs/archive.ts';
import { archiveRecords } from '../../src/specs/catalog.ts';
import { newChange } from '../../src/specs/scaffold.ts';
import { times } from '../support/effort.ts';
import { beforeWrites } from '../support/watched-writes.ts';
import { project, type Project } from '../support/project.ts';
import { CAP, requirement } from '../support/spec-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

const TODAY = '2026-11-20';

/** A change that updates one spec, creates one, retires one, and has three files of its own. */
function bigChange(): Project & TempFolder {
  const files = {
    'project/openspec/specs/cap/spec.md': CAP,
    'project/openspec/specs/old/thing/spec.md': CAP,
    'project/openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nretire_capabilities: true\n',
    'project/openspec/changes/go/proposal.md': '# Go\n',
    'project/openspec/changes/go/specs/cap/spec.md': `## MODIFIED Requirements\n${requirement('Beta', { scenarios: ['B', 'C'] })}\n`,
    'project/openspec/changes/go/specs/fresh/spec.md': `## ADDED Requirements\n${requirement('Gamma')}\n`,
    'project/openspec/changes/go/specs/old/thing/spec.md':
      '## REMOVED Requirements\n### Requirement: Alpha\n### Requirement: Beta\n',
    'project/openspec/changes/other/specs/cap/spec.md': `## ADDED Requirements\n${requirement('Delta')}\n`,
  };
  return project(files, 'disk');
}

function archive(target: Project, disk: Disk, id = 'go') {
  const found = target.specs().findChange(id);
  if (found.kind !== 'found' || found.item.isArchived) throw new Failure('NOT_FOUND', `no active change ${id}`);
  return archiveChange(() => target.specs(), found.item, { today: TODAY, disk, records: target.records });
}

/** The next run, for whatever change: it brings an interrupted one to an end before it looks at its own. */
function recover(target: Project): void {
  try {
    archiveChange(
      () => target.specs(),
      { id: 'nobody', root: target.specs().roots[0] ?? raise() },
      { today: TODAY, disk: nodeDisk, records: target.records },
    );
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NOT_FOUND') throw error;
  }
}

function raise(): never {
  throw new Error('no root');
}

class Crash extends Error {}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Stops the world after a number of steps: that step and all later ones do nothing but fail. */
function crashingAfter(steps: number): { disk: Disk; taken: () => number } {
  let taken = 0;
  const disk = beforeWrites(nodeDisk, () => {
    if (taken >= steps) throw new Crash('killed');
    taken += 1;
  });
  return { disk, taken: () => taken };
}

function states(): { before: Record<string, string>; after: Record<string, string>; steps: number } {
  using target = bigChange();
  const before = target.state();
  const { disk, taken } = crashingAfter(Number.POSITIVE_INFINITY);
  archive(target, disk);
  return { before, after: target.state(), steps: taken() };
}

const { before, after, steps } = states();

describe('a run that is cut off', () => {
  test('after any step leaves the old state or the new one once the next run has looked', () => {
    const outcomes = new Set<string>();
    for (let step = 0; step < steps; step++) {
      using target = bigChange();
      expect(() => archive(target, crashingAfter(step).disk)).toThrow(Crash);
      // The lock of a process that is gone.
      recover(target);
      const state = target.state();
      outcomes.add(JSON.stringify(state) === JSON.stringify(before) ? 'old' : 'new');
      expect([before, after]).toContainEqual(state);
    }
    expect([...outcomes].sort()).toEqual(['new', 'old']);
  });

  test('is reported until then', () => {
    using target = bigChange();
    expect(() => archive(target, crashingAfter(steps - 4).disk)).toThrow(Crash);
    const catalog = target.specs();
    expect(catalog.changes.length).toBeGreaterThan(0);
    expect(catalog.diagnostics.map(({ code }) => code)).toContain('archive-unfinished');
  });

  test('is not completed over an edit that was made meanwhile', () => {
    using target = bigChange();
    // Everything is laid down, and the first spec is in place.
    expect(() => archive(target, crashingAfter(8).disk)).toThrow(Crash);
    target.write({ 'project/openspec/specs/cap/spec.md': `${CAP}\nAn edit by hand.\n` });
    expect(() => recover(target)).toThrow(/was edited in the meantime/u);
    expect(target.read('project/openspec/specs/cap/spec.md')).toContain('An edit by hand.');
  });
});

describe('a step that fails', () => {
  test.each(['replace', 'move', 'remove'] as const)('%s: whatever was done is taken back', (method) => {
    for (let turn = 0; turn < 8; turn++) {
      using target = bigChange();
      let calls = 0;
      let isBroken = false;
      const failing = beforeWrites(nodeDisk, (name, file) => {
        // One failure, as of a full disk that has room again for what is smaller.
        if (name !== method || isBroken || calls++ !== turn || file.endsWith('.lock')) return;
        isBroken = true;
        throw new WriteTrouble('full', file);
      });
      const error = thrownBy(() => archive(target, failing));
      expect(error === undefined || error instanceof Failure).toBe(true);
      recover(target);
      expect([before, after]).toContainEqual(target.state());
    }
  });
});

describe('two concurrent runs', () => {
  test('the second is refused while the first is alive, and takes over when it is not', () => {
    using target = bigChange();
    const lock = `${recordsOf(target)}.lock`;
    fs.mkdirSync(path.dirname(lock), { recursive: true, mode: 0o700 });
    fs.writeFileSync(lock, `${process.ppid}\n`);
    expect(() => archive(target, nodeDisk)).toThrow(/Another archive run is active here/u);
    fs.writeFileSync(lock, '999999999\n');
    expect(archive(target, nodeDisk).archivedAs).toBe('2026-11-20-go');
    expect(fs.existsSync(lock)).toBe(false);
  });
});

/** The folder of the journal. */
function recordsOf(target: Project): string {
  return path.join(openRecords(nodeDisk, target.records), archiveRecords(nodeDisk, target.specs().roots[0] ?? raise()));
}

const JOURNAL = {
  version: 1,
  direction: 'forward',
  change: 'go',
  archivedAs: 'x',
  specs: [{ capability: 'cap', hasBefore: false, hasAfter: true }],
};

describe('a journal in the repository', () => {
  test('is neither acted on nor removed, and neither is a lock', () => {
    using target = bigChange();
    target.write({
      'project/openspec/changes/.lectern-archive/journal.json': JSON.stringify(JOURNAL),
      'project/openspec/changes/.lectern-archive/after-0': 'evil',
      'project/openspec/changes/.lectern-archive.lock': `${process.ppid}\n`,
    });
    const state = target.state();
    expect(target.specs().diagnostics).toEqual([]);
    recover(target);
    expect(target.state()).toEqual(state);
    expect(archive(target, nodeDisk)).toMatchObject({ archivedAs: '2026-11-20-go', recovery: undefined });
  });
});

describe('a journal with names that lead elsewhere', () => {
  test.each([
    ['a capability that climbs', { capability: '../../../evil' }],
    ['an absolute capability', { capability: '/evil' }],
    ['a change that climbs', { change: '../..' }],
    ['an archive name that climbs', { archivedAs: '../../evil' }],
  ])('%s is refused and nothing is written', (_, odd) => {
    using target = bigChange();
    const journal = { ...JOURNAL, ...odd, specs: JOURNAL.specs.map((spec) => ({ ...spec, ...odd })) };
    const folder = recordsOf(target);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'journal.json'), JSON.stringify(journal));
    fs.writeFileSync(path.join(folder, 'after-0'), 'evil');
    const state = target.state();
    expect(() => recover(target)).toThrow(Failure);
    expect(target.state()).toEqual(state);
  });

  test('a linked capability is not written through', () => {
    using target = bigChange();
    using outside = tempFolder({ 'spec.md': 'secret' });
    fs.symlinkSync(outside.dir, target.at('project/openspec/specs/fresh'));
    expect(() => archive(target, nodeDisk)).toThrow(Failure);
    expect(fs.readFileSync(outside.at('spec.md'), 'utf8')).toBe('secret');
    expect(target.exists('project/openspec/changes/go/proposal.md')).toBe(true);
  });
});

describe('kill -9', () => {
  let bundle: string;
  const home = tempFolder();

  beforeAll(async () => {
    bundle = home.at('kill.mjs');
    const build = await rolldown({ input: path.resolve('test/support/archive-and-die.ts'), platform: 'node' });
    await build.write({ file: bundle, format: 'esm' });
    await build.close();
  });

  afterAll(() => home[Symbol.dispose]());

  const run = (dir: string, step: number, ...more: string[]) =>
    spawnSync(process.execPath, [bundle, dir, String(step), ...more], { encoding: 'utf8' });

  test('in the middle of any write leaves no temporary file behind once the next run has looked', () => {
    let hasLeftSome = false;
    // A write takes three calls, so every fourth call meets each of them.
    for (let step = 0; ; step += times(4, 1)) {
      using target = bigChange();
      const { signal, status } = run(target.at('project'), step, 'inside');
      if (signal === null) {
        expect(status).toBe(0);
        break;
      }
      hasLeftSome ||= fs.readdirSync(target.dir, { recursive: true }).some((name) => String(name).endsWith('.tmp'));
      recover(target);
      expect([before, after]).toContainEqual(target.state());
    }
    expect(hasLeftSome).toBe(true);
  });

  test('at every step of a real process leaves the old state or the new one', () => {
    for (let step = 0; step < steps; step++) {
      using target = bigChange();
      expect(run(target.at('project'), step).signal).toBe('SIGKILL');
      recover(target);
      expect([before, after]).toContainEqual(target.state());
    }
    using whole = bigChange();
    expect(run(whole.at('project'), 10_000)).toMatchObject({ status: 0, stderr: '' });
    expect(whole.state()).toEqual(after);
  });
});

describe('a new change', () => {
  test('is there as a whole or not at all', () => {
    for (let step = 0; step < 5; step++) {
      using target = bigChange();
      const { disk } = crashingAfter(step);
      const error = thrownBy(() => newChange(target.specs(), disk, { id: 'add-login', today: TODAY }));
      expect(error === undefined || error instanceof Crash).toBe(true);
      expect([0, 4]).toContain(
        Object.keys(target.state()).filter((name) => name.startsWith('openspec/changes/add-login/')).length,
      );
    }
  });
});
