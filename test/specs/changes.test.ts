import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportOf } from '../../src/core/report.ts';
import { Failure } from '../../src/core/failure.ts';
import { planArchive } from '../../src/specs/archive.ts';
import { diffChange } from '../../src/specs/diff.ts';
import { getChange } from '../../src/specs/lookup.ts';
import { findOverlaps } from '../../src/specs/overlap.ts';
import { newChange } from '../../src/specs/scaffold.ts';
import { judgeChanges } from '../../src/specs/validate.ts';
import { failureOf } from '../support/failure-of.ts';
import { project } from '../support/project.ts';
import { CAP, requirement } from '../support/spec-text.ts';

const TODAY = '2026-11-20';

describe('a new change', () => {
  test.each([
    ['for a new capability', { id: 'add-login' }],
    ['for a nested one', { id: 'add-login', capability: 'identity/login', title: 'Let people log in' }],
    ['for an existing one', { id: 'add-login', capability: 'cap' }],
  ])('%s validates strictly and is listed', (_, options) => {
    using target = project({ 'project/openspec/specs/cap/spec.md': CAP });
    const made = newChange(target.specs(), target.disk, { ...options, today: TODAY });
    const catalog = target.specs();
    expect(reportOf(judgeChanges(catalog), { strict: true })).toMatchObject({
      valid: true,
      errors: [],
      warnings: [{ code: 'change-template-text' }, { code: 'change-template-text' }],
      info: [],
    });
    expect(catalog.changes.map(({ id, progress }) => [id, progress.total])).toEqual([['add-login', 3]]);
    expect(made.files.length).toBe(4);
    expect(Object.keys(target.state()).filter((name) => name.includes('.lectern'))).toEqual([]);
  });

  test('text of the template is a warning with file and lines, and refuses the archive until it is replaced', async () => {
    using target = project({ 'project/openspec/specs/cap/spec.md': CAP });
    const { dir } = newChange(target.specs(), target.disk, { id: 'add-login', today: TODAY });
    const folder = 'project/openspec/changes/add-login';
    const found = (): [string, number | undefined][] =>
      reportOf(judgeChanges(target.specs()), { strict: true }).warnings.map(({ file, line }) => [
        path.relative(dir, file),
        line,
      ]);
    const archive = () =>
      planArchive(target.specs(), getChange(target.specs(), 'add-login'), { today: TODAY, allowOpenTasks: true });
    expect(found()).toEqual([
      ['proposal.md', 5],
      [path.join('specs', 'add-login', 'spec.md'), 3],
    ]);
    expect(await failureOf((async () => archive())())).toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('still has template text: line 5 "Describe what is missing'),
      path: path.join(dir, 'proposal.md'),
      line: 5,
      facts: { reason: 'change-template-text' },
    });
    target.write({
      [`${folder}/proposal.md`]: '# Login\n\n## Why\nPeople forget passwords.\n\n## What Changes\n- Codes\n',
    });
    expect(found()).toEqual([[path.join('specs', 'add-login', 'spec.md'), 3]]);
    // One clause that was not replaced is enough.
    const delta = `## ADDED Requirements\n${requirement('Login')}\n`;
    target.write({
      [`${folder}/specs/add-login/spec.md`]: delta.replace('- **THEN** b', '- **THEN** the outcome can be observed'),
    });
    expect(found()).toEqual([[path.join('specs', 'add-login', 'spec.md'), 7]]);
    expect(await failureOf((async () => archive())())).toMatchObject({ line: 7 });
    // In a code fence, the text is an example.
    target.write({ [`${folder}/specs/add-login/spec.md`]: `${delta}\n\`\`\`\n- **WHEN** something happens\n\`\`\`\n` });
    expect(found()).toEqual([]);
    expect(archive().specs).toMatchObject([{ action: 'created' }]);
  });

  test.each(['../evil', '/etc/x', 'a/b', 'Upper', 'con', 'archive', '', '.hidden', 'a b', 'x'.repeat(200), 'nul'])(
    'a name that cannot be a folder is refused (%#)',
    (id) => {
      using target = project({ 'project/openspec/specs/cap/spec.md': CAP });
      const before = target.state();
      expect(() => newChange(target.specs(), target.disk, { id, today: TODAY })).toThrow(Failure);
      expect(() =>
        newChange(target.specs(), target.disk, {
          id: 'fine',
          capability: id === 'a/b' ? 'a//b' : id,
          today: TODAY,
        }),
      ).toThrow(Failure);
      expect(target.state()).toEqual(before);
    },
  );

  test('an existing one is never touched', () => {
    using target = project({ 'project/openspec/changes/go/proposal.md': 'mine' });
    expect(() => newChange(target.specs(), target.disk, { id: 'go', today: TODAY })).toThrow(
      'There is already a change "go".',
    );
    expect(target.read('project/openspec/changes/go/proposal.md')).toBe('mine');
  });

  test('with several roots, one must be specified', () => {
    using target = project({
      'project/packages/a/openspec/specs/x/spec.md': CAP,
      'project/packages/b/openspec/specs/x/spec.md': CAP,
    });
    expect(() => newChange(target.specs(), target.disk, { id: 'go', today: TODAY })).toThrow(
      'There are several specs folders here',
    );
    expect(newChange(target.specs(), target.disk, { id: 'go', root: 'packages/b', today: TODAY }).dir).toContain(
      'packages/b/openspec/changes/go',
    );
  });
});

