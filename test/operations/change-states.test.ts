import { describe, expect, test } from 'vitest';
import { changeStates } from '../../src/operations/change-states.ts';
import { changeStatus } from '../../src/operations/change-status.ts';
import { overview } from '../../src/operations/overview.ts';
import { specCounts } from '../../src/operations/spec-counts.ts';
import { viewChanges } from '../../src/operations/view-changes.ts';
import { renderBoard, renderChanges } from '../../src/render/changes.ts';
import { renderSpecs } from '../../src/render/specs.ts';
import { makeStyle } from '../../src/render/style.ts';
import { reflow } from '../../src/render/width.ts';
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
  test('is draft, in progress, blocked, ready to archive or archived; done but not archivable is blocked, with reasons and fixes', async () => {
    const workspace = await project(FILES).open();
    const { changes } = await ask(changeStates, {}, workspace);
    expect(changes.map(({ id, state, reason }) => [id, state, reason])).toEqual([
      ['a-draft', 'draft', undefined],
      ['b-half', 'in progress', undefined],
      ['c-broken', 'blocked', expect.stringContaining('is not valid')],
      ['d-ready', 'ready to archive', undefined],
    ]);
    expect(changes.map(({ blockedBy }) => blockedBy !== undefined)).toEqual([false, false, true, false]);
    expect((await ask(changeStates, { archived: true }, workspace)).changes).toMatchObject([{ state: 'archived' }]);
  });

  test('a change that is done and valid but does not fit the current spec is blocked', async () => {
    const delta = DELTA.replace('ADDED', 'MODIFIED');
    const workspace = await project(change('unfit', '- [x] one\n', delta)).open();
    const blocked = {
      state: 'blocked',
      reason: expect.stringContaining('The delta for thing cannot be applied: the capability does not exist yet'),
      blockedBy: [
        {
          code: 'delta-target-missing',
          reason: expect.stringContaining('does not exist yet'),
          fix: expect.stringContaining('move the requirement below "## ADDED Requirements"'),
          file: expect.stringContaining('spec.md'),
          line: 2,
        },
      ],
    };
    expect((await ask(changeStates, {}, workspace)).changes).toMatchObject([blocked]);
    expect(await ask(changeStatus, { change_id: 'unfit' }, workspace)).toMatchObject({
      ...blocked,
      next: [expect.stringContaining('does not exist yet'), 'lectern change archive unfit --dry-run'],
    });
    expect((await ask(overview, {}, workspace)).changes).toMatchObject([blocked]);
    const { states } = await ask(viewChanges, {}, workspace);
    expect(states.find(({ state }) => state === 'blocked')).toMatchObject({ total: 1, changes: [blocked] });
  });

  test('every reason is listed, and the first one says how many more there are', async () => {
    const two = {
      ...change('two', '- [x] one\n', DELTA.replace('ADDED', 'MODIFIED')),
      [`${CHANGES}/two/specs/other/spec.md`]: DELTA.replace('ADDED', 'MODIFIED'),
    };
    const { changes } = await ask(changeStates, {}, await project(two).open());
    expect(changes).toMatchObject([{ reason: expect.stringMatching(/\(and 1 more\)\.$/u) }]);
    expect(changes[0]?.blockedBy?.map(({ code }) => code)).toEqual(['delta-target-missing', 'delta-target-missing']);
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
      open: false,
    });
    expect(text).toMatch(/a-draft +draft +0\/1 +\d+(?:mo|y) +Change$/mu);
  });

  test('puts ready changes first in the overview, then blocked ones', async () => {
    const { changes } = await ask(overview, {}, await project(FILES).open());
    expect(changes.slice(0, 2)).toMatchObject([
      { id: 'd-ready', state: 'ready to archive' },
      { id: 'c-broken', state: 'blocked' },
    ]);
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
    expect(await status('c-broken')).toEqual([
      'present invalid missing present',
      expect.stringContaining('is not valid'),
      'lectern change archive c-broken --dry-run',
    ]);
    expect(await status('d-ready')).toEqual(['present present missing present', 'lectern change archive d-ready']);
  });
});

test('specs are listed with the number of their requirements and scenarios', async () => {
  expect((await ask(specCounts, {}, await project(FILES).open())).specs).toMatchObject([
    { id: 'login', requirements: 2, scenarios: 3 },
  ]);
});

