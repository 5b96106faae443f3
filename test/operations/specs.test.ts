import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import type { MemoryFile } from '../../src/core/disk/memory-disk.ts';
import { changeOverlaps } from '../../src/operations/change-overlaps.ts';
import { doctor } from '../../src/operations/doctor.ts';
import { getChange } from '../../src/operations/get-change.ts';
import { getScenario } from '../../src/operations/get-scenario.ts';
import { getSpecRequirements } from '../../src/operations/get-spec-requirements.ts';
import { listChanges } from '../../src/operations/list-changes.ts';
import { listSpecs } from '../../src/operations/list-specs.ts';
import { overview } from '../../src/operations/overview.ts';
import { showSpec } from '../../src/operations/show-spec.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { validateChange, validateSpec } from '../../src/operations/validate-specs.ts';
import { project } from '../support/project.ts';
import { ask } from '../support/ask.ts';

const SPEC = `# Login Specification

## Purpose
Let people in with a password, and keep everybody else out.

## Requirements

### Requirement: Password check
The system SHALL check the password.

#### Scenario: Right password
- **GIVEN** an account
- **WHEN** the password is right
- **AND** the account is open
- **THEN** a session starts

#### Scenario: Wrong password
- **WHEN** the password is wrong
- **THEN** nothing happens

### Requirement: Twice
The system SHALL be asked by line.

#### Scenario: Same
- **WHEN** a
- **THEN** first

#### Scenario: Same
- **WHEN** a
- **THEN** second
`;

const FILES: Record<string, MemoryFile> = {
  '/repo/project/openspec/specs/identity/login/spec.md': SPEC,
  '/repo/project/openspec/specs/bare/spec.md':
    '### Requirement: (a+)+$\nIt SHALL.\n#### Scenario: __proto__\n- WHEN x\n- THEN y\n',
  '/repo/project/openspec/changes/add-code/proposal.md':
    '# Add a code\n\n## Why\nSafer.\n\n## What Changes\n- A code.\n',
  '/repo/project/openspec/changes/add-code/tasks.md': '- [x] 1.1 one\n- [ ] 1.2 two\n',
  '/repo/project/openspec/changes/add-code/design.md': 'By mail.\n',
  '/repo/project/openspec/changes/add-code/specs/identity/login/spec.md':
    '## ADDED Requirements\n### Requirement: Code\nThe system SHALL ask for a code.\n#### Scenario: Asked\n- **WHEN** a\n- **THEN** b\n\n## REMOVED Requirements\n### Requirement: Twice\n**Reason**: unclear\n',
  '/repo/project/openspec/changes/plain/specs/bare/spec.md':
    '## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n',
};

async function failure(run: Promise<unknown>): Promise<Failure> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Failure) return error;
  throw new Error('expected a Failure');
}

