/** Many active changes that touch one requirement: no answer may grow with the square of their number. */
import { expect, test } from 'vitest';
import type { AnyOperation } from '../../src/operations/define.ts';
import { changeOverlaps } from '../../src/operations/change-overlaps.ts';
import { changeStates } from '../../src/operations/change-states.ts';
import { diffChange } from '../../src/operations/diff-change.ts';
import { showChange } from '../../src/operations/show-change.ts';
import { validateChange } from '../../src/operations/validate-specs.ts';
import { renderChange } from '../../src/render/change.ts';
import { renderOverlapReport } from '../../src/render/diff.ts';
import { makeStyle } from '../../src/render/style.ts';
import { ask } from '../support/ask.ts';
import { project } from '../support/project.ts';
import { CAP, requirement } from '../support/spec-text.ts';

const style = makeStyle({ color: false, width: undefined, cwd: '/', home: undefined });

function manyChanges(count: number) {
  const delta = `## MODIFIED Requirements\n${requirement('Beta', { scenarios: ['B', 'C'] })}\n`;
  const changes = Array.from({ length: count }, (_, at) => {
    const dir = `project/openspec/changes/change-${String(at).padStart(4, '0')}`;
    return [
      [`${dir}/proposal.md`, '# Go\n'],
      [`${dir}/specs/cap/spec.md`, delta],
    ];
  }).flat();
  return project({ 'project/openspec/specs/cap/spec.md': CAP, ...Object.fromEntries(changes) });
}

const REQUESTS: [string, AnyOperation, Record<string, string>][] = [
  ['change validate', validateChange, {}],
  ['change validate of one', validateChange, { change_id: 'change-0007' }],
  ['change list', changeStates, {}],
  ['change overlap', changeOverlaps, {}],
  ['change overlap of one', changeOverlaps, { change_id: 'change-0007' }],
  ['change show', showChange, { change_id: 'change-0007' }],
  ['change diff', diffChange, { change_id: 'change-0007' }],
];

test.each(REQUESTS)('%s grows with the number of changes, not with its square', async (_, operation, given) => {
  const sizes: number[] = [];
  for (const count of [100, 400]) {
    using target = manyChanges(count);
    const output = await ask(operation, given, await target.open());
    sizes.push(JSON.stringify(output).length);
  }
  const [few = 0, many = 0] = sizes;
  expect(many).toBeLessThan(few * 5);
});

test('the first changes are named, and the others are counted', async () => {
  using target = manyChanges(100);
  const workspace = await target.open();
  const { warnings } = await ask(validateChange, { change_id: 'change-0002' }, workspace);
  expect(warnings.map(({ description }) => description)).toContain(
    '"Beta" of cap is also touched by change-0000, change-0001, change-0003, change-0004, change-0005 and 94 more',
  );
  const { overlaps } = await ask(changeOverlaps, { change_id: 'change-0050' }, workspace);
  expect(overlaps).toMatchObject([{ requirement: 'Beta', left_out: 95 }]);
  expect(overlaps[0]?.claims.map(({ change }) => change)).toEqual([
    'change-0050',
    'change-0000',
    'change-0001',
    'change-0002',
    'change-0003',
  ]);
  const { changes } = await ask(changeStates, {}, workspace);
  expect(changes[99]).toMatchObject({
    overlaps: ['change-0000', 'change-0001', 'change-0002', 'change-0003', 'change-0004'],
    overlaps_left_out: 94,
  });
  const shown = await ask(showChange, { change_id: 'change-0050' }, workspace);
  expect(shown.overlaps).toMatchObject([{ changes: { length: 5 }, left_out: 94 }]);
  expect(renderChange(shown, style)).toContain('change-0004 and 94 more');
  expect(renderOverlapReport({ overlaps }, style)).toContain('and 95 more changes');
});
