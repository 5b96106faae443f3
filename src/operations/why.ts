import type { Copy } from '../agents/survey.ts';
import { flag, list, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { tryReadTarget } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { nearest } from '../core/near.ts';
import { echo } from '../core/text.ts';
import type { Reader } from '../workspace/reader.ts';
import { AGENT_ID, placeNamed, STATUS, surveyAgents } from './agent-shapes.ts';
import { defineOperation } from './define.ts';

const output = {
  name: text(),
  unlisted: optional(text('Why lectern list leaves it out, although agents may read it')),
  agents: list(
    object({
      id: text(),
      title: text(),
      found: flag('There are traces of it here'),
      status: STATUS,
      reason: text(),
      path: text('The folder of the copy that this is about'),
      winner: optional(nullable(text('The folder of the copy it takes; null if it does not determine one'))),
      chain: list(
        object({
          place: text(),
          path: text(),
          found: flag('A copy is there'),
          used: flag('It is the one in the agent’s list'),
        }),
        'Where it looks, in its own order',
      ),
      fix: optional(text()),
      source: object({ fact: text(), source: text(), version: text() }, 'How we know'),
    }),
  ),
} as const;
export type WhyOutput = ObjectOf<typeof output>;

/** Statuses that mean the agent does not use the skill or this copy of it. */
const TROUBLE: ReadonlySet<string> = new Set(['other-copy', 'disabled', 'broken', 'not-read']);

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
      ['lectern why pdf', 'exit code 1 if an agent found here does not use it'],
      ['lectern why pdf --agent codex', 'about one agent'],
      ['lectern why ./.claude/skills/pdf', 'about one copy'],
    ],
  },
  library: 'why',
  hasErrors: ({ agents }) => agents.some(({ found, status }) => found && TROUBLE.has(status)),
  async run({ name, agent }, workspace) {
    const surveyed = await surveyAgents(workspace, agent);
    const { survey, present, seen } = surveyed;
    const [{ because, copiesNamed, namesOf }, { whyUnlisted }] = await Promise.all([
      import('../agents/why.ts'),
      import('../agents/not-counted.ts'),
    ]);
    const { copies } = copiesNamed(survey, placeNamed(name, workspace));
    if (copies.length === 0) {
      const near = nearest(name, survey.copies.flatMap(namesOf));
      throw new Failure('NOT_FOUND', `There is no skill "${echo(name)}" in any place that an agent or Lectern reads.`, {
        suggestions: near,
        hint: near.length > 0 ? `Did you mean: ${near.join(', ')}?` : 'Run lectern list to see every skill.',
      });
    }
    const asked = agent === undefined ? present : present.filter(({ id }) => id === agent);
    const areSame = sameText(workspace);
    const reasons = copies.map((copy) => whyUnlisted(workspace.disk, survey, copy));
    const unlisted = reasons.includes(undefined) ? undefined : reasons[0];
    return {
      name: copies[0]?.name ?? name,
      ...(unlisted === undefined ? {} : { unlisted }),
      agents: asked.flatMap((profile) => {
        const answer = because(seen(profile), survey, copies, areSame);
        if (!answer) return [];
        const { verdict, chain } = answer;
        const { status, reason, winner, fix, source, file } = verdict;
        return {
          id: profile.id,
          title: profile.name,
          found: survey.agents.get(profile.id)?.isFound ?? false,
          status,
          reason,
          path: file.replace(/[\\/][^\\/]*$/u, ''),
          ...(winner === undefined ? {} : { winner: winner?.path ?? null }),
          chain,
          ...(fix === undefined ? {} : { fix }),
          source: { ...source },
        };
      }),
    };
  },
});

/** Whether two copies have the same SKILL.md. */
function sameText({ disk }: Reader): (a: Copy, b: Copy) => boolean {
  const bytesOf = ({ file }: Copy): Uint8Array | undefined => {
    const read = tryReadTarget(disk, file, LIMITS.skillFileBytes.value);
    return read === undefined || read instanceof FileTrouble ? undefined : read.bytes;
  };
  return (a, b) => {
    const [first, second] = [bytesOf(a), bytesOf(b)];
    return first !== undefined && second !== undefined && Buffer.from(first).equals(second);
  };
}