describe('a change against the specs of today', () => {
  test('shows each requirement with its difference, and why it cannot be applied', () => {
    using target = project({
      'project/openspec/specs/cap/spec.md': CAP,
      'project/openspec/changes/go/specs/cap/spec.md': `## MODIFIED Requirements\n${requirement('Beta', { text: 'The system SHALL beta.\nTwice.', scenarios: ['B'] })}\n\n## REMOVED Requirements\n### Requirement: Alpha\n`,
      'project/openspec/changes/go/specs/fresh/spec.md': `## MODIFIED Requirements\n${requirement('Nothing')}\n`,
    });
    const catalog = target.specs();
    const [change] = catalog.changes;
    const [cap, fresh] = change ? diffChange(catalog, change) : [];
    expect(cap?.requirements.map(({ operation, requirement: name }) => [operation, name])).toEqual([
      ['modified', 'Beta'],
      ['removed', 'Alpha'],
    ]);
    expect(cap?.requirements[0]?.diff).toBe(
      '--- Beta\n+++ Beta\n@@ -1,5 +1,6 @@\n ### Requirement: Beta\n The system SHALL beta.\n+Twice.\n \n #### Scenario: B\n - **WHEN** a\n',
    );
    expect(cap?.refused).toBeUndefined();
    expect(fresh).toMatchObject({ isNew: true, refused: expect.stringContaining('does not exist yet') });
  });
});

describe('overlap', () => {
  test('names every change that touches a requirement, across operations and spellings', () => {
    using target = project({
      'project/openspec/changes/a/specs/cap/spec.md': `## MODIFIED Requirements\n${requirement('Alpha')}\n`,
      'project/openspec/changes/b/specs/cap/spec.md':
        '## RENAMED Requirements\nFROM: ### Requirement: alpha\nTO: ### Requirement: Beta\n',
      'project/openspec/changes/c/specs/cap/spec.md': `## ADDED Requirements\n${requirement('Beta')}\n\n${requirement('Gamma')}\n`,
      'project/openspec/changes/d/specs/other/spec.md': `## ADDED Requirements\n${requirement('Alpha')}\n`,
    });
    expect(
      findOverlaps(target.specs().changes).map(({ capability, requirement: name, claims }) => [
        capability,
        name,
        claims.map(({ change, operation }) => `${change} ${operation}`),
      ]),
    ).toEqual([
      ['cap', 'Alpha', ['a modified', 'b renamed']],
      ['cap', 'Beta', ['b renamed', 'c added']],
    ]);
  });
});