describe('lists of changes as text', () => {
  const STYLE = makeStyle({ color: false, width: 80 });
  const LONG = 'a-change-with-a-name-that-is-as-long-as-names-of-changes-get';

  const textAt = async (width: number, files = FILES, input: { open?: boolean } = {}) => {
    const workspace = await project(files).open();
    const text = renderChanges(await ask(changeStates, input, workspace), makeStyle({ color: false, width }), {
      archived: false,
      open: input.open ?? false,
    });
    return reflow(text, width);
  };

  test('have column heads, fit 80 columns, and draw bars only from 100 columns on', async () => {
    const files = { ...FILES, ...change('x'.repeat(40), '- [x] one\n- [ ] two\n') };
    const narrow = await textAt(80, files);
    expect(narrow).toMatch(/^ {2}CHANGE +STATE +TASKS/u);
    expect(narrow.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(narrow).not.toContain('█');
    expect(await textAt(99, files)).not.toContain('█');
    expect(await textAt(100, files)).toContain('█');
  });

  test('at 50 columns every line fits and no word is broken', async () => {
    const files = { ...FILES, ...change(LONG, '- [x] one\n- [ ] Write the tests for everything that can go wrong\n') };
    for (const input of [{}, { open: true }]) {
      const wide = await textAt(400, files, input);
      const narrow = await textAt(50, files, input);
      const words = new Set(wide.split(/\s+/u));
      expect(narrow.split('\n').filter((line) => line.length > 50 && !line.includes(LONG))).toEqual([]);
      expect(narrow).toContain(LONG);
      // A narrow list names the unit instead of having heads.
      expect(narrow.split(/\s+/u).filter((word) => !words.has(word) && word !== 'tasks')).toEqual([]);
    }
  });

  test('--open prints the open tasks, the reasons of blocked changes and the commands for finished ones', async () => {
    const workspace = await project(FILES).open();
    const { changes } = await ask(changeStates, { open: true }, workspace);
    expect(changes.map(({ id, openTasks }) => [id, openTasks?.map(({ text, line }) => `${line} ${text}`)])).toEqual([
      ['a-draft', ['1 one']],
      ['b-half', ['2 two']],
      ['c-broken', []],
      ['d-ready', []],
    ]);
    const text = renderChanges({ changes }, STYLE, { archived: false, open: true });
    expect(text).toContain('[ ] two');
    expect(text).not.toContain('[ ] one\n  [ ] two');
    expect(text).toContain('! "c-broken" is not valid');
    expect(text).toContain('lectern change archive d-ready');
  });

  test('the view has a section with a total for each state', async () => {
    const workspace = await project(FILES).open();
    const board = await ask(viewChanges, {}, workspace);
    expect(board.states.map(({ state, total }) => [state, total])).toEqual([
      ['draft', 1],
      ['in progress', 1],
      ['blocked', 1],
      ['ready to archive', 1],
      ['archived', 1],
    ]);
    expect(board.tasks).toEqual({ completed: 3, total: 5 });
    const text = renderBoard(board, STYLE);
    expect(text).toMatch(/^4 active changes, 3 of 5 tasks done; 1 archived$/mu);
    for (const head of ['Draft 1', 'In progress 1', 'Blocked 1', 'Ready to archive 1', 'Archived 1'])
      expect(text).toContain(`\n${head}\n`);
    expect((await ask(viewChanges, { archived: 0 }, workspace)).states.at(-1)).toEqual({
      state: 'archived',
      total: 1,
      changes: [],
    });
  });

  test('specs and changes of a monorepo name their package; those of one folder do not', async () => {
    const inPackage = (name: string) =>
      Object.fromEntries(
        Object.entries(FILES).map(([file, text]) => [file.replace('project/', `project/packages/${name}/`), text]),
      );
    const workspace = await project({ ...inPackage('api'), ...inPackage('shop') }).open();
    const listed = await ask(changeStates, {}, workspace);
    expect(new Set(listed.changes.map((each) => each.package))).toEqual(new Set(['packages/api', 'packages/shop']));
    expect(renderChanges(listed, makeStyle({ color: false, width: 120 }), { archived: false, open: false })).toMatch(
      /CHANGE +PACKAGE +STATE/u,
    );
    const counted = await ask(specCounts, {}, workspace);
    expect(counted.specs.map((each) => each.package)).toEqual(['packages/api', 'packages/shop']);
    expect(renderSpecs(counted, STYLE)).toMatch(/SPEC +PACKAGE +REQS +SCENARIOS/u);
    const alone = await project(FILES).open();
    expect((await ask(changeStates, {}, alone)).changes.some((each) => each.package !== undefined)).toBe(false);
    expect(renderSpecs(await ask(specCounts, {}, alone), STYLE)).toMatch(/^ {2}SPEC +REQS +SCENARIOS +PURPOSE\n/u);
  });
});
