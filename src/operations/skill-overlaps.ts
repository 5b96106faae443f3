import type { Overlap, Overlaps, SavedTry } from '../agents/overlap.ts';
import type { Entry, Seen } from '../agents/seen-by.ts';
import type { Copy } from '../agents/survey.ts';
import { Failure } from '../core/failure.ts';
import { integer, list, nullable, number, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { foldName } from '../core/text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { noSuchSkill, placesNamed, STATUS, surveyAgents, type Surveyed } from './agent-shapes.ts';
import { defineOperation } from './define.ts';
import { readRequestsFile } from './requests-file.ts';
import { requestedAgents, TRIED_AGENTS } from './try-request.ts';

const SIDE = object({
  fullName: nullable(text('null for a built-in skill')),
  path: nullable(text('Folder of the skill; null for a built-in skill')),
});

const PAIR = {
  agent: text(),
  a: text('Name in the agent’s list'),
  b: text('Name in the agent’s list'),
  similarity: number('Of the two lines, from 0 to 1'),
  words: list(text(), 'Words that both lines contain'),
  suggestion: text('How to keep the two apart'),
  requests: optional(integer('Number of saved requests that both fit almost equally well')),
  copies: optional({ type: 'flag', always: true, help: 'The list has two copies of one skill' }),
  skills: list(SIDE, 'a, then b'),
} as const;
export type ListedPair = ObjectOf<typeof PAIR>;

const output = {
  name: optional(text('The requested skill')),
  agents: list(
    object({
      id: text(),
      title: text(),
      skills: integer('Number of skills in its list'),
      status: optional(STATUS),
      reason: optional(text('Why the requested skill is not in its list')),
    }),
  ),
  pairs: list(object(PAIR), 'Pairs with saved requests first, then the most similar ones; copies of one skill last'),
  total: integer('Number of pairs. A pair in the lists of several agents counts once'),
  requestsProblem: optional(text('Why the saved requests cannot be used')),
  leftOut: object({
    pairs: integer('Pairs beyond the limit'),
    distinguished: integer('Similar pairs that a request can tell apart, by a reference or by their names'),
    skills: integer('Skills that were not compared with all others, because there are too many'),
    withoutText: integer('Skills that an agent lists without a known description'),
    requests: integer('Saved requests that were not tried, because there are too many skills'),
  }),
} as const;
export type OverlapOutput = ObjectOf<typeof output>;

export const skillOverlaps = defineOperation({
  name: 'skill_overlaps',
  title: 'Overlap',
  summary: 'Show skills that compete for the same requests in an agent’s list, and how to tell them apart',
  params: {
    name: {
      type: 'text',
      positional: true,
      filled: true,
      max: LIMITS.inputCharacters.value,
      placeholder: 'skill',
      help: 'Only pairs with this skill',
    },
    agents: { ...TRIED_AGENTS, flags: ['--agent'] },
    limit: { type: 'integer', min: 1, max: 1_000, default: 20, placeholder: 'n', help: 'Maximum number of pairs' },
  },
  output,
  reads: 'skills',
  settings: ['skills'],
  surveys: true,
  command: {
    name: 'overlap',
    group: 'Look',
    completes: 'skills',
    examples: [
      ['lectern overlap', 'pairs of skills that answer the same requests'],
      ['lectern overlap pdf --agent claude', 'skills that compete with one skill in one list'],
    ],
  },
  library: 'overlap',
  async run({ name, agents: asked, limit }, workspace: Workspace, { workingDir }) {
    const surveys = await surveysFor(workspace, asked);
    const wanted = name === undefined ? undefined : await skillNamed(surveys, name, workspace, workingDir);
    const lists = surveys.map(({ seen }) => seen);
    const { saved, problem } = await savedTries(workspace);
    const found = await overlapsIn(lists, saved, wanted?.isWanted);
    const { overlaps } = found;
    const shown = overlaps.slice(0, limit);
    return {
      ...(wanted ? { name: wanted.name } : {}),
      agents: await Promise.all(
        lists.map(async (seen) => ({
          id: seen.profile.id,
          title: seen.profile.name,
          skills: seen.entries.length,
          ...(wanted && !seen.entries.some(wanted.isWanted) ? await whyNotListed(seen, wanted.copies) : {}),
        })),
      ),
      pairs: shown.flatMap(pairsOf),
      total: overlaps.length,
      ...(problem === undefined ? {} : { requestsProblem: problem }),
      leftOut: {
        pairs: overlaps.length - shown.length,
        distinguished: found.distinguished,
        skills: found.notCompared,
        withoutText: found.withoutText,
        requests: found.notTried,
      },
    };
  },
});

interface SurveyedList {
  surveyed: Surveyed;
  seen: Seen;
}

async function surveysFor(workspace: Workspace, asked: readonly string[] | undefined): Promise<SurveyedList[]> {
  const all = await surveyAgents(workspace);
  const profiles = await requestedAgents(all, asked);
  return Promise.all(
    profiles.map(async (profile) => {
      const isHere = all.present.some(({ id }) => id === profile.id);
      const surveyed = isHere ? all : await surveyAgents(workspace, profile.id);
      return { surveyed, seen: surveyed.seen(profile) };
    }),
  );
}

interface WantedSkill {
  name: string;
  copies: readonly Copy[];
  isWanted(entry: Entry): boolean;
}

/** Fails with NOT_FOUND if no copy and no built-in skill has the name. */
async function skillNamed(
  surveys: readonly SurveyedList[],
  asked: string,
  workspace: Workspace,
  workingDir: string | undefined,
): Promise<WantedSkill> {
  const { copiesNamed, namesOf } = await import('../agents/why.ts');
  const readings = placesNamed(asked, workspace, workingDir);
  const copies = surveys.flatMap(({ surveyed }) => copiesNamed(surveyed.survey, readings).copies);
  const own = new Set(copies);
  const wanted = foldName(asked.trim());
  const isWanted = ({ name, verdict }: Entry): boolean => (verdict ? own.has(verdict.copy) : foldName(name) === wanted);
  const entries = surveys.flatMap(({ seen }) => seen.entries);
  const [name = copies[0]?.name] = entries.filter(isWanted).map((entry) => entry.verdict?.copy.name ?? entry.name);
  if (name !== undefined) return { name, copies, isWanted };
  const names = surveys.flatMap(({ surveyed }) => surveyed.survey.copies.flatMap(namesOf));
  throw noSuchSkill(asked, [...names, ...entries.map((entry) => entry.name)]);
}

async function whyNotListed(
  seen: Seen,
  copies: readonly Copy[],
): Promise<Pick<OverlapOutput['agents'][number], 'status' | 'reason'>> {
  const { bestVerdict } = await import('../agents/why.ts');
  const verdict = bestVerdict(seen, copies);
  return verdict ? { status: verdict.status, reason: verdict.reason } : { status: 'not-read' };
}

/** Returns the saved requests of the project. A file that cannot be used leaves the comparison of lines as it is. */
async function savedTries(workspace: Workspace): Promise<{ saved: SavedTry[]; problem?: string }> {
  const [{ readRequests }, { readRequest }, { bundledModel }] = await Promise.all([
    import('../agents/requests.ts'),
    import('../search/line.ts'),
    import('../workspace/open-search.ts'),
  ]);
  try {
    const { file, text: written } = readRequestsFile(workspace);
    const requests = written === undefined ? [] : readRequests(written, file).requests;
    return {
      saved: requests.map(({ request, agents }) => ({ request: readRequest(bundledModel(), request), agents })),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { saved: [], problem: error.message };
  }
}

async function overlapsIn(
  lists: readonly Seen[],
  saved: readonly SavedTry[],
  isWanted?: WantedSkill['isWanted'],
): Promise<Overlaps> {
  const [{ findOverlaps }, { bundledModel }] = await Promise.all([
    import('../agents/overlap.ts'),
    import('../workspace/open-search.ts'),
  ]);
  return findOverlaps(bundledModel(), lists, { saved, isWanted });
}

/** A pair in the list of each agent that has it. */
function pairsOf({ words, suggestion, areCopies, agents }: Overlap): ListedPair[] {
  return agents.map(({ agent, a, b, similarity, requests }) => ({
    agent,
    a: a.name,
    b: b.name,
    similarity: Math.round(similarity * 1_000) / 1_000,
    words,
    suggestion,
    ...(requests > 0 ? { requests } : {}),
    ...(areCopies ? { copies: true as const } : {}),
    skills: [a, b].map(({ verdict }) => ({
      fullName: verdict?.copy.fullName ?? null,
      path: verdict?.file.replace(/[\\/][^\\/]*$/u, '') ?? null,
    })),
  }));
}

export const OVERLAP_SUMMARY = {
  total: integer('Number of pairs of skills that compete in a list'),
  pairs: list(object({ a: text(), b: text(), agents: list(text()) }), 'The first two'),
} as const;

/** Number of pairs in a summary. */
const SUMMARY_PAIRS = 2;

/** Summarizes the overlaps in the lists of all agents found here, without saved requests. */
export async function summarizeOverlaps({ present, seen }: Surveyed): Promise<ObjectOf<typeof OVERLAP_SUMMARY>> {
  const { overlaps } = await overlapsIn(
    present.map((profile) => seen(profile)),
    [],
  );
  return {
    total: overlaps.length,
    pairs: overlaps.slice(0, SUMMARY_PAIRS).map(({ agents }) => ({
      a: agents[0].a.name,
      b: agents[0].b.name,
      agents: agents.map(({ agent }) => agent),
    })),
  };
}
