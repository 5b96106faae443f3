import { describe, expect, test } from 'vitest';
import { archiveChange } from '../../src/operations/archive-change.ts';
import { specCounts } from '../../src/operations/spec-counts.ts';
import { renderSpecs } from '../../src/render/specs.ts';
import { makeStyle } from '../../src/render/style.ts';
import { ask } from '../support/ask.ts';
import { crowdedHome } from '../support/crowded-home.ts';
import { HOME, project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { CAP, requirement } from '../support/spec-text.ts';

const PROPOSAL = '## Why\nBecause customers have been asking for it for a very long time.\n\n## What Changes\n- Much\n';

interface Change {
  delta: string;
  tasks?: string;
}

function withChanges(changes: Record<string, Change>): ProjectFiles {
  return {
    'project/openspec/specs/cap/spec.md': CAP,
    ...Object.fromEntries(
      Object.entries(changes).flatMap(([name, { delta, tasks = '- [x] 1.1 done\n' }]) => [
        [`project/openspec/changes/${name}/proposal.md`, PROPOSAL],
        [`project/openspec/changes/${name}/tasks.md`, `## 1. Work\n\n${tasks}`],
        [`project/openspec/changes/${name}/specs/cap/spec.md`, delta],
      ]),
    ),
  };
}

const added = (name: string): Change => ({ delta: `## ADDED Requirements\n\n${requirement(name)}\n` });
const beta = (text: string): Change => ({
  delta: `## MODIFIED Requirements\n\n${requirement('Beta', { text, scenarios: ['B'] })}\n`,
});
const modified = (name: string, text: string): Change => ({
  delta: `## MODIFIED Requirements\n\n${requirement(name, { text })}\n`,
});
const removed = (name: string): Change => ({
  delta: `## REMOVED Requirements\n\n### Requirement: ${name}\n**Reason**: Unused.\n**Migration**: None.\n`,
});

async function mapOf(files: ProjectFiles) {
  const { map } = await ask(specCounts, { map: true }, await project(files).open());
  if (!map) throw new Error('there is no map');
  return map;
}

describe('the order to archive', () => {
  test('starts with changes that touch nothing that others touch, the most finished first', async () => {
    const { order } = await mapOf(
      withChanges({
        a: { ...added('One'), tasks: '- [ ] 1.1 open\n' },
        b: added('Two'),
        c: beta('The system SHALL beta more.'),
        d: { ...beta('The system SHALL beta less.'), tasks: '- [ ] 1.1 open\n' },
      }),
    );
    expect(order.map(({ change, kind }) => [change, kind])).toEqual([
      ['b', 'free'],
      ['a', 'free'],
      ['c', 'ordered'],
      ['d', 'conflict'],
    ]);
    expect(order.at(-1)).toMatchObject({ after: ['c'], reason: expect.stringContaining('replaces') });
  });

  test('puts a change after the one that it needs, although it has more finished tasks', async () => {
    const { order, rows } = await mapOf(
      withChanges({
        limits: modified('Queue', 'The system SHALL queue ten.'),
        queue: { ...added('Queue'), tasks: '- [ ] 1.1 open\n' },
      }),
    );
    expect(order).toEqual([
      { change: 'queue', kind: 'ordered', after: [] },
      { change: 'limits', kind: 'ordered', after: ['queue'] },
    ]);
    // The map shows the state now, in which the second cannot be archived.
    expect(rows).toMatchObject([
      {
        spec_id: 'cap',
        cells: [
          { change: 'limits', refused: expect.stringContaining('no such requirement'), meets: ['queue'] },
          { change: 'queue', counts: { added: 1 }, meets: ['limits'] },
        ],
      },
    ]);
  });

  test('prefers the order in which the second change still applies', async () => {
    const { order } = await mapOf(withChanges({ drop: removed('Beta'), edit: beta('The system SHALL beta more.') }));
    expect(order.map(({ change }) => change)).toEqual(['edit', 'drop']);
  });

  test('ends with changes that would be refused in any order', async () => {
    const { order } = await mapOf(withChanges({ gone: modified('Gamma', 'The system SHALL g.'), more: added('More') }));
    expect(order).toMatchObject([
      { change: 'more', kind: 'free' },
      { change: 'gone', kind: 'refused', reason: expect.stringContaining('no such requirement') },
    ]);
  });

  test('can be followed: every change that it does not mark is archived without a refusal', async () => {
    const home = Object.fromEntries(
      Object.entries(crowdedHome()).map(([name, text]) => [
        name,
        name.endsWith('tasks.md') && typeof text === 'string' ? text.replaceAll('[ ]', '[x]') : text,
      ]),
    );
    const place = project(home);
    const workspace = await place.open();
    const { map } = await ask(specCounts, { map: true }, workspace);
    const possible = map?.order.filter(({ kind }) => kind !== 'refused') ?? [];
    expect([possible.length, map?.order.length]).toEqual([19, 20]);
    for (const { change } of possible) {
      await ask(archiveChange, { change_id: change, today: '2026-06-01' }, workspace);
      expect(place.exists(`project/openspec/changes/archive/2026-06-01-${change}/tasks.md`)).toBe(true);
      await workspace.fresh();
    }
  });
});

describe('the map', () => {
  test('has a row for each touched spec, with the counts of each change', async () => {
    const map = await mapOf(crowdedHome());
    expect(map.changes).toHaveLength(20);
    expect(map.rows.filter(({ spec_id: id }) => id === undefined)).toMatchObject([{ capability: 'shipping/lockers' }]);
    expect(map.rows.find(({ capability }) => capability === 'billing/addresses')?.cells).toEqual([
      { change: 'show-step-01', counts: { added: 1, modified: 0, removed: 1, renamed: 0 } },
    ]);
    const cells = map.rows.flatMap((row) => row.cells);
    expect(
      cells
        .filter(({ refused }) => refused !== undefined)
        .map(({ change }) => change)
        .toSorted(),
    ).toEqual(['limit-export-queue', 'rename-old-alerts']);
    expect(cells.filter(({ meets }) => meets !== undefined)).toHaveLength(6);
  });

  test('marks only the spec that a refusal concerns', async () => {
    const files = withChanges({ both: modified('Gamma', 'The system SHALL g.') });
    files['project/openspec/changes/both/specs/other/spec.md'] = `## ADDED Requirements\n\n${requirement('New')}\n`;
    const { rows } = await mapOf(files);
    expect(rows.map(({ capability, cells: [cell] }) => [capability, cell?.refused !== undefined])).toEqual([
      ['cap', true],
      ['other', false],
    ]);
  });

  test('counts archived changes by the weeks in the names of their folders', async () => {
    const { archived } = await mapOf({
      ...withChanges({}),
      'project/openspec/changes/archive/2026-01-04-sunday/proposal.md': PROPOSAL,
      'project/openspec/changes/archive/2026-01-05-monday/proposal.md': PROPOSAL,
      'project/openspec/changes/archive/2026-01-11-sunday/proposal.md': PROPOSAL,
      'project/openspec/changes/archive/2026-99-99-never/proposal.md': PROPOSAL,
      'project/openspec/changes/archive/undated/proposal.md': PROPOSAL,
    });
    expect(archived).toEqual({
      total: 5,
      weeks: [
        { week: '2025-12-29', changes: 1 },
        { week: '2026-01-05', changes: 2 },
      ],
    });
  });

  test('is printed with the order', async () => {
    const style = makeStyle({ color: false, cwd: PROJECT, home: HOME });
    const text = renderSpecs(await ask(specCounts, { map: true }, await project(crowdedHome()).open()), style);
    expect(text).toContain('billing/exports\n  +1  add-export-queue  meets limit-export-queue\n');
    expect(text).toContain('limit-export-queue: after add-export-queue\n');
    expect(text).toMatch(/rename-old-alerts: refused: .*no such requirement\n/u);
  });
});
