/** The open changes by spec, the order in which to archive them, and the changes that were archived each week. */
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import type { Failure } from '../core/failure.ts';
import { localDay } from '../core/local-day.ts';
import { memo } from '../core/memo.ts';
import { compareText } from '../core/text.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { ChangeFolder, DeltaFile } from '../specs/change-folder.ts';
import { CHANGE_STATES, STEP_KINDS } from '../specs/state-names.ts';
import { countDelta, DELTA_COUNTS, describeActive } from './change-states.ts';
import { PACKAGE, packageOf, TASK_PROGRESS } from './shapes.ts';

const CELL = {
  change: text(),
  counts: DELTA_COUNTS,
  refused: optional(text('Why archiving the change would be refused now')),
  meets: optional(list(text(), 'Other open changes that touch one of the same requirements')),
} as const;

const MAP = {
  changes: list(object({ id: text(), state: choice(CHANGE_STATES), task_progress: object(TASK_PROGRESS) })),
  changesLeftOut: optional(integer('Number of open changes that are not in the map')),
  rows: list(
    object({
      capability: text(),
      spec_id: optional(text('Missing for a spec that does not exist yet')),
      package: PACKAGE,
      cells: list(object(CELL)),
    }),
    'Specs that open changes touch, most touched first',
  ),
  order: list(
    object({
      change: text(),
      kind: choice(
        STEP_KINDS,
        'free: touches nothing that other changes touch; ordered: nothing is lost in this order; conflict: something is lost in any order; refused: cannot be archived as it is',
      ),
      after: list(text(), 'Changes to archive before this one'),
      reason: optional(text('Of a conflict or a refusal')),
    }),
    'An order in which to archive the changes',
  ),
  archived: object({
    total: integer(),
    weeks: list(
      object({ week: text('Its Monday, as YYYY-MM-DD'), changes: integer() }),
      'By the dates in the names of their folders',
    ),
  }),
} as const;
export type SpecMap = ObjectOf<typeof MAP>;

export const SPEC_MAP = optional(
  object(MAP, 'With map: the open changes by spec, the order in which to archive them, and archived changes by week'),
);

/** Each change is planned like an archive run, so a shared catalog shows only the first ones. */
const CHANGES_MAX = 200;
const WEEKS_MAX = 104;

/** Computed once per catalog. */
export const specMap = memo(async (catalog: SpecCatalog): Promise<SpecMap> => {
  const [{ attemptArchive }, { ARCHIVE_DATE }, { archiveSequence }] = await Promise.all([
    import('../specs/archive.ts'),
    import('../specs/catalog.ts'),
    import('../specs/archive-sequence.ts'),
  ]);
  const all = catalog.changes.filter(({ deltas }) => deltas.length > 0);
  const changes = all.slice(0, CHANGES_MAX);
  const today = localDay();
  const refusals = new Map<ChangeFolder, readonly Failure[]>(
    changes.map((change) => [change, attemptArchive(catalog, change, { today, allowOpenTasks: true }).refusals ?? []]),
  );
  const states = new Map((await describeActive(catalog)).map((change) => [change.id, change]));
  return {
    changes: changes.map(({ id, progress: { completed, total } }) => ({
      id,
      state: states.get(id)?.state ?? 'draft',
      task_progress: { completed, total },
    })),
    ...(all.length > changes.length ? { changesLeftOut: all.length - changes.length } : {}),
    rows: rowsOf(catalog, changes, refusals),
    order: archiveSequence(catalog, changes, refusals),
    archived: archivedByWeek(
      catalog.archived.length,
      catalog.archived.flatMap(({ name }) => (ARCHIVE_DATE.test(name) ? name.slice(0, 10) : [])),
    ),
  };
});

function rowsOf(
  catalog: SpecCatalog,
  changes: readonly ChangeFolder[],
  refusals: ReadonlyMap<ChangeFolder, readonly Failure[]>,
): SpecMap['rows'] {
  const rows = new Map<string, SpecMap['rows'][number]>();
  for (const change of changes)
    for (const delta of change.deltas) {
      const { capability } = delta;
      const spec = catalog.specFor(change.root, capability);
      const key = `${change.root.specsDir}\0${capability}`;
      const row = rows.get(key) ?? {
        capability,
        ...(spec ? { spec_id: spec.id } : {}),
        ...packageOf(catalog, change),
        cells: [],
      };
      rows.set(key, row);
      const refused = refusalFor(catalog, change, delta, refusals.get(change) ?? []);
      const meets = meeting(catalog, change, capability);
      row.cells.push({
        change: change.id,
        counts: countDelta(delta),
        ...(refused === undefined ? {} : { refused }),
        ...(meets.length === 0 ? {} : { meets }),
      });
    }
  return [...rows.values()].sort((a, b) => b.cells.length - a.cells.length || compareText(a.capability, b.capability));
}

/** Returns the reason that concerns a delta or its spec, or one that concerns the whole change. */
function refusalFor(
  catalog: SpecCatalog,
  change: ChangeFolder,
  { capability, file }: DeltaFile,
  refusals: readonly Failure[],
): string | undefined {
  const placesOf = (delta: Pick<DeltaFile, 'capability' | 'file'>): (string | undefined)[] => [
    delta.file.path,
    catalog.specFor(change.root, delta.capability)?.file.path,
  ];
  const own = placesOf({ capability, file });
  const others = new Set(change.deltas.filter((delta) => delta.capability !== capability).flatMap(placesOf));
  return refusals.find(({ path }) => own.includes(path) || !others.has(path))?.message;
}

function meeting(catalog: SpecCatalog, change: ChangeFolder, capability: string): string[] {
  const claims = catalog
    .overlapsOf(change)
    .flatMap(({ overlap }) => (overlap.capability === capability ? overlap.claims.slice(0, CHANGES_MAX) : []));
  return [...new Set(claims.map((claim) => claim.change))].filter((id) => id !== change.id).slice(0, CHANGES_MAX);
}

const DAY_MS = 24 * 60 * 60 * 1000;

function archivedByWeek(total: number, dates: readonly string[]): SpecMap['archived'] {
  const weeks = new Map<string, number>();
  for (const date of dates) {
    const day = Date.parse(`${date}T00:00:00Z`);
    if (Number.isNaN(day)) continue;
    const monday = new Date(day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
    weeks.set(monday, (weeks.get(monday) ?? 0) + 1);
  }
  const inOrder = [...weeks].sort(([a], [b]) => compareText(a, b)).slice(-WEEKS_MAX);
  return { total, weeks: inOrder.map(([week, changes]) => ({ week, changes })) };
}
