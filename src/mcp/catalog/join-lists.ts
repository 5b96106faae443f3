/** Lists: the local items first, then those of the catalog. */
import { agentList, type AgentList, PAGE_SIZE } from '../../operations/agent-list.ts';
import { renderSkillsList } from '../../render/agents/replies.ts';
import { LIMITS } from '../../core/limits.ts';
import { count } from '../../core/text.ts';
import { jsonBytes } from '../fit-reply.ts';
import { asData } from '../tool.ts';
import { LISTS, type Told } from './asked-catalog.ts';
import { type Asked, type Join, JOIN_MS, type Kind, LOAD_MS, withoutLocal } from './joining.ts';
import { noteOn, passedOn, withCatalog, withNote } from './notes.ts';

/** All at once, such as `list_specs`. */
export function joinList(field: string, kind: Kind): Join {
  return async ({ tool, args, local, served, catalog }) => {
    const [result, told] = await Promise.all([local(args), catalog.ask({ tool, args, waitMs: JOIN_MS, about: LISTS })]);
    if (result.isError === true) return result;
    const ours = result.structuredContent as Record<string, { id: string }[]>;
    const theirs = (told.kind === 'told' ? told.result.structuredContent : undefined) as typeof ours | undefined;
    const more = await withoutLocal(theirs?.[field] ?? [], ({ id }) => id, { served, kind });
    // With what the catalog left out, if it did.
    const data = { ...theirs, ...ours, [field]: [...(ours[field] ?? []), ...more] };
    return withNote(withCatalog(asData(data, undefined), catalog, told), noteOn(catalog, told));
  };
}

/** Begins the cursors of pages of the catalog. Those of local pages have no period. */
const SHARED = 'shared.';
/** Leaves space in the reply for its text and for what JSON adds. */
const PAGE_BYTES = LIMITS.replyTotalBytes.value - 150_000;

/** `skills_list`: pages, which go on from the last local skill to the first one of the catalog. */
export const joinPages: Join = async (asked) => {
  const { args, local } = asked;
  const { cursor } = args;
  if (typeof cursor === 'string' && cursor.startsWith(SHARED)) return sharedPage(asked, cursor.slice(SHARED.length));
  const result = await local(args);
  if (result.isError === true) return result;
  const ours = result.structuredContent as AgentList;
  const space = ours.nextCursor === undefined ? pageSizeOf(asked) - ours.skills.length : 0;
  if (space > 0) {
    const told = await askPage(asked, { ...args, cursor: undefined, limit: space }, JOIN_MS);
    const joined = await joinedPage(asked, ours, told);
    if (jsonBytes(joined.data) <= PAGE_BYTES) return replyOf(asked, joined, told);
  }
  // Only how many there are.
  const told = await askPage(asked, { query: args['query'], limit: 1 }, JOIN_MS);
  const theirs = dataOf(told);
  const next = ours.nextCursor ?? (theirs && theirs.total > 0 ? SHARED : undefined);
  const data = {
    ...ours,
    total: ours.total + (theirs?.total ?? 0),
    ...(next === undefined ? {} : { nextCursor: next }),
  };
  return replyOf(asked, { data, leftOut: 0 }, told);
};

async function sharedPage(asked: Asked, cursor: string): Promise<ReturnType<typeof replyOf>> {
  const { args, local, catalog } = asked;
  const told = await askPage(asked, { ...args, cursor: cursor === '' ? undefined : cursor }, LOAD_MS);
  if (told.kind === 'told' && told.result.isError === true) return passedOn(catalog, told);
  // Without the catalog there is no such page; the first one says the same.
  const result = await local({ ...args, cursor: undefined, includeBody: undefined, limit: 1 });
  if (result.isError === true) return result;
  const { total } = result.structuredContent as AgentList;
  return replyOf(asked, await joinedPage(asked, { skills: [], total }, told), told);
}

function askPage({ catalog, tool }: Asked, args: Record<string, unknown>, waitMs: number): Promise<Told> {
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  return catalog.ask({ tool, args: given, waitMs, about: LISTS });
}

interface Joined {
  data: AgentList;
  /** Skills of the catalog on this page that a local one has the name of. */
  leftOut: number;
}

async function joinedPage({ served }: Asked, ours: AgentList, told: Told): Promise<Joined> {
  const theirs = dataOf(told);
  if (!theirs) return { data: ours, leftOut: 0 };
  const more = await withoutLocal(theirs.skills, ({ name }) => name, { served, kind: 'skill' });
  const leftOut = theirs.skills.length - more.length;
  const bodiesLeftOut = (ours.bodiesLeftOut ?? 0) + (theirs.bodiesLeftOut ?? 0);
  const data: AgentList = {
    skills: [...ours.skills, ...more],
    // Which of the others a local one has the name of is not known before their page, and every page must say the same.
    total: ours.total + theirs.total,
    ...(theirs.nextCursor === undefined ? {} : { nextCursor: SHARED + theirs.nextCursor }),
    ...(bodiesLeftOut === 0 ? {} : { bodiesLeftOut }),
  };
  return { data, leftOut };
}

function replyOf({ args, served, catalog }: Asked, { data, leftOut }: Joined, told: Told) {
  const { query } = args;
  const text = renderSkillsList(data, typeof query === 'string' ? query : undefined, served.listedName('skills_list'));
  const hidden =
    leftOut === 0
      ? []
      : [`${count(leftOut, 'shared skill')} with the name of a local one left out, but counted; the local one loads.`];
  const note = [noteOn(catalog, told), ...hidden].filter((part) => part !== undefined).join(' ');
  return withNote(withCatalog(asData(data, text), catalog, told), note === '' ? undefined : note);
}

function dataOf(told: Told): AgentList | undefined {
  if (told.kind === 'silent' || told.result.isError === true) return undefined;
  return told.result.structuredContent as AgentList;
}

/** As the operation understands it, which also takes a number that is written as text. */
function pageSizeOf({ args, served }: Asked): number {
  const { min, max } = agentList.params.limit;
  const given = args['limit'] === undefined ? (served.settings.pageSize ?? PAGE_SIZE) : Number(args['limit']);
  return Math.min(max, Math.max(min, given));
}
