/** Hand edits that arrive while a change is archived, at every step of the run. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import type { Disk } from '../../src/core/disk/writes.ts';
import { Failure } from '../../src/core/failure.ts';
import { archiveChange } from '../../src/specs/archive.ts';
import { newChange } from '../../src/specs/scaffold.ts';
import { project, type Project } from '../support/project.ts';
import { CAP, requirement } from '../support/spec-text.ts';
import type { TempFolder } from '../support/temp-folder.ts';
import { beforeWrites } from '../support/watched-writes.ts';

const TODAY = '2026-11-20';
const SPECS = 'project/openspec/specs';
const CHANGE = 'project/openspec/changes/go';
const EDIT = '\nAn edit by hand.\n';

const FILES = {
  [`${SPECS}/cap/spec.md`]: CAP,
  [`${SPECS}/also/spec.md`]: CAP,
  [`${SPECS}/old/spec.md`]: CAP,
  [`${CHANGE}/.openspec.yaml`]: 'schema: spec-driven\nretire_capabilities: true\n',
  [`${CHANGE}/proposal.md`]: '# Go\n',
  [`${CHANGE}/tasks.md`]: '- [x] 1.1 Done\n',
  [`${CHANGE}/specs/also/spec.md`]: `## ADDED Requirements\n${requirement('Gamma')}\n`,
  [`${CHANGE}/specs/cap/spec.md`]: `## ADDED Requirements\n${requirement('Gamma')}\n`,
  [`${CHANGE}/specs/fresh/spec.md`]: `## ADDED Requirements\n${requirement('Gamma')}\n`,
  [`${CHANGE}/specs/old/spec.md`]: '## REMOVED Requirements\n### Requirement: Alpha\n### Requirement: Beta\n',
};

/** A change that updates two specs, creates one and retires one. */
const target = (): Project => project(FILES);
const targetOnDisk = (): Project & TempFolder => project(FILES, 'disk');

