import type { Profile } from '../agents/profile.ts';
import type { Seen, Verdict } from '../agents/seen-by.ts';
import { isCut, isListed, type Status } from '../agents/status.ts';
import type { Copy } from '../agents/survey.ts';
import { pageFrom } from '../core/cursor.ts';
import {
  anything,
  flag,
  integer,
  list,
  map,
  nullable,
  object,
  type ObjectOf,
  optional,
  text,
} from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { withContext } from './agent-context.ts';
import {
  AGENT,
  AGENT_ID,
  foundCopies,
  noSuchSkill,
  sameText,
  STATUS,
  summarizeAgent,
  summarizeAgents,
  surveyAgents,
  type Surveyed,
  tokensIn,
  WINDOW,
} from './agent-shapes.ts';
import { type MatrixRow, PATTERNS } from './agent-pattern-shapes.ts';
import { defineOperation } from './define.ts';
import { REMEDY } from './setting-shapes.ts';
import { CURSOR, NAME, NEXT_CURSOR } from './shapes.ts';
import { neverLoaded } from './usage.ts';

const ENTRY = {
  position: integer('Position in the agent’s order'),
  name: text('Name in the list'),
  fullName: nullable(text()),
  path: nullable(text('The skill’s folder')),
  status: STATUS,
  characters: integer('Length of the line'),
  cost: integer('Size of the line in the unit of the budget'),
  fullCost: integer('Its size with the full description'),
  text: text('Text that its model sees: the description, a part of it, another text or nothing'),
  description: optional(text('Full description, if the list has less of it or another text')),
  builtIn: optional({ type: 'flag', always: true, help: 'Built into the agent' }),
} as const;

const HIDDEN = {
  name: text(),
  fullName: text(),
  path: text(),
  status: STATUS,
  reason: text(),
  winner: optional(nullable(text('Folder of the copy that it uses; null if that is not determined'))),
  fix: optional(text()),
} as const;

const ROW = {
  name: text(),
  fullName: text(),
  path: text(),
  status: map(STATUS, 'By agent'),
  copies: optional(integer('With by: skill, the number of its copies')),
  used: optional(map(text(), 'With by: skill, the folder of the copy that each agent lists')),
} as const;

const output = {
  agents: optional(list(anything(), 'Every agent with its counts; with matrix, the ids of the agents found here')),
  agent: optional(object(AGENT)),
  entries: optional(list(object(ENTRY), 'Its list as its model sees it')),
  hidden: optional(list(object(HIDDEN), 'Skills that are not in its list')),
  remedies: optional(list(object(REMEDY), 'Ways to show more of a full list, best first')),
  places: optional(
    list(
      object({
        place: text(),
        path: text(),
        exists: flag('Whether the folder exists'),
        skills: integer('Number of skills found in it'),
        listed: integer('Number of these that are in its list'),
        unread: optional(text('Reason why Lectern does not examine the folder')),
      }),
      'Folders that it searches, in its order',
    ),
  ),
  hiddenTotal: optional(integer('Total number of hidden skills')),
  rows: optional(list(object(ROW), 'With matrix: every copy of every skill, or every skill')),
  ...PATTERNS,
  total: optional(integer('Total number of rows, patterns or entries')),
  counts: optional(map(integer(), 'With matrix: number of rows for each value of show')),
  nextCursor: NEXT_CURSOR,
  neverLoaded: optional(
    list(text(), 'With the setting usage: the folders of skills that were never loaded through the server'),
  ),
  incomplete: optional(list(text(), 'Folders that are too large to examine completely')),
} as const;
export type AgentsOutput = ObjectOf<typeof output>;
export type HiddenSkill = ObjectOf<typeof HIDDEN>;
export type ListedLine = ObjectOf<typeof ENTRY>;

const SHOW = ['all', 'differs', 'cut', 'dropped', 'hidden', 'nobody'] as const;
type Show = (typeof SHOW)[number];

