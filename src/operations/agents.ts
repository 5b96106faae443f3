import type { Profile } from '../agents/profile.ts';
import type { Remedy } from '../agents/remedies.ts';
import type { Seen, Verdict } from '../agents/seen-by.ts';
import { isListed, type Status } from '../agents/status.ts';
import type { Copy } from '../agents/survey.ts';
import { pageFrom } from '../core/cursor.ts';
import { foldName } from '../core/text.ts';
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
import {
  AGENT,
  AGENT_ID,
  settingsOf,
  STATUS,
  summarizeAgent,
  summarizeAgents,
  surveyAgents,
  type Surveyed,
  tokensIn,
  WINDOW,
} from './agent-shapes.ts';
import { defineOperation } from './define.ts';
import { CURSOR, NEXT_CURSOR } from './shapes.ts';
import { neverLoaded } from './usage.ts';

const ENTRY = {
  position: integer('Position in the agent’s order'),
  name: text('Name in the list'),
  fullName: nullable(text()),
  path: nullable(text('The skill’s folder')),
  status: STATUS,
  characters: integer('Length of the line'),
  text: text('The description as its model sees it: whole, shortened or empty'),
  description: optional(text('The whole description, if the list has less of it')),
  builtIn: optional({ type: 'flag', always: true, help: 'Built into the agent' }),
} as const;

const HIDDEN = {
  name: text(),
  fullName: text(),
  path: text(),
  status: STATUS,
  reason: text(),
  winner: optional(nullable(text('The folder of the copy it takes; null if it does not determine one'))),
  fix: optional(text()),
} as const;

const ROW = {
  name: text(),
  fullName: text(),
  path: text(),
  status: map(STATUS, 'By agent'),
  copies: optional(integer('With by: skill, the number of its copies')),
} as const;

const output = {
  agents: optional(list(anything(), 'Every agent with its counts; with matrix, the ids of the agents found here')),
  agent: optional(object(AGENT)),
  entries: optional(list(object(ENTRY), 'Its list, as its model receives it')),
  hidden: optional(list(object(HIDDEN), 'Skills that are not in its list')),
  remedies: optional(
    list(
      object({ fix: text(), gains: integer('How many more descriptions are whole') }),
      'Ways to shorten a list that is too long',
    ),
  ),
  places: optional(
    list(
      object({
        place: text(),
        path: text(),
        exists: flag('There is such a folder'),
        skills: integer('How many were found in it'),
      }),
      'Where it looks, in its own order',
    ),
  ),
  hiddenTotal: optional(integer('How many those are in all')),
  rows: optional(list(object(ROW), 'With matrix: every copy of every skill, or every skill')),
  total: optional(integer('How many rows or entries there are in all')),
  counts: optional(map(integer(), 'With matrix: how many rows each choice of show has')),
  nextCursor: NEXT_CURSOR,
  neverLoaded: optional(
    list(text(), 'With the setting usage: the folders of skills that were never loaded through the server'),
  ),
  incomplete: optional(list(text(), 'Folders with too much below them to examine it all')),
} as const;
export type AgentsOutput = ObjectOf<typeof output>;
export type HiddenSkill = ObjectOf<typeof HIDDEN>;
export type ListedLine = ObjectOf<typeof ENTRY>;

const SHOW = ['all', 'differs', 'cut', 'hidden', 'nobody'] as const;
type Show = (typeof SHOW)[number];

/** Statuses of skills that exist but that the agent cannot use on its own. */
const HELD_BACK: ReadonlySet<Status> = new Set(['other-copy', 'disabled', 'manual-only', 'broken']);

