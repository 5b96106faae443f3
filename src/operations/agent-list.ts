import path from 'node:path';
import { breather } from '../core/breathe.ts';
import { encodeCursor, startAfter } from '../core/cursor.ts';
import { Failure } from '../core/failure.ts';
import { integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { memo } from '../core/memo.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import { placeInOrder, type SkillCatalog } from '../skills/catalog.ts';
import type { WholeContent } from '../workspace/skill-content.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import type { Reader } from '../workspace/reader.ts';
import { isForModels, nameFor } from '../workspace/agent-listing.ts';
import { defineOperation } from './define.ts';

/** Every field is repeated for each skill, and many agents show them all to their models: only what helps to choose one. */
export const CATALOG_ENTRY = {
  installName: text('The name of its folder'),
  name: text('The name to load it by'),
  meta: object({ name: text(), description: text() }),
  skillPath: text('Its folder, relative to the project if it is inside'),
  skillFile: text(),
  forModels: optional({ type: 'flag', always: false, help: 'Only a person may start it' }),
} as const;
export type CatalogEntry = ObjectOf<typeof CATALOG_ENTRY>;

const output = {
  skills: list(object({ ...CATALOG_ENTRY, body: optional(text()) })),
  total: integer(),
  nextCursor: optional(text()),
  bodiesLeftOut: optional(integer()),
} as const;
export type AgentList = ObjectOf<typeof output>;

/** If the caller does not say. */
export const PAGE_SIZE = 50;
const PAGE_MAX = 200;
/** Leaves space in the reply for its text and for what JSON adds. */
const LIST_BYTES = LIMITS.replyTotalBytes.value - 150_000;

/** The list for agents. Unlike `lectern list`, it has the names to load skills by, and no problems or counts. */
export const agentList = defineOperation({
  name: 'skills_list',
  title: 'List Skills',
  summary: 'List skills with descriptions and files, to see all there are',
  params: {
    query: {
      type: 'text',
      max: LIMITS.queryCharacters.value,
      help: 'Text in folder name, name or description',
    },
    includeBody: { type: 'flag', help: 'Add each SKILL.md' },
    limit: { type: 'integer', min: 1, max: PAGE_MAX, clamp: true, help: `Default ${PAGE_SIZE}` },
    cursor: { type: 'text', filled: true, help: 'nextCursor of the last page' },
  },
  output,
  reads: 'skills',
  tool: 'skills',
  async run({ query = '', includeBody = false, limit, cursor }, workspace, { pageSize = PAGE_SIZE }) {
    const snapshot = await workspace.fresh();
    const catalog = snapshot.view();
    const wanted = query.toLowerCase();
    const matching = inOrder(snapshot).filter(
      (skill) =>
        wanted === '' ||
        [skill.folder, skill.name, skill.description].some((value) => value.toLowerCase().includes(wanted)),
    );
    const start = startAfter(matching, cursor, placeInOrder);
    if (start === undefined)
      throw new Failure('USAGE', 'Invalid params (-32602): cursor must be the nextCursor of an earlier page.');
    const page: { skill: Skill; entry: AgentList['skills'][number] }[] = [];
    const breathe = breather();
    let bytesLeft = LIST_BYTES;
    for (const skill of matching.slice(start, start + (limit ?? pageSize))) {
      const pause = breathe();
      if (pause) await pause;
      const entry = describeForAgents(skill, catalog, workspace);
      bytesLeft -= jsonBytes(entry);
      if (bytesLeft < 0) break;
      page.push({ skill, entry });
    }
    let bodiesLeftOut = 0;
    const deadline = Date.now() + LIMITS.skillSettleWait.value;
    for (const item of includeBody ? page : []) {
      const whole = await wholeOrNothing(item.skill, workspace, deadline);
      if (!whole || !isForModels(whole.skill)) continue;
      // The body and what is said about it come from one read.
      const entry = { ...describeForAgents(item.skill, catalog, workspace, whole.skill), body: whole.body };
      const bytes = jsonBytes(entry) - jsonBytes(item.entry);
      if (bytes > bytesLeft) {
        bodiesLeftOut += 1;
        continue;
      }
      bytesLeft -= bytes;
      item.entry = entry;
    }
    const last = page.at(-1);
    const next = matching[start + page.length];
    return {
      skills: page.map(({ entry }) => entry),
      total: matching.length,
      ...(last && next ? { nextCursor: encodeCursor(endOf(last.skill, next)) } : {}),
      ...(bodiesLeftOut === 0 ? {} : { bodiesLeftOut }),
    };
  },
});

/** Sorted once for all pages: of a large catalog this takes longer than everything else. */
const inOrder = memo((snapshot: Snapshot) =>
  snapshot
    .view()
    .inNameOrder()
    .filter((skill) => snapshot.offers(skill)),
);

/** Where a page ends, in few characters: after the name, unless the next skill has the same one. */
function endOf(last: Skill, next: Skill): string {
  return last.key === next.key ? placeInOrder(last) : `${last.key}\n\uffff`;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}

/** A skill that is being written and has no earlier version is listed without its body. */
async function wholeOrNothing(skill: Skill, workspace: Reader, deadline: number): Promise<WholeContent | undefined> {
  try {
    return await workspace.contentOf(skill).whole(deadline);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** `header` is what a later read of its file says. */
export function describeForAgents(
  skill: Skill,
  catalog: SkillCatalog,
  workspace: Reader,
  header: Pick<Skill, 'name' | 'description' | 'frontmatter'> = skill,
): CatalogEntry {
  const { projectDir } = workspace.options;
  return {
    installName: skill.folder,
    name: nameFor(skill, catalog)?.name ?? fullNameOf(skill),
    meta: { name: header.name, description: header.description },
    skillPath: isInside(projectDir, skill.dir)
      ? path.relative(projectDir, skill.dir).split(path.sep).join('/') || '.'
      : skill.dir,
    skillFile: skill.file,
    ...(isForModels(header) ? {} : { forModels: false as const }),
  };
}