/** Statuses of skills that exist but that the agent cannot use on its own. */
const HELD_BACK: ReadonlySet<Status> = new Set(['other-copy', 'disabled', 'manual-only', 'broken']);

export const agents = defineOperation({
  name: 'agents',
  title: 'Agents',
  summary: 'Show which skills each agent here actually sees, which copy it uses, and which descriptions are cut',
  params: {
    agent: { ...AGENT_ID, positional: true },
    matrix: { type: 'flag', default: false, help: 'One row for each copy of a skill, one column for each agent' },
    show: {
      type: 'choice',
      choices: SHOW,
      default: 'all',
      help: 'With --matrix: all, differs (between agents), cut (shortened, name only, other text), dropped (from a full list), hidden (by another copy, a setting or a fault) or nobody (not seen by any agent)',
    },
    by: {
      type: 'choice',
      choices: ['copy', 'skill', 'pattern'],
      default: 'copy',
      help: 'With --matrix: a row for each copy, for each name with the best status of its copies, or for all names with the same statuses and folders',
    },
    query: {
      type: 'text',
      filled: true,
      max: LIMITS.nameCharacters.value,
      help: 'With --matrix: words that must all be in the name of a skill',
    },
    like: {
      ...NAME,
      placeholder: 'skill',
      help: 'With --matrix: only skills with the same statuses and folders as this one',
    },
    window: WINDOW,
    limit: {
      type: 'integer',
      min: 1,
      max: 1_000,
      placeholder: 'n',
      help: 'Maximum rows or lines; with --matrix 100 by default',
    },
    cursor: CURSOR,
    lines: { type: 'flag', default: false, faces: ['web'], help: 'Only the agent and the lines of its list' },
  },
  output,
  reads: 'skills',
  settings: ['skills'],
  surveys: true,
  command: {
    name: 'agents',
    group: 'Look',
    examples: [
      ['lectern agents', 'show every agent found here and how many skills it sees'],
      ['lectern agents claude --window 200k', 'show its list as its model sees it'],
      ['lectern agents --matrix --show differs', 'show the skills that agents see differently'],
      ['lectern agents --matrix --by pattern', 'show all skills, with one line for those that the same agents see'],
    ],
  },
  library: 'agents',
  async run({ agent, matrix, show, by, query, like, window, limit, cursor, lines }, workspace, { isForText = false }) {
    const surveyed = await surveyAgents(workspace, agent);
    const { cut } = surveyed.survey;
    const incomplete = cut.length === 0 ? {} : { incomplete: [...cut] };
    const profile = surveyed.profiles.find(({ id }) => id === agent);
    const tokens = tokensIn(window);
    const page: Page = { cursor, limit };
    if (matrix) {
      const areSame = sameText(workspace);
      const asked = { show, by, query, like, window: tokens, areSame, page };
      return { ...(await matrixOf(surveyed, profile, asked)), ...incomplete };
    }
    if (profile) {
      const seen = surveyed.seen(profile, tokens);
      const list = linesOf(surveyed, seen, page);
      if (lines) return { ...list, ...incomplete };
      const { remediesFor } = await import('./agent-remedies.ts');
      const remedies = await remediesFor(workspace, surveyed, profile, tokens);
      const { agent: summary, entries, ...counts } = list;
      const places = placesOf(surveyed, seen);
      return { agent: summary, entries, ...hiddenOf(seen, limit), ...counts, remedies, places, ...incomplete };
    }
    const never = await neverLoaded(workspace, foldersOf(surveyed));
    return {
      agents: await withContext(
        workspace,
        surveyed,
        await summarizeAgents(surveyed, { window: tokens, onlyFound: isForText }),
        tokens,
      ),
      ...(never === undefined ? {} : { neverLoaded: never }),
      ...incomplete,
    };
  },
});

function foldersOf(surveyed: Surveyed): string[] {
  const own = foundCopies(surveyed).filter(({ sightings }) => !sightings[0]?.found.disabled);
  return own.map(({ path }) => path);
}

