import path from 'node:path';
import { breather } from '../core/breathe.ts';
import { encodeCursor, startAfter } from '../core/cursor.ts';
import { integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { isInside } from '../core/inside.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { memo } from '../core/memo.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import { projectRoot } from '../skills/roots/plan.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import { placeInOrder } from '../skills/name-lookup.ts';
import type { WholeContent } from '../workspace/skill-content.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import type { Reader } from '../workspace/reader.ts';
import { isForModels, nameFor } from '../workspace/agent-listing.ts';
import { defineOperation, InvalidInput } from './define.ts';
import { pages } from './join.ts';

/** Only fields that help to choose a skill. Each is repeated for every skill, and many agents show them all to their models. */
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

/** Default page size. */
export const PAGE_SIZE = 50;
const PAGE_MAX = 200;
/** Leaves room in the reply for its text and for JSON overhead. */
const LIST_BYTES = LIMITS.replyTotalBytes.value - 150_000;

/** Skill list for agents. Unlike `lectern list`, it has the names for loading skills, but no problems or counts. */
export const agentList = defineOperation({
  name: 'skills_list',
  title: 'List Skills',
  summary: 'List all skills, to see their descriptions and files',
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
  join: pages('skills', { kind: 'skill', name: 'name' }),
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
    if (start === undefined) throw new InvalidInput('cursor', 'must be the nextCursor of an earlier page');
    const skills: AgentList['skills'] = [];
    const breathe = breather();
    const root = projectRootOf(workspace);
    const deadline = Date.now() + LIMITS.skillSettleWait.value;
    let bytesLeft = LIST_BYTES;
    let bodiesLeftOut = 0;
    for (const skill of matching.slice(start, start + (limit ?? pageSize))) {
      const pause = breathe();
      if (pause) await pause;
      const whole = includeBody ? await wholeOrNothing(skill, workspace, deadline) : undefined;
      // Body and description come from the same read.
      const entry = describeForAgents(skill, catalog, root, whole?.skill);
      const body = whole && isForModels(whole.skill) ? { body: whole.body } : {};
      let listed: AgentList['skills'][number] = { ...entry, ...body };
      if (jsonBytes(listed) > bytesLeft) {
        if (skills.length > 0) break;
        // The body is longer than a page.
        listed = entry;
        bodiesLeftOut += 1;
      }
      skills.push(listed);
      bytesLeft -= jsonBytes(listed);
    }
    const last = matching[start + skills.length - 1];
    const next = matching[start + skills.length];
    return {
      skills,
      total: matching.length,
      ...(skills.length > 0 && last && next ? { nextCursor: encodeCursor(endOf(last, next)) } : {}),
      ...(bodiesLeftOut === 0 ? {} : { bodiesLeftOut }),
    };
  },
});

/** Sorts once for all pages: in a large catalog, sorting takes most of the time. */
const inOrder = memo((snapshot: Snapshot) =>
  snapshot
    .view()
    .inNameOrder()
    .filter((skill) => snapshot.offers(skill)),
);

/** Short cursor for the end of a page: the name, unless the next skill has the same name. */
function endOf(last: Skill, next: Skill): string {
  return last.key === next.key ? placeInOrder(last) : `${last.key}\n\uffff`;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}

/** Returns undefined for a skill that is being written and has no earlier version. It is listed without its body. */
async function wholeOrNothing(skill: Skill, workspace: Reader, deadline: number): Promise<WholeContent | undefined> {
  try {
    return await workspace.contentOf(skill).whole(deadline);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Returns the folder that paths are relative to: the project, even if a subfolder of it was opened. */
export function projectRootOf({ disk, options: { projectDir }, isShared }: Reader): string {
  return isShared ? projectDir : projectRoot(disk, projectDir);
}

/** `root` is the project folder. `header` comes from a later read of the file. */
export function describeForAgents(
  skill: Skill,
  catalog: SkillCatalog,
  root: string,
  header: Pick<Skill, 'name' | 'description' | 'frontmatter'> = skill,
): CatalogEntry {
  return {
    installName: skill.folder,
    name: nameFor(skill, catalog)?.name ?? fullNameOf(skill),
    meta: { name: header.name, description: header.description },
    skillPath: isInside(root, skill.dir) ? path.relative(root, skill.dir).split(path.sep).join('/') || '.' : skill.dir,
    skillFile: skill.file,
    ...(isForModels(header) ? {} : { forModels: false as const }),
  };
}
