/** The header of the pages of a change: its state, size, and overlaps with other changes. */
import { flag, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import type { ChangeFolder } from '../specs/change-folder.ts';
import type { CapabilityDiff } from '../specs/diff.ts';
import type { Reader } from '../workspace/reader.ts';
import { changeOverlaps, SHARED } from './change-overlaps.ts';
import { countsOf, DELTA_COUNTS } from './change-states.ts';
import { changeStatus } from './change-status.ts';
import { CHANGE_STATE, TASK_PROGRESS } from './shapes.ts';

const HEAD = {
  id: text(),
  title: text(),
  root: text('The name of its root; in a shared catalog, the source'),
  archived: flag(),
  ...CHANGE_STATE,
  why: text('The first paragraph below "Why" in the proposal'),
  design: flag('Whether it has a design'),
  task_progress: object(TASK_PROGRESS),
  open_tasks: list(text()),
  counts: DELTA_COUNTS,
  errors: integer('Errors that make it invalid'),
  refused: integer('Deltas that cannot be applied, although the change may be valid'),
  overlaps: list(
    object({ other: text(), shared: list(object(SHARED)) }),
    'Other active changes, with the requirements that both touch',
  ),
} as const;
export const CHANGE_HEAD = optional(object(HEAD, 'On the page: the header of the change'));
export type ChangeHead = ObjectOf<typeof HEAD>;

/** Maximum number of overlapping changes. */
const OVERLAPS_MAX = 5;

/** Pass `capabilities` if the change is already compared with the specs. */
export async function changeHead(
  workspace: Reader,
  change: ChangeFolder,
  capabilities?: readonly CapabilityDiff[],
): Promise<ChangeHead> {
  const catalog = await workspace.snapshot.specs();
  const { diffChange } = await import('../specs/diff.ts');
  const { state, reason, blockedBy, parts } = await changeStatus.run({ change_id: change.id }, workspace, {});
  const { completed, total } = change.progress;
  const isRefused = ({ refused }: CapabilityDiff): boolean => refused !== undefined;
  return {
    id: change.id,
    title: change.title,
    root: change.root.name,
    archived: change.isArchived,
    state,
    ...(blockedBy ? { reason, blockedBy } : {}),
    why: whyOf(change.proposal?.text ?? ''),
    design: change.design !== undefined,
    task_progress: { completed, total },
    open_tasks: change.tasks.flatMap((task) => (task.done ? [] : [task.text])),
    counts: countsOf(change),
    errors: parts.reduce((sum, part) => sum + part.errors, 0),
    refused: change.isArchived ? 0 : (capabilities ?? diffChange(catalog, change)).filter(isRefused).length,
    overlaps: await overlapsOf(workspace, change),
  };
}

async function overlapsOf(workspace: Reader, change: ChangeFolder): Promise<ChangeHead['overlaps']> {
  const { otherChanges } = await import('../specs/overlap.ts');
  const catalog = await workspace.snapshot.specs();
  const named = catalog.overlapsOf(change).flatMap(({ overlap }) => otherChanges(change.id, [overlap]).named);
  const overlaps = [];
  for (const other of [...new Set(named)].slice(0, OVERLAPS_MAX)) {
    const { compared = [] } = await changeOverlaps.run({ change_id: change.id, other_id: other }, workspace, {});
    overlaps.push({ other, shared: compared });
  }
  return overlaps;
}

function whyOf(proposal: string): string {
  const [, below = ''] = /^#{1,3}[ \t]+why\b.*(?:\r\n|\r|\n)([\s\S]*)/imu.exec(proposal) ?? [];
  const [paragraph = ''] = below.trim().split(/\n[^\S\n]*\n|\n(?=#)/u);
  return paragraph.startsWith('#') ? '' : paragraph.replace(/\s+/gu, ' ').trim().slice(0, WHY_CHARACTERS);
}

const WHY_CHARACTERS = 400;
