/** Details of search results for the page: where each skill is, how many agents see it, and the state of each change. */
import { isListed } from '../agents/status.ts';
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LOCATIONS } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import { statusesByFile, surveyAgents } from './agent-shapes.ts';
import { CHANGE_STATE, TASK_PROGRESS } from './shapes.ts';

export const RESULT_DETAILS = {
  shown: optional(
    object(
      { text: text(), marks: list(list(integer())) },
      'On the page: the description, or the snippet if only other text matches, with its marks',
    ),
  ),
  skill: optional(
    object(
      {
        provider: text(),
        location: choice(LOCATIONS),
        source: optional(text('In a shared catalog, the source')),
        seenBy: optional(integer('Number of agents found here that list it')),
      },
      'On the page: where the skill is',
    ),
  ),
  change: optional(
    object({ state: CHANGE_STATE.state, task_progress: object(TASK_PROGRESS) }, 'On the page: progress of the change'),
  ),
} as const;
type Details = ObjectOf<typeof RESULT_DETAILS>;

interface Found {
  kind: string;
  id: string;
  path: string;
}

/** Returns a function that adds the details of a result. */
export async function resultDetails(workspace: Reader, results: readonly Found[]): Promise<(result: Found) => Details> {
  const filesOf = (kind: string): Set<string> =>
    new Set(results.flatMap((result) => (result.kind === kind ? [result.path] : [])));
  const skills = await skillDetails(workspace, filesOf('skill'));
  const changes = filesOf('change').size === 0 ? new Map<string, Details>() : await changeDetails(workspace);
  return ({ kind, id, path }) => (kind === 'skill' ? skills.get(path) : kind === 'change' ? changes.get(id) : {}) ?? {};
}

async function skillDetails(workspace: Reader, files: ReadonlySet<string>): Promise<Map<string, Details>> {
  if (files.size === 0) return new Map();
  const statuses = workspace.isShared ? undefined : statusesByFile(await surveyAgents(workspace));
  const skills = workspace.snapshot.all.copies.filter(({ file }) => files.has(file));
  return new Map(
    skills.map(({ file, provider, location, source }) => {
      const seenBy = statuses && Object.values(statuses(file)).filter(isListed).length;
      const where = { provider, location, ...(source === undefined ? {} : { source }) };
      return [file, { skill: { ...where, ...(seenBy === undefined ? {} : { seenBy }) } }];
    }),
  );
}

async function changeDetails(workspace: Reader): Promise<Map<string, Details>> {
  const { describeActive } = await import('./change-states.ts');
  const changes = await describeActive(await workspace.snapshot.specs());
  return new Map(changes.map(({ id, state, task_progress }) => [id, { change: { state, task_progress } }]));
}