interface Page {
  limit: number | undefined;
  cursor: string | undefined;
}

function placesOf({ survey }: Surveyed, { profile, verdicts }: Seen): NonNullable<AgentsOutput['places']> {
  const files = new Set([...verdicts.values()].flatMap(({ status, file }) => (isListed(status) ? [file] : [])));
  const { places = [], settings } = survey.agents.get(profile.id) ?? {};
  const read = places.flatMap(({ place: { dir, found, builtIn, location, plugin } }) =>
    builtIn
      ? []
      : {
          place: plugin === undefined ? location : `plugin ${plugin.plugin}`,
          path: dir,
          exists: found !== undefined,
          skills: found?.length ?? 0,
          listed: found?.filter(({ file }) => files.has(file)).length ?? 0,
        },
  );
  const added = (settings?.added ?? []).flatMap(({ dir, inProject, unread }) =>
    // Lectern does not even look whether the folder exists.
    unread === undefined
      ? []
      : { place: inProject ? 'project' : 'user', path: dir, exists: false, skills: 0, listed: 0, unread },
  );
  return [...read, ...added];
}

function linesOf(
  surveyed: Surveyed,
  seen: Seen,
  { limit, cursor }: Page,
): Pick<AgentsOutput, 'agent' | 'entries' | 'total' | 'nextCursor'> {
  const { page, ...next } = pageFrom(seen.entries, { limit, cursor });
  return {
    agent: summarizeAgent(surveyed, seen),
    entries: page.map(({ position, name, verdict, status, characters, cost, fullCost, text: shown, description }) => ({
      position,
      name,
      fullName: verdict?.copy.fullName ?? null,
      path: verdict ? folderOf(verdict.file) : null,
      status,
      characters,
      cost,
      fullCost,
      text: shown,
      ...(verdict && description !== shown ? { description } : {}),
      ...(verdict ? {} : { builtIn: true as const }),
    })),
    total: seen.entries.length,
    ...next,
  };
}

/** Returns the skills that are not in the list. */
function hiddenOf(seen: Seen, limit: number | undefined): Pick<AgentsOutput, 'hidden' | 'hiddenTotal'> {
  const listed = new Set(seen.entries.flatMap(({ verdict }) => verdict?.copy ?? []));
  const hidden = [...seen.verdicts.values()].filter(({ copy }) => !listed.has(copy) && !copy.builtIn);
  return { hidden: hidden.slice(0, limit).map(describeHidden), hiddenTotal: hidden.length };
}

function describeHidden({ copy, file, status, reason, winner, fix }: Verdict): HiddenSkill {
  return {
    name: copy.name,
    fullName: copy.fullName,
    path: folderOf(file),
    status,
    reason,
    ...(winner === undefined ? {} : { winner: winner?.path ?? null }),
    ...(fix === undefined ? {} : { fix }),
  };
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')));
}

/** Default number of rows with --matrix. */
const ROWS = 100;

interface Matrix {
  show: Show;
  by: 'copy' | 'skill' | 'pattern';
  query: string | undefined;
  like: string | undefined;
  window: number | undefined;
  areSame: (a: Copy, b: Copy) => boolean;
  page: Page;
}