describe('specs', () => {
  test('the index has id, title and purpose, and nothing more', async () => {
    expect(await ask(listSpecs, {}, await project(FILES).open())).toEqual({
      specs: [
        { id: 'bare', title: 'bare', purpose: '' },
        {
          id: 'identity/login',
          title: 'Login Specification',
          purpose: 'Let people in with a password, and keep everybody else out.',
        },
      ],
    });
  });

  test('without specs every list is empty and nothing fails', async () => {
    const workspace = await project().open();
    expect([await ask(listSpecs, {}, workspace), await ask(listChanges, { archived: false }, workspace)]).toEqual([
      { specs: [] },
      { changes: [] },
    ]);
    expect(await ask(validateSpec, { strict: false }, workspace)).toMatchObject({
      valid: true,
      errors: [],
      summary: 'No specs to validate.',
    });
    expect(await ask(changeOverlaps, {}, workspace)).toEqual({ overlaps: [] });
  });

  test('the requirements of a spec with their texts, and the names of their scenarios', async () => {
    expect(await ask(getSpecRequirements, { spec_id: 'Identity/Login' }, await project(FILES).open())).toEqual({
      spec_id: 'identity/login',
      requirements: [
        { name: 'Password check', text: expect.any(String), scenario_count: 2, scenarios: expect.any(Array) },
        { name: 'Twice', text: expect.any(String), scenario_count: 2, scenarios: expect.any(Array) },
      ],
    });
  });

  test('one scenario with its requirement', async () => {
    const input = { spec_id: 'identity/login', requirement: 'password CHECK', scenario: 'right password' };
    expect(await ask(getScenario, input, await project(FILES).open())).toEqual({
      spec_id: 'identity/login',
      requirement: 'Password check',
      requirement_description: 'The system SHALL check the password.',
      name: 'Right password',
      given: ['an account'],
      when: 'the password is right AND the account is open',
      when_clauses: ['the password is right', 'the account is open'],
      then: ['a session starts'],
    });
  });

  test('without a name it is the first scenario', async () => {
    expect(
      await ask(getScenario, { spec_id: 'identity/login', requirement: 'Password check' }, await project(FILES).open()),
    ).toMatchObject({
      name: 'Right password',
    });
    expect(
      await ask(getScenario, { spec_id: 'bare', requirement: '(a+)+$' }, await project(FILES).open()),
    ).toMatchObject({
      name: '__proto__',
      when: 'x',
    });
  });

  test('two scenarios with the same name are distinguished by their lines', async () => {
    const workspace = await project(FILES).open();
    const trouble = await failure(
      ask(getScenario, { spec_id: 'identity/login', requirement: 'Twice', scenario: 'Same' }, workspace),
    );
    expect([trouble.code, trouble.suggestions]).toEqual(['AMBIGUOUS', ['Same (line 24)', 'Same (line 28)']]);
    expect(
      await ask(
        getScenario,
        { spec_id: 'identity/login', requirement: 'Twice', scenario: 'Same (line 28)' },
        workspace,
      ),
    ).toMatchObject({
      then: ['second'],
    });
  });

  test.each([
    [{ spec_id: 'identity/logn', requirement: 'x' }, "Spec 'identity/logn' not found.", ['identity/login']],
    [{ spec_id: '../../../etc/passwd', requirement: 'x' }, "Spec '../../../etc/passwd' not found.", []],
    [
      { spec_id: 'identity/login', requirement: 'Pasword check' },
      "Requirement 'Pasword check' not found in spec 'identity/login'.",
      ['Password check'],
    ],
    [
      { spec_id: 'identity/login', requirement: 'Password check', scenario: 'Left' },
      "Scenario 'Left' not found in requirement 'Password check'.",
      [],
    ],
    [{ spec_id: 'constructor', requirement: 'x' }, "Spec 'constructor' not found.", []],
  ])('an unknown name is reported with suggestions: %j', async (input, message, suggestions) => {
    const trouble = await failure(ask(getScenario, input, await project(FILES).open()));
    expect([trouble.code, trouble.message, trouble.suggestions]).toEqual(['NOT_FOUND', message, suggestions]);
  });

  test('a spec is shown with all its requirements, or with one', async () => {
    const workspace = await project(FILES).open();
    expect(
      (await ask(showSpec, { spec_id: 'identity/login', full: false }, workspace)).requirements.map(
        ({ name, line }) => [name, line],
      ),
    ).toEqual([
      ['Password check', 8],
      ['Twice', 21],
    ]);
    expect(
      (await ask(showSpec, { spec_id: 'identity/login', requirement: 'twice', full: true }, workspace)).content,
    ).toBe(SPEC);
  });
});