function archive(on: Project, disk: Disk): unknown {
  const [root] = on.specs().roots;
  if (!root) throw new Error('no root');
  try {
    archiveChange(() => on.specs(), { root, id: 'go' }, { today: TODAY, disk });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Runs `act` once, immediately before a step of the run. */
function beforeStep({ disk }: Project, step: number, act: () => void): Disk {
  let taken = 0;
  return beforeWrites(disk, () => {
    if (taken++ === step) act();
  });
}

/** Every step of a run that nothing disturbs. */
function stepsOfRun(): number {
  using on = target();
  let steps = 0;
  const disk = beforeWrites(on.disk, () => void (steps += 1));
  expect(archive(on, disk)).toBeUndefined();
  return steps;
}

const STEPS = stepsOfRun();

describe('an edit made while a change is archived', () => {
  test.each([
    ['cap', 'written in place'],
    ['cap', 'replaced'],
    ['also', 'replaced'],
    ['old', 'written in place'],
    ['old', 'replaced'],
  ])('is never lost: the spec of %s, %s', (capability, how) => {
    let refused = 0;
    for (let step = 0; step < STEPS; step++) {
      using on = target();
      const before = on.state();
      const name = `${SPECS}/${capability}/spec.md`;
      let isEdited = false;
      const disk = beforeStep(on, step, () => {
        // After the run has removed or written the spec, there is nothing left to lose.
        if (!on.exists(name) || on.read(name) !== CAP) return;
        isEdited = true;
        if (how === 'replaced') on.disk.replace(on.at(name), CAP + EDIT);
        else on.disk.append(on.at(name), EDIT);
      });
      const error = archive(on, disk);
      if (!isEdited) continue;
      // An edit before the specs are read is a part of the plan.
      if (error === undefined) {
        expect(on.read(name)).toContain(EDIT);
        continue;
      }
      refused += 1;
      expect(error).toBeInstanceOf(Failure);
      expect((error as Failure).message).toMatch(/spec\.md was edited in the meantime|does not remove/u);
      expect(on.state()).toEqual({ ...before, [`openspec/specs/${capability}/spec.md`]: CAP + EDIT });
    }
    expect(refused).toBeGreaterThan(3);
  });

  test.each([
    ['specs/cap/spec.md', `## ADDED Requirements\n${requirement('Omega')}\n`],
    ['specs/brand-new/spec.md', `## ADDED Requirements\n${requirement('Omega')}\n`],
    ['tasks.md', '- [ ] 1.1 Done\n- [ ] 1.2 Open again\n'],
    ['.openspec.yaml', 'schema: spec-driven\nretire_capabilities: false\n'],
  ])('is not archived without being applied: %s of the change', (name, edited) => {
    let refused = 0;
    for (let step = 0; step < STEPS; step++) {
      using on = target();
      const before = on.state();
      let isEdited = false;
      const disk = beforeStep(on, step, () => {
        if (!on.exists(CHANGE)) return;
        isEdited = true;
        on.disk.replace(on.at(CHANGE, name), edited);
      });
      const error = archive(on, disk);
      if (!isEdited) continue;
      if (error === undefined) {
        expect(on.read(`${SPECS}/${path.basename(path.dirname(name))}/spec.md`)).toContain('Omega');
        continue;
      }
      refused += 1;
      expect(error).toBeInstanceOf(Failure);
      expect(on.state()).toEqual({ ...before, [`openspec/changes/go/${name}`]: edited });
    }
    expect(refused).toBeGreaterThan(3);
  });
});

test('a spec that is created by hand while a change is archived is kept', () => {
  for (let step = 0; step < STEPS; step++) {
    using on = target();
    const before = on.state();
    const name = `${SPECS}/fresh/spec.md`;
    let isMade = false;
    const disk = beforeStep(on, step, () => {
      if (on.exists(name)) return;
      isMade = true;
      on.disk.create(on.at(name), CAP);
    });
    const error = archive(on, disk);
    if (!isMade || error === undefined) {
      expect(on.read(name)).toContain('Gamma');
      if (isMade) expect(on.read(name)).toContain('Alpha');
      continue;
    }
    expect(error).toBeInstanceOf(Failure);
    expect(on.state()).toEqual({ ...before, 'openspec/specs/fresh/spec.md': CAP });
  }
});

test('a spec that was edited after it was written is left alone when the rest is undone', () => {
  using on = target();
  const before = on.state();
  const disk = beforeWrites(on.disk, (method, file) => {
    if (method !== 'move' || path.basename(file) !== 'go') return;
    on.disk.append(on.at(SPECS, 'cap/spec.md'), EDIT);
    on.disk.append(on.at(CHANGE, 'specs/also/spec.md'), EDIT);
  });
  const error = archive(on, disk);
  expect(error).toBeInstanceOf(Failure);
  expect((error as Failure).message).toMatch(/cap\/spec\.md was edited in the meantime and was left as it is/u);
  const after = on.state();
  expect(after['openspec/specs/cap/spec.md']).toContain('Gamma');
  expect(after['openspec/specs/cap/spec.md']).toContain(EDIT);
  expect(after['openspec/specs/also/spec.md']).toBe(before['openspec/specs/also/spec.md']);
  expect(after['openspec/changes/go/specs/also/spec.md']).toContain(EDIT);
});

test('an interrupted run is undone if its change was edited before the next run', () => {
  using on = target();
  const killed = beforeWrites(on.disk, (method, file) => {
    if (method === 'move' && path.basename(file) === 'go') throw new Error('killed');
    if (method === 'replace' && file.endsWith('journal.json') && on.disk.look(file)) throw new Error('killed');
  });
  expect(archive(on, killed)).toBeInstanceOf(Error);
  expect(on.read(`${SPECS}/cap/spec.md`)).toContain('Gamma');
  const delta = `## ADDED Requirements\n${requirement('Omega')}\n`;
  on.write({ [`${CHANGE}/specs/cap/spec.md`]: delta });
  const recovered: string[] = [];
  const [root] = on.specs().roots;
  archiveChange(
    () => on.specs(),
    { root: root as NonNullable<typeof root>, id: 'go' },
    {
      today: TODAY,
      disk: on.disk,
      onRecovered: ({ end }) => void recovered.push(end),
    },
  );
  expect(recovered).toEqual(['undone']);
  expect(on.read(`${SPECS}/cap/spec.md`)).toContain('Omega');
  expect(on.read(`${SPECS}/cap/spec.md`)).not.toContain('Gamma');
});

test.each(['cap', 'old'])('on a real disk, an edit at the last moment is kept: the spec of %s', (capability) => {
  using on = targetOnDisk();
  const before = on.state();
  const file = on.at(SPECS, capability, 'spec.md');
  const disk = beforeWrites(nodeDisk, (method, name) => {
    if (name === file && (method === 'replace' || method === 'move')) fs.appendFileSync(file, EDIT);
  });
  expect(archive(on, disk)).toMatchObject({ code: 'REFUSED', path: file });
  expect(on.state()).toEqual({ ...before, [`openspec/specs/${capability}/spec.md`]: CAP + EDIT });
});

describe('archiving refuses to get around the mode or a second name of a file', () => {
  const CASES: Record<string, (file: string) => void> = {
    'the file is read-only': (file) => fs.chmodSync(file, 0o444),
    'has another name (a hard link)': (file) => fs.linkSync(file, path.join(path.dirname(file), 'second.txt')),
  };
  for (const [reason, prepare] of Object.entries(CASES)) {
    test.each(['cap', 'old'])(`%s: ${reason}`, (capability) => {
      using on = targetOnDisk();
      const file = on.at(SPECS, capability, 'spec.md');
      prepare(file);
      const before = on.state();
      const error = archive(on, nodeDisk);
      expect(error).toBeInstanceOf(Failure);
      expect((error as Failure).message).toContain(reason);
      expect(on.state()).toEqual(before);
      fs.chmodSync(file, 0o644);
    });
  }
});

test('a delta that is not UTF-8 is refused and changes nothing', () => {
  using on = targetOnDisk();
  const text = `## ADDED Requirements\n${requirement('Caf\u00e9')}\n`;
  fs.writeFileSync(on.at(CHANGE, 'specs/cap/spec.md'), Buffer.from(text, 'latin1'));
  const before = on.state();
  const error = archive(on, nodeDisk);
  expect(error).toMatchObject({ code: 'REFUSED', path: on.at(CHANGE, 'specs/cap/spec.md') });
  expect((error as Failure).message).toContain('is not UTF-8');
  expect(on.state()).toEqual(before);
});

test('a new change takes nothing from a folder that has the name of its stage, and does not remove it', () => {
  using on = target();
  on.write({ 'project/openspec/changes/.lectern-new-add-login/notes.md': 'mine' });
  const before = on.state();
  expect(() => newChange(on.specs(), on.disk, { id: 'add-login', today: TODAY })).toThrow(Failure);
  expect(on.state()).toEqual(before);
});