async function matrixOf(surveyed: Surveyed, asked: Profile | undefined, matrix: Matrix): Promise<AgentsOutput> {
  const { show, by, page } = matrix;
  const { cursor, limit = ROWS } = page;
  const columns = asked ? [asked] : surveyed.present;
  const rows = await rowsOf(surveyed, columns, matrix);
  const statusesOf = ({ verdicts }: MatrixRow): Status[] => verdicts.map((verdict) => verdict?.status ?? 'not-read');
  const inChoice = (choice: Show): MatrixRow[] =>
    rows.filter((row) => isShown(choice, statusesOf(row)) || (choice === 'differs' && row.hasVersions));
  const shown = inChoice(show);
  const ids = columns.map(({ id }) => id);
  const counts = Object.fromEntries(SHOW.map((choice) => [choice, inChoice(choice).length]));
  const { describePatterns, largestGap, patternsOf } = await import('./agent-patterns.ts');
  const tallies = { counts, ...(by === 'copy' ? {} : { patternTotal: patternsOf(rows).length }) };
  if (by === 'pattern') {
    const patterns = patternsOf(shown);
    return {
      agents: ids,
      ...describePatterns(patterns, ids, page),
      total: patterns.length,
      ...tallies,
      ...largestGap(patterns, ids),
    };
  }
  const { page: some, ...next } = pageFrom(shown, { cursor, limit });
  return {
    agents: ids,
    rows: some.map((row) => ({
      ...describeRow(row.copies[0], columns, statusesOf(row)),
      ...(by === 'skill' ? { copies: row.copies.length, used: usedIn(row.verdicts, columns) } : {}),
    })),
    total: shown.length,
    ...tallies,
    ...next,
  };
}

/** Rows for copies or names, as far as they match the request. */
async function rowsOf(
  surveyed: Surveyed,
  columns: readonly Profile[],
  { by, query, like, window, areSame }: Matrix,
): Promise<MatrixRow[]> {
  const seen = columns.map((profile) => surveyed.seen(profile, window));
  const own = foundCopies(surveyed);
  const [{ bestVerdict, copiesNamed, groupedByName }, { sameAs }] = await Promise.all([
    import('../agents/why.ts'),
    import('./agent-patterns.ts'),
  ]);
  const groups = by === 'copy' ? own.map((copy): [Copy, ...Copy[]] => [copy]) : groupedByName(own);
  const rows = groups.map((copies): MatrixRow => {
    const verdicts = seen.map((each) => bestVerdict(each, copies));
    return { copies, verdicts, hasVersions: hasVersions(verdicts, areSame) };
  });
  const words = query?.toLowerCase().split(/\s+/u) ?? [];
  const named = rows.filter(({ copies: [{ name }] }) => words.every((word) => name.toLowerCase().includes(word)));
  if (like === undefined) return named;
  const [model] = copiesNamed(surveyed.survey, [like]).copies;
  const row = model && rows.find(({ copies }) => copies.includes(model));
  if (!row) throw noSuchSkill(like, namesIn(own));
  return sameAs(row, named);
}

function namesIn(copies: readonly Copy[]): string[] {
  return [...new Set(copies.map(({ name }) => name))];
}

type Verdicts = readonly (Verdict | undefined)[];

/** Whether agents list different versions. Identical copies are one version. */
function hasVersions(verdicts: Verdicts, areSame: Matrix['areSame']): boolean {
  const copies = verdicts.flatMap((verdict) => (verdict && isListed(verdict.status) ? [verdict.copy] : []));
  const [first, ...others] = new Set(copies);
  return first !== undefined && others.some((copy) => !areSame(first, copy));
}

function usedIn(verdicts: Verdicts, columns: readonly Profile[]): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(({ id }, index) => {
      const verdict = verdicts[index];
      return verdict && isListed(verdict.status) ? [[id, folderOf(verdict.file)]] : [];
    }),
  );
}

function describeRow(
  { name, fullName, path }: Copy,
  columns: readonly Profile[],
  statuses: readonly Status[],
): ObjectOf<typeof ROW> {
  return {
    name,
    fullName,
    path,
    status: Object.fromEntries(columns.map(({ id }, index) => [id, statuses[index] ?? 'unknown'])),
  };
}

function isShown(show: Show, statuses: readonly Status[]): boolean {
  switch (show) {
    case 'all':
      return true;
    case 'differs':
      return new Set(statuses).size > 1;
    case 'cut':
      return statuses.some(isCut);
    case 'dropped':
      return statuses.includes('dropped');
    case 'hidden':
      return statuses.some((status) => HELD_BACK.has(status));
    case 'nobody':
      return !statuses.some((status) => isListed(status) || status === 'unknown');
  }
}
