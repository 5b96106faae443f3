/** Joins lists: local items first, then those of the shared catalog. */
import { LIMITS } from '../../core/limits.ts';
import { count } from '../../core/text.ts';
import { PAGE_SIZE } from '../../operations/agent-list.ts';
import type { Param } from '../../operations/define.ts';
import type { Listed } from '../../operations/join.ts';
import { jsonBytes } from '../fit-reply.ts';
import type { Data, JoinedOutcome } from '../outcome.ts';
import { itemsIn, numberIn, textIn } from './data.ts';
import { JOIN_MS, type JoinCall, LOAD_MS, outputOf, withoutLocal } from './joining.ts';
import { metaOf, noteOn, passedOn } from './notes.ts';
import { LISTS, type RemoteAnswer } from './remote-catalog.ts';

/** For operations without pages, such as `list_specs`. */
export async function joinList({ field, kind, name }: Listed, call: JoinCall): Promise<JoinedOutcome> {
  const { args, local, served, catalog } = call;
  const [outcome, answer] = await Promise.all([local(args), askList(call, args, JOIN_MS)]);
  if ('error' in outcome) return outcome;
  const theirs = outputOf(answer);
  const more = await withoutLocal(itemsIn(theirs, field), (item) => textIn(item, name) ?? '', { served, kind });
  // Includes the number of items that the catalog omitted.
  const output = { ...theirs, ...outcome.output, [field]: [...itemsIn(outcome.output, field), ...more] };
  return { output, note: noteOn(catalog, answer), meta: metaOf(catalog, answer) };
}

/** Prefix of cursors for pages of the shared catalog. Local cursors contain no period. */
const SHARED = 'shared.';
/** Leaves room in the reply for its text and for JSON overhead. */
const PAGE_BYTES = LIMITS.replyTotalBytes.value - 150_000;

/** Joins pages: the items of the shared catalog follow the last local item. */
export async function joinPages(row: Listed, call: JoinCall): Promise<JoinedOutcome> {
  const { args, local } = call;
  const cursor = textIn(args, 'cursor');
  if (cursor?.startsWith(SHARED)) return sharedPage(row, call, cursor.slice(SHARED.length));
  const outcome = await local(args);
  if ('error' in outcome) return outcome;
  const ours = outcome.output;
  const ownNext = textIn(ours, 'nextCursor');
  const space = ownNext === undefined ? pageSizeOf(call) - itemsIn(ours, row.field).length : 0;
  if (space > 0) {
    const answer = await askList(call, { ...args, cursor: undefined, limit: space }, JOIN_MS);
    const page = await joinPage(row, call, ours, answer);
    if (jsonBytes(page.output) <= PAGE_BYTES) return pageOutcome(call, page, answer);
  }
  // Only the total is needed.
  const answer = await askList(call, { query: args['query'], limit: 1 }, JOIN_MS);
  const others = totalOf(outputOf(answer));
  const next = ownNext ?? (others > 0 ? SHARED : undefined);
  const output = {
    ...ours,
    total: totalOf(ours) + others,
    ...(next === undefined ? {} : { nextCursor: next }),
  };
  return pageOutcome(call, { output, leftOut: 0 }, answer);
}

async function sharedPage(row: Listed, call: JoinCall, cursor: string): Promise<JoinedOutcome> {
  const { args, local, catalog } = call;
  const answer = await askList(call, { ...args, cursor: cursor === '' ? undefined : cursor }, LOAD_MS);
  if (answer.kind === 'answer' && 'error' in answer) return passedOn(catalog, answer);
  // Without the shared catalog this page does not exist, so the note is added to the first page.
  const outcome = await local({ ...args, cursor: undefined, includeBody: undefined, limit: 1 });
  if ('error' in outcome) return outcome;
  const ours = { [row.field]: [], total: totalOf(outcome.output) };
  return pageOutcome(call, await joinPage(row, call, ours, answer), answer);
}

function askList({ catalog, operation }: JoinCall, args: Data, waitMs: number): Promise<RemoteAnswer> {
  const input = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  return catalog.ask({ operation: operation.name, input, waitMs, about: LISTS });
}

interface Page {
  output: Data;
  /** Number of shared items on this page that are hidden by a local item of the same name. */
  leftOut: number;
}

async function joinPage(
  { field, kind, name }: Listed,
  { served }: JoinCall,
  ours: Data,
  answer: RemoteAnswer,
): Promise<Page> {
  const theirs = outputOf(answer);
  if (!theirs) return { output: ours, leftOut: 0 };
  const shared = itemsIn(theirs, field);
  const more = await withoutLocal(shared, (item) => textIn(item, name) ?? '', { served, kind });
  const next = textIn(theirs, 'nextCursor');
  const bodiesLeftOut = (numberIn(ours, 'bodiesLeftOut') ?? 0) + (numberIn(theirs, 'bodiesLeftOut') ?? 0);
  const output = {
    [field]: [...itemsIn(ours, field), ...more],
    // Hidden items on other pages are unknown, and every page must report the same total.
    total: totalOf(ours) + totalOf(theirs),
    ...(next === undefined ? {} : { nextCursor: SHARED + next }),
    ...(bodiesLeftOut === 0 ? {} : { bodiesLeftOut }),
  };
  return { output, leftOut: shared.length - more.length };
}

function pageOutcome({ catalog }: JoinCall, { output, leftOut }: Page, answer: RemoteAnswer): JoinedOutcome {
  const hidden =
    leftOut === 0
      ? []
      : [`${count(leftOut, 'shared skill')} with the name of a local one left out, but counted; the local one loads.`];
  const note = [noteOn(catalog, answer), ...hidden].filter((part) => part !== undefined).join(' ');
  return { output, note: note === '' ? undefined : note, meta: metaOf(catalog, answer) };
}

function totalOf(output: Data | undefined): number {
  return numberIn(output, 'total') ?? 0;
}

/** Parsed like the operation does, which also accepts a number as text. */
function pageSizeOf({ args, served, operation }: JoinCall): number {
  const limit: Param | undefined = operation.params['limit'];
  const { min = 1, max = PAGE_SIZE } = limit?.type === 'integer' ? limit : {};
  const given = args['limit'] === undefined ? (served.settings.pageSize ?? PAGE_SIZE) : Number(args['limit']);
  return Math.min(max, Math.max(min, given));
}
