import type { Profile } from '../agents/profile.ts';
import { OUTCOMES, TRY_VERDICTS } from '../agents/names.ts';
import type { Tried } from '../agents/try-request.ts';
import { Failure } from '../core/failure.ts';
import { choice, list, nullable, number, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import type { StaticModel } from '../search/model/static-model.ts';
import type { TriedRequest } from '../search/line.ts';
import type { Reader } from '../workspace/reader.ts';
import { getProfile, noSuchSkill, placesNamed, STATUS, surveyAgents, type Surveyed } from './agent-shapes.ts';
import { defineOperation, InvalidInput } from './define.ts';

export const REQUEST = {
  type: 'text',
  filled: true,
  max: LIMITS.triedCharacters.value,
  help: 'A request as a user would type it',
} as const;

export const TRIED_AGENTS = {
  type: 'list',
  of: { type: 'text', filled: true, max: 64 },
  max: 32,
  commas: true,
  placeholder: 'agent',
  help: 'Only these agents; all that are found here by default',
} as const;

export const TRIED = {
  id: text(),
  title: text(),
  verdict: choice(TRY_VERDICTS, 'close: the second skill fits almost as well; none: no skill fits'),
  margin: number('Score of the first skill minus that of the second'),
  results: list(
    object({
      name: text('Name in the agent’s list'),
      fullName: nullable(text('null for a built-in skill')),
      path: nullable(text('Folder of the skill; null for a built-in skill')),
      score: number('From 0 to 1'),
      words: list(text(), 'Words of the request in the line'),
      text: text(
        'Description as the model sees it; empty if it sees only the name, or the text of a built-in skill is unknown',
      ),
    }),
    'Best first',
  ),
  missing: optional(
    list(
      object({ name: text(), status: STATUS, reason: text() }),
      'Skills that fit better than the first, but are hidden from the model in whole or in part',
    ),
  ),
  outcome: optional(choice(OUTCOMES, 'With an expected skill')),
  reason: optional(text('Why it is not a pass')),
  status: optional(STATUS),
} as const;
export type TriedAgent = ObjectOf<typeof TRIED>;

const output = { request: text(), agents: list(object(TRIED)) } as const;

export const tryRequest = defineOperation({
  name: 'try_request',
  title: 'Try a request',
  summary: 'Rank the skills in each agent’s list against a request, by the text that the agent shows its model',
  details: 'It compares texts and asks no model. Use it to check whether a description makes a skill the first choice.',
  params: { request: { ...REQUEST, required: true }, agents: TRIED_AGENTS },
  output,
  reads: 'skills',
  settings: ['skills'],
  surveys: true,
  tool: 'authoring',
  join: 'none',
  async run({ request, agents }, workspace) {
    const trial = await openTrial(workspace, agents);
    return { request, agents: await Promise.all(trial.agents.map((profile) => trial.answer(profile, request))) };
  },
});

/** Completes a sentence about a request. */
export const NO_WORD = 'must contain a word that distinguishes skills';

/** Number of results for each agent. */
const RESULTS = 3;

export interface Expected {
  name: string;
  minMargin: number;
}

/** A place in a file, for messages. */
interface Place {
  path: string;
  line: number;
}

export interface Trial {
  /** The requested agents, or those found here. */
  agents: readonly Profile[];
  /** Whether a request has a word that distinguishes skills. `answer` fails for others. */
  canRank(request: string): boolean;
  /** Results of one agent. With an expected skill, also whether it is the first. */
  answer(profile: Profile, request: string, expected?: Expected): Promise<TriedAgent>;
  /** Returns the name of a skill as its file has it. Fails with NOT_FOUND if there is none. `none` is no skill. */
  nameOf(expected: string, place?: Place): Promise<string>;
}

/** Fails if an agent is unknown, or if none is found. An agent that is not found here is previewed if it is requested. */
export async function openTrial(
  workspace: Reader,
  asked: readonly string[] | undefined,
  workingDir?: string,
): Promise<Trial> {
  const [{ judgeTried, missingFrom, NO_SKILL, tryRequest: rank }, { readRequest }, { bundledModel }, why] =
    await Promise.all([
      import('../agents/try-request.ts'),
      import('../search/line.ts'),
      import('../workspace/open-search.ts'),
      import('../agents/why.ts'),
    ]);
  const all = await surveyAgents(workspace);
  const agents = await requestedAgents(all, asked);
  const model: StaticModel = bundledModel();
  const read = new Map<string, TriedRequest>();
  const surveyFor = ({ id }: Profile): Promise<Surveyed> =>
    all.present.some((profile) => profile.id === id) ? Promise.resolve(all) : surveyAgents(workspace, id);
  const copiesIn = ({ survey }: Surveyed, name: string) =>
    why.copiesNamed(survey, placesNamed(name, workspace, workingDir)).copies;
  const parse = (request: string): TriedRequest => {
    const parsed = read.get(request) ?? readRequest(model, request);
    read.set(request, parsed);
    return parsed;
  };
  return {
    agents,
    canRank: (request) => parse(request).words.length > 0,
    async answer(profile, request, expected) {
      const parsed = parse(request);
      if (parsed.words.length === 0) throw new InvalidInput('request', NO_WORD);
      const surveyed = await surveyFor(profile);
      const seen = surveyed.seen(profile);
      const tried = rank(model, seen, parsed);
      const missing = missingFrom(model, seen, parsed, tried);
      const wanted = expected && { name: expected.name, copies: copiesIn(surveyed, expected.name) };
      return {
        ...describeTried(profile, tried),
        ...(missing.length === 0 ? {} : { missing }),
        ...(wanted ? judgeTried(seen, tried, wanted, expected.minMargin) : {}),
      };
    },
    async nameOf(expected, place) {
      if (expected === NO_SKILL) return expected;
      for (const profile of agents) {
        const surveyed = await surveyFor(profile);
        const [copy] = copiesIn(surveyed, expected);
        if (copy) return copy.name;
        const entry = surveyed.seen(profile).entries.find(({ verdict, name }) => !verdict && name === expected);
        if (entry) return entry.name;
      }
      const { message, hint, suggestions } = noSuchSkill(expected, all.survey.copies.flatMap(why.namesOf));
      throw new Failure('NOT_FOUND', message, { suggestions, ...(hint === undefined ? {} : { hint }), ...place });
    },
  };
}

/** Fails if an agent is unknown, or if none is requested and none is found. */
export async function requestedAgents(
  { present }: Surveyed,
  asked: readonly string[] = [],
): Promise<readonly Profile[]> {
  if (asked.length > 0) return Promise.all([...new Set(asked)].map(getProfile));
  if (present.length > 0) return present;
  throw new Failure('NOT_FOUND', 'No agent was found here.', {
    hint: 'Name one, for example with --agent claude.',
    hintForModels: 'Name one in agents, such as claude.',
  });
}

function describeTried({ id, name }: Profile, { verdict, margin, ranked }: Tried): TriedAgent {
  return {
    id,
    title: name,
    verdict,
    margin: rounded(margin),
    results: ranked.slice(0, RESULTS).map(({ entry, score, words }) => ({
      name: entry.name,
      fullName: entry.verdict?.copy.fullName ?? null,
      path: entry.verdict?.file.replace(/[\\/][^\\/]*$/u, '') ?? null,
      score: rounded(score),
      words,
      text: entry.text,
    })),
  };
}

function rounded(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}
