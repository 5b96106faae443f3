/** One source of a shared catalog and its versions. Only the versions are read from the database; the rest is in memory. */
import { Failure } from '../../core/failure.ts';
import { flag, integer, list, object, optional, text } from '../../core/fields/field.ts';
import { nearest } from '../../core/near.ts';
import { echo } from '../../core/text.ts';
import type { View } from '../../hub/view.ts';
import { defineOperation } from '../../operations/define.ts';
import { NAME, NEXT_CURSOR, PAGE } from '../../operations/shapes.ts';
import type { HistoryEntry, StoredSource } from '../../store/catalog-store.ts';
import { factsOf, SOURCE } from './list-sources.ts';

/** Returns the versions before a number, newest first; undefined if the database is unavailable. */
export type ReadHistory = (
  source: StoredSource,
  limit: number,
  before: number | undefined,
) => Promise<HistoryEntry[] | undefined>;

const VERSION = {
  number: integer(),
  at: text('ISO 8601'),
  actor: text(),
  action: text('publish or rollback'),
  restored: optional(integer('Version that a rollback restored')),
  commit: optional(text()),
  added: integer('Files'),
  changed: integer(),
  removed: integer(),
  skipped: optional(integer('Skills that were left out')),
  pruned: optional(flag('Can no longer be restored')),
} as const;

const AT_ONCE = 50;

export function sourceHistory(readHistory: ReadHistory) {
  return defineOperation({
    name: 'source_history',
    title: 'History of a source',
    summary: 'Show one source of a shared catalog and its versions',
    params: {
      team: { ...NAME, required: true, help: 'Team' },
      name: { ...NAME, required: true, help: 'Name of the source' },
      cursor: PAGE.cursor,
    },
    output: {
      ...SOURCE,
      versions: list(object(VERSION), 'Newest first'),
      unreadable: optional(flag('The database is unavailable, so no versions are listed')),
      nextCursor: NEXT_CURSOR,
    },
    reads: 'none',
    async run({ team, name, cursor }, view: View) {
      const wanted = `${team}/${name}`;
      const found = view.sources.find(({ source }) => source.name === wanted);
      if (!found) throw missing(wanted, view);
      // Skip versions newer than the snapshot of this page.
      const before = Math.min(Number(cursor ?? Infinity), found.source.stored.version + 1);
      const read = await readHistory(found.source.stored, AT_ONCE + 1, before);
      const versions = read?.slice(0, AT_ONCE) ?? [];
      const last = versions.at(-1);
      return {
        ...factsOf(found),
        versions,
        ...(read ? {} : { unreadable: true }),
        ...(last && read && read.length > AT_ONCE ? { nextCursor: String(last.number) } : {}),
      };
    },
  });
}

/** Does not distinguish missing sources from those that the caller cannot see. */
function missing(wanted: string, { sources }: View): Failure {
  const suggestions = nearest(
    wanted,
    sources.map(({ source }) => source.name),
  );
  return new Failure('NOT_FOUND', `There is no source "${echo(wanted)}".`, {
    suggestions,
    hint: 'See the list of sources.',
  });
}