export const agents = defineOperation({
  name: 'agents',
  title: 'Agents',
  summary: 'Show the skills that each agent here really sees, which copy it uses, and which descriptions are cut',
  params: {
    agent: { ...AGENT_ID, positional: true },
    matrix: { type: 'flag', default: false, help: 'One row for each copy of a skill, one column for each agent' },
    show: {
      type: 'choice',
      choices: SHOW,
      default: 'all',
      help: 'With --matrix: all, differs (between agents), cut, hidden (by another copy, a setting or a fault) or nobody (sees it)',
    },
    by: {
      type: 'choice',
      choices: ['copy', 'skill'],
      default: 'copy',
      help: 'With --matrix: a row for each copy, or for each skill with the copy one would expect each agent to use',
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
  },
  output,
  reads: 'skills',
  settings: ['skills'],
  surveys: true,
  command: {
    name: 'agents',
    group: 'Look',
    examples: [
      ['lectern agents', 'show every agent found here, and its number of skills'],
      ['lectern agents claude --window 200k', 'its list as its model gets it'],
      ['lectern agents --matrix --show differs', 'the skills that not every agent sees alike'],
    ],
  },
  library: 'agents',
  async run({ agent, matrix, show, by, window, limit, cursor }, workspace, { isForText = false }) {
    const surveyed = await surveyAgents(workspace, agent);
    const { cut } = surveyed.survey;
    const incomplete = cut.length === 0 ? {} : { incomplete: [...cut] };
    const profile = surveyed.profiles.find(({ id }) => id === agent);
    const tokens = tokensIn(window);
    const page: Page = { cursor, limit };
    if (matrix) return { ...(await matrixOf(surveyed, profile, { show, by, window: tokens, page })), ...incomplete };
    if (profile) return { ...(await listOf(surveyed, profile, tokens, page)), ...incomplete };
    const never = await neverLoaded(workspace, foldersOf(surveyed));
    return {
      agents: summarizeAgents(surveyed, { window: tokens, onlyFound: isForText }),
      ...(never === undefined ? {} : { neverLoaded: never }),
      ...incomplete,
    };
  },
});

function foldersOf({ survey }: Surveyed): string[] {
  const own = survey.copies.filter(({ builtIn, sightings }) => !builtIn && !sightings[0]?.found.disabled);
  return own.map(({ path }) => path);
}

interface Page {
  limit: number | undefined;
  cursor: string | undefined;
}

/** Caches remedies: each step is recomputed, which takes a while for a long list. */
const computed = new WeakMap<Seen, Remedy[]>();

function placesOf({ survey }: Surveyed, { id }: Profile): NonNullable<AgentsOutput['places']> {
  return (survey.agents.get(id)?.places ?? []).flatMap(({ place: { dir, found, builtIn, location, plugin } }) =>
    builtIn
      ? []
      : {
          place: plugin === undefined ? location : `plugin ${plugin.plugin}`,
          path: dir,
          exists: found !== undefined,
          skills: found?.length ?? 0,
        },
  );
}

async function listOf(
  surveyed: Surveyed,
  profile: Profile,
  window: number | undefined,
  { limit, cursor }: Page,
): Promise<AgentsOutput> {
  const { remedies } = await import('../agents/remedies.ts');
  const seen = surveyed.seen(profile, window);
  const listed = new Set(seen.entries.flatMap(({ verdict }) => verdict?.copy ?? []));
  const hidden = [...seen.verdicts.values()].filter(({ copy }) => !listed.has(copy) && !copy.builtIn);
  const { page, ...next } = pageFrom(seen.entries, { limit, cursor });
  const known = computed.get(seen) ?? remedies(seen, surveyed.survey, settingsOf(surveyed.survey, profile), window);
  computed.set(seen, known);
  return {
    agent: summarizeAgent(surveyed, seen),
    entries: page.map(({ position, name, verdict, status, characters, text: shown, description }) => ({
      position,
      name,
      fullName: verdict?.copy.fullName ?? null,
      path: verdict ? folderOf(verdict.file) : null,
      status,
      characters,
      text: shown,
      ...(verdict && description !== shown ? { description } : {}),
      ...(verdict ? {} : { builtIn: true as const }),
    })),
    hidden: hidden.slice(0, limit).map(describeHidden),
    hiddenTotal: hidden.length,
    total: seen.entries.length,
    ...next,
    remedies: known,
    places: placesOf(surveyed, profile),
  };
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
  by: 'copy' | 'skill';
  window: number | undefined;
  page: Page;
}

async function matrixOf(
  surveyed: Surveyed,
  asked: Profile | undefined,
  { show, by, window, page: { cursor, limit = ROWS } }: Matrix,
): Promise<AgentsOutput> {
  const columns = asked ? [asked] : surveyed.present;
  const seen = columns.map((profile) => surveyed.seen(profile, window));
  const own = surveyed.survey.copies.filter(({ builtIn }) => !builtIn);
  const { expectedCopy } = await import('../agents/why.ts');
  const groups = by === 'copy' ? own.map((copy): [Copy, ...Copy[]] => [copy]) : groupedByName(own);
  const rows = groups.map((copies) => ({
    copies,
    statuses: seen.map(({ profile, verdicts }): Status => {
      const copy = expectedCopy(surveyed.survey, profile.id, copies);
      return (copy && verdicts.get(copy)?.status) ?? 'not-read';
    }),
  }));
  // An agent that uses another copy of a skill still sees the skill.
  const statusesOf = (choice: Show, { copies, statuses }: (typeof rows)[number]): readonly Status[] =>
    choice === 'nobody' && copies.length > 1
      ? seen.flatMap(({ verdicts }) => copies.flatMap((copy) => verdicts.get(copy)?.status ?? []))
      : statuses;
  const inChoice = (choice: Show): typeof rows => rows.filter((row) => isShown(choice, statusesOf(choice, row)));
  const shown = inChoice(show);
  const { page, ...next } = pageFrom(shown, { cursor, limit });
  return {
    agents: columns.map(({ id }) => id),
    rows: page.map(({ copies, statuses }) => ({
      ...describeRow(copies[0], columns, statuses),
      ...(by === 'skill' ? { copies: copies.length } : {}),
    })),
    total: shown.length,
    counts: Object.fromEntries(SHOW.map((choice) => [choice, inChoice(choice).length])),
    ...next,
  };
}

/** Groups copies by name, in the order of the first copy of each name. */
function groupedByName(copies: readonly Copy[]): [Copy, ...Copy[]][] {
  const groups = new Map<string, [Copy, ...Copy[]]>();
  for (const copy of copies) {
    const key = foldName(copy.name);
    const group = groups.get(key);
    if (group) group.push(copy);
    else groups.set(key, [copy]);
  }
  return [...groups.values()];
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
      return statuses.some((status) => status === 'shortened' || status === 'name-only');
    case 'hidden':
      return statuses.some((status) => HELD_BACK.has(status));
    case 'nobody':
      return !statuses.some((status) => isListed(status) || status === 'unknown');
  }
}
