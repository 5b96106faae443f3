/** Details of a list and its remedies for the page: the strips, and the words that are cut. */
import type { AppliedRemedy, Listing, Remedy } from '../agents/remedies.ts';
import type { listBlocks as ListBlocks } from '../agents/list-blocks.ts';
import { BLOCK_KINDS } from '../agents/names.ts';
import type { Seen } from '../agents/seen-by.ts';
import { isCut } from '../agents/status.ts';
import { pageFrom } from '../core/cursor.ts';
import { choice, integer, list, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { clip } from '../core/text.ts';
import type { Reader } from '../workspace/reader.ts';
import { STATUS } from './agent-shapes.ts';
import { REMEDY } from './setting-shapes.ts';
import { NEXT_CURSOR } from './shapes.ts';
import { loadsIn } from './usage.ts';

const STRIP = {
  id: optional({ ...REMEDY.id, help: 'The remedy; missing for the list now' }),
  limit: nullable(integer()),
  used: integer(),
  wanted: integer('Length of the list without a limit'),
  blocks: list(
    object({ kind: choice(BLOCK_KINDS), from: integer(), length: integer(), label: text() }),
    'Its parts: kept in the list, own for built-in skills, lost for what is cut off',
  ),
} as const;

const CUT_LINE = {
  name: text('Name in the list'),
  fullName: text(),
  path: text('The skill’s folder'),
  status: STATUS,
  text: text('The part of the description that the model gets'),
  lost: text('The rest of it; both are clipped if they are very long'),
  characters: integer('Length of the description'),
  lostCharacters: integer(),
  loads: optional(integer('With the setting usage: how often it was loaded through the server')),
} as const;

export const FIT_DETAILS = {
  strips: optional(list(object(STRIP), 'On the page: the list now and after each remedy, in the unit of its budget')),
  cut: optional(list(object(CUT_LINE), 'On the page: the descriptions that are cut, longest loss first')),
  cutTotal: optional(integer('On the page: the number of these descriptions')),
  nextCursor: NEXT_CURSOR,
} as const;
type Details = ObjectOf<typeof FIT_DETAILS>;

/** Blocks of each kind in one strip. Several strips share a page. */
const BLOCKS_MAX = 60;
const LINES = 40;
/** A description may be as long as a file. */
const TEXT_CHARACTERS = 1_500;

export async function fitDetails(
  workspace: Reader,
  listing: Listing,
  applied: readonly AppliedRemedy[],
  { after, cursor }: { after: Remedy['id'] | undefined; cursor: string | undefined },
): Promise<Details> {
  const { now } = listing;
  const { listBlocks } = await import('../agents/list-blocks.ts');
  const chosen = applied.find(({ remedy }) => remedy.id === after)?.after ?? now;
  const cut = await cutLines(workspace, listing, chosen);
  const { page, ...next } = pageFrom(cut, { limit: LINES, cursor });
  return {
    strips: [
      stripOf(now, listBlocks),
      ...applied.map(({ remedy: { id }, after: seen }) => ({ id, ...stripOf(seen, listBlocks) })),
    ],
    cut: page,
    cutTotal: cut.length,
    ...next,
  };
}

function stripOf(
  { budget, entries }: Seen,
  listBlocks: typeof ListBlocks,
): Omit<NonNullable<Details['strips']>[number], 'id'> {
  const { limit, used, wanted } = budget;
  const lines = entries.map(({ name, cost, fullCost, verdict }) => ({
    name,
    cost,
    fullCost,
    builtIn: verdict === undefined,
  }));
  return { limit, used, wanted, blocks: listBlocks(budget, lines, BLOCKS_MAX) };
}

/** Describes the lines that are cut in a list. Counts loads only where there are any, because counting may have just begun. */
async function cutLines(workspace: Reader, listing: Listing, seen: Seen): Promise<NonNullable<Details['cut']>> {
  const { toShorten } = await import('../agents/remedies.ts');
  const { loads } = workspace.snapshot.settings.usage.value ? await loadsIn(workspace) : { loads: new Map() };
  const lines = toShorten({ ...listing, now: seen }, 0).flatMap(({ entry, copy, description, shown }) => {
    const status = seen.verdicts.get(copy)?.status;
    const kept = shown === description ? description.length : commonStart(shown, description);
    if (kept === description.length || status === undefined || !(isCut(status) || status === 'dropped')) return [];
    return {
      name: entry?.name ?? copy.name,
      fullName: copy.fullName,
      path: copy.path,
      status,
      text: clip(description.slice(0, kept), TEXT_CHARACTERS),
      lost: clip(description.slice(kept), TEXT_CHARACTERS),
      characters: description.length,
      lostCharacters: description.length - kept,
      ...(loads.size === 0
        ? {}
        : { loads: Math.max(0, ...copy.sightings.map(({ found }) => loads.get(found.dir)?.loads ?? 0)) }),
    };
  });
  return lines.sort((a, b) => b.lostCharacters - a.lostCharacters);
}

/** The agent may have put a mark after the part that it shows. */
function commonStart(shown: string, description: string): number {
  let at = 0;
  while (at < shown.length && shown[at] === description[at]) at += 1;
  return at;
}
