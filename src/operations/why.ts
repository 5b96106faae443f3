import { flag, list, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { AGENT_ID, noSuchSkill, placesNamed, sameText, STATUS, surveyAgents } from './agent-shapes.ts';
import { absolutePlace } from '../workspace/skill-summary.ts';
import { defineOperation } from './define.ts';
import { COPY, COPY_MISSING } from './shapes.ts';

const output = {
  name: text(),
  copyMissing: COPY_MISSING,
  unlisted: optional(text('Why lectern list leaves it out, although agents may read it')),
  agents: list(
    object({
      id: text(),
      title: text(),
      found: flag('Whether it seems to be used here'),
      status: STATUS,
      reason: text(),
      path: text('Folder of the copy that this verdict is about: the best one for this agent'),
      text: optional(text('Text that it lists instead of the description')),
      identical: optional({ type: 'flag', always: true, help: 'Whether the copy that it uses has the same text' }),
      winner: optional(nullable(text('Folder of the copy that it uses; null if that is not determined'))),
      chain: list(
        object({
          place: text(),
          path: text(),
          found: flag('Whether it contains a copy'),
          used: flag('Whether that copy is in the agent’s list'),
        }),
        'Folders that it searches, in its order',
      ),
      fix: optional(text()),
      source: object({ fact: text(), source: text(), version: text() }, 'How we know'),
    }),
  ),
} as const;
export type WhyOutput = ObjectOf<typeof output>;

/** Statuses that mean the agent does not use the skill or the requested copy. */
const TROUBLE: ReadonlySet<string> = new Set(['dropped', 'other-copy', 'disabled', 'broken', 'not-read']);

export const why = defineOperation({
  name: 'why',
  title: 'Why',
  summary: 'Explain for each agent whether it uses a skill, which copy, and how to change that',
  params: {
    name: {
      type: 'text',
      filled: true,
      required: true,
      positional: true,
      placeholder: 'skill',
      help: 'A skill’s name, its full name, or the path of one copy',
    },
    agent: AGENT_ID,
    copy: COPY,
  },
  output,
  reads: 'skills',
  settings: ['skills'],
  surveys: true,
  command: {
    name: 'why',
    group: 'Look',
    completes: 'skills',
    examples: [
      ['lectern why pdf', 'exit code 1 if an agent found here does not use it in any version'],
      ['lectern why pdf --agent codex', 'for one agent, with the folders that it searches'],
      ['lectern why ./.claude/skills/pdf', 'about one copy'],
    ],
  },
  library: 'why',
  hasErrors: ({ agents }) => agents.some(({ found, status, identical }) => found && !identical && TROUBLE.has(status)),
  async run({ name, agent, copy }, workspace, { workingDir }) {
    const surveyed = await surveyAgents(workspace, agent);
    const { survey, present, seen } = surveyed;
    const [{ because, copiesNamed, namesOf }, { whyUnlisted }] = await Promise.all([
      import('../agents/why.ts'),
      import('../agents/not-counted.ts'),
    ]);
    const at = copy === undefined ? [] : copiesNamed(survey, [absolutePlace(workspace, copy)]).copies;
    const { copies } = at.length > 0 ? { copies: at } : copiesNamed(survey, placesNamed(name, workspace, workingDir));
    if (copies.length === 0) throw noSuchSkill(name, survey.copies.flatMap(namesOf));
    const asked = agent === undefined ? present : present.filter(({ id }) => id === agent);
    const areSame = sameText(workspace);
    const reasons = copies.map((copy) => whyUnlisted(workspace.disk, survey, copy));
    const unlisted = reasons.includes(undefined) ? undefined : reasons[0];
    return {
      name: copies[0]?.name ?? name,
      ...(copy === undefined || at.length > 0 ? {} : { copyMissing: true as const }),
      ...(unlisted === undefined ? {} : { unlisted }),
      agents: asked.flatMap((profile) => {
        const answer = because(seen(profile), survey, copies, areSame);
        if (!answer) return [];
        const { verdict, isIdentical, chain } = answer;
        const { status, reason, winner, fix, source, file, text: shown } = verdict;
        return {
          id: profile.id,
          title: profile.name,
          found: survey.agents.get(profile.id)?.isFound ?? false,
          status,
          reason,
          path: file.replace(/[\\/][^\\/]*$/u, ''),
          ...(shown === undefined ? {} : { text: shown }),
          ...(isIdentical ? { identical: true as const } : {}),
          ...(winner === undefined ? {} : { winner: winner?.path ?? null }),
          chain,
          ...(fix === undefined ? {} : { fix }),
          source: { ...source },
        };
      }),
    };
  },
});