describe('changes', () => {
  test('the index has the progress of the tasks', async () => {
    expect(await ask(listChanges, { archived: false }, await project(FILES).open())).toEqual({
      changes: [
        { id: 'add-code', title: 'Add a code', task_progress: { completed: 1, total: 2 } },
        { id: 'plain', title: 'plain', task_progress: { completed: 0, total: 0 } },
      ],
    });
  });

  test('a change in full, deltas by capability', async () => {
    const workspace = await project(FILES).open();
    expect(await ask(getChange, { change_id: 'add-code' }, workspace)).toEqual({
      change_id: 'add-code',
      proposal: FILES['/repo/project/openspec/changes/add-code/proposal.md'],
      tasks: '- [x] 1.1 one\n- [ ] 1.2 two\n',
      design: 'By mail.\n',
      deltas: {
        'identity/login': {
          added: [
            {
              name: 'Code',
              description: 'The system SHALL ask for a code.',
              scenarios: [{ name: 'Asked', given: [], when: 'a', when_clauses: ['a'], then: ['b'] }],
            },
          ],
          modified: [],
          removed: [{ name: 'Twice', reason: 'unclear' }],
          renamed: [],
        },
      },
    });
    expect(await ask(getChange, { change_id: 'plain' }, workspace)).toEqual({
      change_id: 'plain',
      proposal: '',
      tasks: '',
      deltas: { bare: { added: [], modified: [], removed: [], renamed: [{ from: 'A', to: 'B' }] } },
    });
  });

  test.each(['proposal', 'tasks', 'design', 'deltas'] as const)('only the section %s', async (section) => {
    const change = await ask(getChange, { change_id: 'add-code', section }, await project(FILES).open());
    expect(Object.keys(change)).toEqual(['change_id', section]);
  });

  test('a section or a change that is not there', async () => {
    const workspace = await project(FILES).open();
    expect((await failure(ask(getChange, { change_id: 'plain', section: 'design' }, workspace))).message).toBe(
      "Change 'plain' has no design.md.",
    );
    expect(await failure(ask(getChange, { change_id: 'add-cod' }, workspace))).toMatchObject({
      code: 'NOT_FOUND',
      suggestions: ['add-code'],
    });
    expect(
      await failure(ask(validateChange, { change_id: 'nope', strict: false, archived: false }, workspace)),
    ).toMatchObject({ code: 'NOT_FOUND' });
    expect(await failure(ask(validateSpec, { spec_id: 'nope', strict: false }, workspace))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('validation', () => {
  test('all specs: a verdict for each, findings with file, line and fix, and a summary', async () => {
    const report = await ask(validateSpec, { strict: false }, await project(FILES).open());
    expect(report).toMatchObject({
      valid: false,
      summary: '1 of 2 specs not valid.',
      items: [
        { type: 'spec', id: 'bare', valid: false },
        { type: 'spec', id: 'identity/login', valid: true },
      ],
    });
    for (const finding of report.errors)
      expect([finding.file, finding.line, finding.description, finding.fix].every(Boolean)).toBe(true);
  });

  test('one spec that passes', async () => {
    expect(
      await ask(validateSpec, { spec_id: 'identity/login', strict: true }, await project(FILES).open()),
    ).toMatchObject({
      valid: true,
      errors: [],
      summary: '1 spec valid.',
    });
  });

  test('an unreadable file is reported under its path', async () => {
    const report = await ask(
      validateSpec,
      { strict: false },
      await project({
        ...FILES,
        '/repo/project/openspec/specs/away/spec.md': { link: '/secret' },
        '/secret': 'CANARY',
      }).open(),
    );
    expect(report.errors.find(({ code }) => code === 'spec-symlink-outside')).toMatchObject({
      file: '/repo/project/openspec/specs/away/spec.md',
    });
    expect(JSON.stringify(report)).not.toContain('CANARY');
  });
});

describe('overview and doctor', () => {
  test('count specs and changes', async () => {
    const workspace = await project(FILES).open();
    expect(await ask(overview, {}, workspace)).toMatchObject({
      specs: 2,
      changes: [{ id: 'add-code' }, { id: 'plain' }],
    });
    const data = await ask(doctor, {}, workspace);
    expect(data.specRoots).toEqual([
      {
        layout: 'openspec',
        name: 'project',
        specsDir: '/repo/project/openspec/specs',
        changesDir: '/repo/project/openspec/changes',
        specs: 2,
        changes: 2,
        archived: 0,
      },
    ]);
    expect(data.counts).toMatchObject({ specs: 2, changes: 2 });
  });

  test('name a spec that cannot be read, and doctor is not well then', async () => {
    const workspace = await project({
      ...FILES,
      '/repo/project/openspec/specs/away/spec.md': { link: '/secret' },
      '/secret': 'x',
    }).open();
    expect((await ask(overview, {}, workspace)).attention.map(({ code }) => code)).toContain('spec-symlink-outside');
    expect((await ask(doctor, {}, workspace)).ok).toBe(false);
  });
});

describe('a reload', () => {
  test('leaves an opened snapshot as it was', async () => {
    const workspace = await project(FILES).open();
    const before = await (await workspace.snapshot.specs()).readAll();
    await workspace.reload();
    const after = await workspace.snapshot.specs();
    expect(after).not.toBe(before);
    expect(after.specs[0]?.parsed).toBe(before.specs[0]?.parsed);
  });

  test('does not look for specs that were never requested', async () => {
    const workspace = await project(FILES).open();
    await workspace.reload();
    expect(workspace.snapshot.openedSpecs).toBeUndefined();
  });
});

describe('a spec or a change given to the validation of skills', () => {
  test.each([
    ['identity/login', ['lectern spec validate identity/login']],
    ['openspec/specs/identity/login', ['lectern spec validate identity/login']],
    ['openspec/specs/identity/login/spec.md', ['lectern spec validate identity/login']],
    ['bare', ['lectern spec validate bare']],
    ['add-code', ['lectern change validate add-code']],
    ['openspec/changes/add-code', ['lectern change validate add-code']],
    ['openspec/changes/add-code/tasks.md', ['lectern change validate add-code']],
    ['openspec/specs', ['lectern spec validate']],
    ['openspec/changes', ['lectern change validate']],
  ])('%s: the command that checks it is named', async (target, suggestions) => {
    const run = ask(
      validateSkills,
      { target, all: false, profile: 'spec', strict: false },
      await project(FILES).open(),
    );
    await expect(run).rejects.toMatchObject({ suggestions, hint: expect.stringContaining(suggestions[0] ?? '') });
  });
});
