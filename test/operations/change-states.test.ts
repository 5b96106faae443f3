import { describe, expect, test } from 'vitest';
import { changeStates } from '../../src/operations/change-states.ts';
import { changeStatus } from '../../src/operations/change-status.ts';
import { overview } from '../../src/operations/overview.ts';
import { specCounts } from '../../src/operations/spec-counts.ts';
import { renderChanges } from '../../src/render/changes.ts';
import { makeStyle } from '../../src/render/style.ts';
import { ask } from '../support/ask.ts';
import { project } from '../support/project.ts';

const CHANGES = 'project/openspec/changes';
const PROPOSAL =
  '# Change\n\n## Why\nBecause it is needed, and has been for a long time now.\n\n## What Changes\n- More\n';
const DELTA =
  '## ADDED Requirements\n### Requirement: X\nIt SHALL work.\n\n#### Scenario: Y\n- **WHEN** a\n- **THEN** b\n';
const change = (name: string, tasks: string, delta = DELTA) => ({
  [`${CHANGES}/${name}/proposal.md`]: PROPOSAL,
  [`${CHANGES}/${name}/tasks.md`]: tasks,
  [`${CHANGES}/${name}/specs/thing/spec.md`]: delta,
});
const FILES = {
  'project/openspec/specs/login/spec.md':
    '# Login\n\n## Purpose\nLet people in.\n\n## Requirements\n### Requirement: A\nIt SHALL be.\n\n#### Scenario: One\n- **WHEN** a\n- **THEN** b\n\n#### Scenario: Two\n- **WHEN** a\n- **THEN** b\n\n### Requirement: B\nIt SHALL be.\n\n#### Scenario: One\n- **WHEN** a\n- **THEN** b\n',
  ...change('a-draft', '- [ ] one\n'),
  ...change('b-half', '- [x] one\n- [ ] two\n'),
  ...change('c-broken', '- [x] one\n', '## ADDED Requirements\n### Requirement: X\nNothing.\n'),
  ...change('d-ready', '- [x] one\n'),
  ...change('archive/2026-01-01-old', '- [x] one\n'),
};

describe('the state of a change', () => {
  test('is draft, in progress, ready to archive or archived; all done but invalid stays in progress, with the reason', async () => {
    const workspace = await project(FILES).open();
    const { changes } = await ask(changeStates, {}, workspace);
    expect(changes.map(({ id, state, reason }) => [id, state, reason])).toEqual([
      ['a-draft', 'draft', undefined],
      ['b-half', 'in progress', undefined],
      ['c-broken', 'in progress', expect.stringContaining('all tasks are done, but it is not valid')],
      ['d-ready', 'ready to archive', undefined],
    ]);
    expect((await ask(changeStates, { archived: true }, workspace)).changes).toMatchObject([{ state: 'archived' }]);
  });

  test('a change that is done and valid but does not fit the current spec gives the reason', async () => {
    const delta = DELTA.replace('ADDED', 'MODIFIED');
    const workspace = await project(change('unfit', '- [x] one\n', delta)).open();
    const { changes } = await ask(changeStates, {}, workspace);
    expect(changes).toMatchObject([
      { state: 'ready to archive', reason: expect.stringContaining('archiving would be refused: the capability') },
    ]);
  });

  test('comes with an age, and lists sort by name, progress or the last change', async () => {
    using folder = project(FILES, 'disk');
    const workspace = await folder.open();
    const ids = async (sort: 'name' | 'recent' | 'progress') =>
      (await ask(changeStates, { sort }, workspace)).changes.map(({ id }) => id);
    expect(await ids('name')).toEqual(['a-draft', 'b-half', 'c-broken', 'd-ready']);
    expect(await ids('progress')).toEqual(['c-broken', 'd-ready', 'b-half', 'a-draft']);
    const { utimesSync } = await import('node:fs');
    for (const [index, id] of ['d-ready', 'a-draft', 'c-broken', 'b-half'].entries())
      for (const file of ['proposal.md', 'tasks.md', 'specs/thing/spec.md'])
        utimesSync(folder.at(`${CHANGES}/${id}/${file}`), 1_700_000_000 - index * 1000, 1_700_000_000 - index * 1000);
    await workspace.reload();
    expect(await ids('recent')).toEqual(['d-ready', 'a-draft', 'c-broken', 'b-half']);
    const text = renderChanges(await ask(changeStates, {}, workspace), makeStyle({ color: false, width: 80 }), {
      archived: false,
    });
    expect(text).toMatch(/a-draft +draft +░+ 0\/1 +\d+ months ago/u);
  });

  test('puts ready changes first in the overview', async () => {
    const { changes } = await ask(overview, {}, await project(FILES).open());
    expect(changes[0]).toMatchObject({ id: 'd-ready', state: 'ready to archive' });
  });
});

describe('the status of a change', () => {
  test('shows which parts are present and valid, and the next steps', async () => {
    const workspace = await project({ ...FILES, [`${CHANGES}/e-new/proposal.md`]: PROPOSAL }).open();
    const status = async (change_id: string) => {
      const { parts, next } = await ask(changeStatus, { change_id }, workspace);
      return [parts.map(({ state }) => state).join(' '), ...next];
    };
    expect(await status('e-new')).toEqual([
      'present missing missing missing',
      expect.stringContaining('write specs/'),
      expect.stringContaining('write tasks.md'),
    ]);
    expect(await status('b-half')).toEqual(['present present missing present', 'do the 1 open task in tasks.md']);
    expect(await status('c-broken')).toEqual(['present invalid missing present', 'lectern change validate c-broken']);
    expect(await status('d-ready')).toEqual(['present present missing present', 'lectern change archive d-ready']);
  });
});

test('specs are listed with the number of their requirements and scenarios', async () => {
  expect((await ask(specCounts, {}, await project(FILES).open())).specs).toMatchObject([
    { id: 'login', requirements: 2, scenarios: 3 },
  ]);
});
