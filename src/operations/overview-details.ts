/** Details of the overview for its page: the latest changes. */
import path from 'node:path';
import { changedAt, type Stamp } from '../core/disk/tree.ts';
import { choice, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { fullNameOf } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';

const RECENT = {
  kind: choice(['skill', 'spec', 'change']),
  id: text('The full name of a skill, or the ID'),
  name: text(),
  file: text(),
  part: optional(choice(['proposal', 'tasks', 'design'], 'The part of a change; missing for its deltas')),
  modified: text('ISO 8601'),
} as const;
type Recent = ObjectOf<typeof RECENT>;

export const OVERVIEW_DETAILS = {
  recent: optional(list(object(RECENT), 'On the page: the files that were changed last')),
} as const;
type Details = ObjectOf<typeof OVERVIEW_DETAILS>;

const RECENT_MAX = 5;

export async function overviewDetails(workspace: Reader): Promise<Details> {
  return { recent: await changedLast(workspace) };
}

async function changedLast({ snapshot }: Reader): Promise<Recent[]> {
  const specs = await snapshot.specs();
  const files: (Omit<Recent, 'modified'> & { stamp: Stamp })[] = [
    ...snapshot.all.copies.map((skill) => ({
      kind: 'skill' as const,
      id: fullNameOf(skill),
      name: skill.name,
      file: skill.file,
      stamp: skill.stamp,
    })),
    ...specs.specs.map(({ id, file }) => ({
      kind: 'spec' as const,
      id,
      name: `specs/${id}`,
      file: file.path,
      stamp: file.stamp,
    })),
    ...specs.changes.flatMap(filesOfChange),
  ];
  return files
    .flatMap(({ stamp, ...rest }) => {
      const at = changedAt(stamp);
      return at === undefined ? [] : [{ ...rest, at }];
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, RECENT_MAX)
    .map(({ at, ...rest }) => ({ ...rest, modified: at.toISOString() }));
}

type Change = Awaited<ReturnType<Reader['snapshot']['specs']>>['changes'][number];

function filesOfChange({ id, proposal, tasksFile, design, deltas }: Change) {
  const parts = [
    { file: proposal, part: 'proposal' as const },
    { file: tasksFile, part: 'tasks' as const },
    { file: design, part: 'design' as const },
    ...deltas.map(({ file }) => ({ file })),
  ];
  return parts.flatMap(({ file, ...part }) =>
    file
      ? [
          {
            kind: 'change' as const,
            id,
            name: `${id}/${path.basename(file.path)}`,
            file: file.path,
            ...part,
            stamp: file.stamp,
          },
        ]
      : [],
  );
}
