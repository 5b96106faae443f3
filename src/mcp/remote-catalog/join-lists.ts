/** Joins lists: local items first, then those of the shared catalog. */
import { agentList, type AgentList, PAGE_SIZE } from '../../operations/agent-list.ts';
import type { ItemKind } from '../../operations/join.ts';
import { renderSkillsList } from '../../render/agents/replies.ts';
import { LIMITS } from '../../core/limits.ts';
import { count } from '../../core/text.ts';
import { jsonBytes } from '../fit-reply.ts';
import { asData } from '../tool.ts';
import { LISTS, type RemoteAnswer } from './remote-catalog.ts';
import { type ToolCall, type Join, JOIN_MS, LOAD_MS, withoutLocal } from './joining.ts';
import { noteOn, passedOn, withCatalog, withNote } from './notes.ts';

/** For tools without pages, such as `list_specs`. */
export function joinList(field: string, kind: ItemKind): Join {
  return async ({ tool, args, local, served, catalog }) => {
    const [result, answer] = await Promise.all([
      local(args),
      catalog.ask({ tool, args, waitMs: JOIN_MS, about: LISTS }),
    ]);
    if (result.isError === true) return result;
    const ours = result.structuredContent as Record<string, { id: string }[]>;
    const theirs = (answer.kind === 'answer' ? answer.result.structuredContent : undefined) as typeof ours | undefined;
    const more = await withoutLocal(theirs?.[field] ?? [], ({ id }) => id, { served, kind });
    // Includes notes of the catalog about omitted items.
    const data = { ...theirs, ...ours, [field]: [...(ours[field] ?? []), ...more] };
    return withNote(withCatalog(asData(data, undefined), catalog, answer), noteOn(catalog, answer));
  };
}

/** Prefix of cursors for pages of the shared catalog. Local cursors contain no period. */
const SHARED = 'shared.';
/** Leaves room in the reply for its text and for JSON overhead. */
const PAGE_BYTES = LIMITS.replyTotalBytes.value - 150_000;

/** Joins pages of `skills_list`: the skills of the shared catalog follow the last local skill. */
export const joinPages: Join = async (call) => {
  const { args, local } = call;
  const { cursor } = args;
  if (typeof cursor === 'string' && cursor.startsWith(SHARED)) return sharedPage(call, cursor.slice(SHARED.length));
  const result = await local(args);
  if (result.isError === true) return result;
  const ours = result.structuredContent as AgentList;
  const space = ours.nextCursor === undefined ? pageSizeOf(call) - ours.skills.length : 0;
  if (space > 0) {
    const answer = await askPage(call, { ...args, cursor: undefined, limit: space }, JOIN_MS);
    const joined = await joinedPage(call, ours, answer);
    if (jsonBytes(joined.data) <= PAGE_BYTES) return replyOf(call, joined, answer);
  }
  // Only the total is needed.
  const answer = await askPage(call, { query: args['query'], limit: 1 }, JOIN_MS);
  const theirs = dataOf(answer);
  const next = ours.nextCursor ?? (theirs && theirs.total > 0 ? SHARED : undefined);
  const data = {
    ...ours,
    total: ours.total + (theirs?.total ?? 0),
    ...(next === undefined ? {} : { nextCursor: next }),
  };
  return replyOf(call, { data, leftOut: 0 }, answer);
};

async function sharedPage(call: ToolCall, cursor: string): Promise<ReturnType<typeof replyOf>> {
  const { args, local, catalog } = call;
  const answer = await askPage(call, { ...args, cursor: cursor === '' ? undefined : cursor }, LOAD_MS);
  if (answer.kind === 'answer' && answer.result.isError === true) return passedOn(catalog, answer);
  // Without the shared catalog this page does not exist, so the note is added to the first page.
  const result = await local({ ...args, cursor: undefined, includeBody: undefined, limit: 1 });
  if (result.isError === true) return result;
  const { total } = result.structuredContent as AgentList;
  return replyOf(call, await joinedPage(call, { skills: [], total }, answer), answer);
}

function askPage({ catalog, tool }: ToolCall, args: Record<string, unknown>, waitMs: number): Promise<RemoteAnswer> {
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  return catalog.ask({ tool, args: given, waitMs, about: LISTS });
}

interface Joined {
  data: AgentList;
  /** Number of shared skills on this page that are hidden by a local skill of the same name. */
  leftOut: number;
}

async function joinedPage({ served }: ToolCall, ours: AgentList, answer: RemoteAnswer): Promise<Joined> {
  const theirs = dataOf(answer);
  if (!theirs) return { data: ours, leftOut: 0 };
  const more = await withoutLocal(theirs.skills, ({ name }) => name, { served, kind: 'skill' });
  const leftOut = theirs.skills.length - more.length;
  const bodiesLeftOut = (ours.bodiesLeftOut ?? 0) + (theirs.bodiesLeftOut ?? 0);
  const data: AgentList = {
    skills: [...ours.skills, ...more],
    // Hidden skills on other pages are unknown, and every page must report the same total.
    total: ours.total + theirs.total,
    ...(theirs.nextCursor === undefined ? {} : { nextCursor: SHARED + theirs.nextCursor }),
    ...(bodiesLeftOut === 0 ? {} : { bodiesLeftOut }),
  };
  return { data, leftOut };
}

function replyOf({ args, served, catalog }: ToolCall, { data, leftOut }: Joined, answer: RemoteAnswer) {
  const { query } = args;
  const text = renderSkillsList(data, typeof query === 'string' ? query : undefined, served.listedName('skills_list'));
  const hidden =
    leftOut === 0
      ? []
      : [`${count(leftOut, 'shared skill')} with the name of a local one left out, but counted; the local one loads.`];
  const note = [noteOn(catalog, answer), ...hidden].filter((part) => part !== undefined).join(' ');
  return withNote(withCatalog(asData(data, text), catalog, answer), note === '' ? undefined : note);
}

function dataOf(answer: RemoteAnswer): AgentList | undefined {
  if (answer.kind === 'unreachable' || answer.result.isError === true) return undefined;
  return answer.result.structuredContent as AgentList;
}

/** Parsed like the operation does, which also accepts a number as text. */
function pageSizeOf({ args, served }: ToolCall): number {
  const { min, max } = agentList.params.limit;
  const given = args['limit'] === undefined ? (served.settings.pageSize ?? PAGE_SIZE) : Number(args['limit']);
  return Math.min(max, Math.max(min, given));
}
