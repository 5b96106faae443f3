import type { Profile } from '../agents/profile.ts';
import type { Verdict } from '../agents/seen-by.ts';
import type { Status } from '../agents/status.ts';
import type { Copy } from '../agents/survey.ts';
import { pageFrom } from '../core/cursor.ts';
import { anything, integer, list, map, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
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

const ENTRY = {
  position: integer('In the agent’s own order'),
  name: text('As it is listed'),
  fullName: nullable(text()),
  path: nullable(text('The skill’s folder')),
  status: STATUS,
  characters: integer('What the line takes up'),
  text: text('The description as its model sees it: whole, shortened or empty'),
  builtIn: optional({ type: 'flag', always: true, help: 'The agent brings it along' }),
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
} as const;

const output = {
  agents: optional(list(anything(), 'Every agent with its counts; with matrix, the ids of the agents found here')),
  agent: optional(object(AGENT)),
  entries: optional(list(object(ENTRY), 'Its list as its model gets it')),
  hidden: optional(list(object(HIDDEN), 'What is not in its list')),
  remedies: optional(
    list(object({ fix: text(), gains: integer('How many more descriptions are whole') }), 'If its list is too long'),
  ),
  rows: optional(list(object(ROW), 'With matrix: every copy of every skill')),
  total: optional(integer('How many rows there are in all')),
  nextCursor: NEXT_CURSOR,
  incomplete: optional(list(text(), 'Folders with too much below them to examine it all')),
} as const;
export type AgentsOutput = ObjectOf<typeof output>;
export type HiddenSkill = ObjectOf<typeof HIDDEN>;
export type ListedLine = ObjectOf<typeof ENTRY>;

const SHOW = ['all', 'differs', 'cut', 'hidden', 'nobody'] as const;

export const agents = defineOperation({
  name: 'agents',
  title: 'Agents',
  summary: 'Show what each agent here really sees: which skills, which copy, and what its list leaves out',
  params: {
    agent: { ...AGENT_ID, positional: true },
    matrix: { type: 'flag', default: false, help: 'One row for each copy of a skill, one column for each agent' },
    show: {
      type: 'choice',
      choices: SHOW,
      default: 'all',
      help: 'With --matrix: all, differs (between agents), cut, hidden (from one) or nobody (sees it)',
    },
    window: WINDOW,
    limit: { type: 'integer', min: 1, max: 1_000, default: 100, placeholder: 'n', help: 'With --matrix: rows at once' },
    cursor: CURSOR,
  },
  output,
  reads: 'skills',
  surveys: true,
  command: {
    name: 'agents',
    group: 'Look',
    examples: [
      ['lectern agents', 'every agent found here, and what it sees'],
      ['lectern agents claude --window 200k', 'its list as its model gets it'],
      ['lectern agents --matrix --show differs', 'the skills that not every agent sees alike'],
    ],
  },
  library: 'agents',
  async run({ agent, matrix, show, window, limit, cursor }, workspace) {
    const surveyed = await surveyAgents(workspace, agent);
    const { cut } = surveyed.survey;
    const incomplete = cut.length === 0 ? {} : { incomplete: [...cut] };
    const profile = surveyed.profiles.find(({ id }) => id === agent);
    const tokens = tokensIn(window);
    if (matrix) return { ...matrixOf(surveyed, profile, show, { limit, cursor }, tokens), ...incomplete };
    if (profile) return { ...(await listOf(surveyed, profile, tokens)), ...incomplete };
    return {
      agents: summarizeAgents(surveyed, tokens),
      ...incomplete,
    };
  },
});

async function listOf(surveyed: Surveyed, profile: Profile, window: number | undefined): Promise<AgentsOutput> {
  const { remedies } = await import('../agents/remedies.ts');
  const seen = surveyed.seen(profile, window);
  const listed = new Set(seen.entries.flatMap(({ verdict }) => verdict?.copy ?? []));
  const hidden = [...seen.verdicts.values()].filter(({ copy }) => !listed.has(copy) && !copy.builtIn);
  return {
    agent: summarizeAgent(surveyed, seen),
    entries: seen.entries.map(({ position, name, verdict, status, characters, text: shown }) => ({
      position,
      name,
      fullName: verdict?.copy.fullName ?? null,
      path: verdict ? folderOf(verdict.file) : null,
      status,
      characters,
      text: shown,
      ...(verdict ? {} : { builtIn: true as const }),
    })),
    hidden: hidden.map(describeHidden),
    remedies: remedies(profile, surveyed.survey, settingsOf(surveyed.survey, profile), window),
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

function matrixOf(
  surveyed: Surveyed,
  asked: Profile | undefined,
  show: (typeof SHOW)[number],
  page: { limit: number; cursor?: string | undefined },
  window: number | undefined,
): AgentsOutput {
  const columns = asked ? [asked] : surveyed.present;
  const seen = columns.map((profile) => surveyed.seen(profile, window));
  const rows = surveyed.survey.copies
    .filter(({ builtIn }) => !builtIn)
    .map((copy) => ({ copy, statuses: seen.map(({ verdicts }) => verdicts.get(copy)?.status ?? 'not-read') }))
    .filter(({ statuses }) => isShown(show, statuses));
  const { page: shown, ...next } = pageFrom(rows, page);
  return {
    agents: columns.map(({ id }) => id),
    rows: shown.map(({ copy, statuses }) => describeRow(copy, columns, statuses)),
    total: rows.length,
    ...next,
  };
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

function isShown(show: (typeof SHOW)[number], statuses: readonly Status[]): boolean {
  const isListed = (status: Status): boolean => status === 'seen' || status === 'shortened' || status === 'name-only';
  switch (show) {
    case 'all':
      return true;
    case 'differs':
      return new Set(statuses).size > 1;
    case 'cut':
      return statuses.some((status) => status === 'shortened' || status === 'name-only');
    case 'hidden':
      return statuses.some((status) => !isListed(status) && status !== 'unknown');
    case 'nobody':
      return !statuses.some((status) => isListed(status) || status === 'unknown');
  }
}
