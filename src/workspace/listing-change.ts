import { sameStamp } from '../core/disk/tree.ts';
import { count } from '../core/text.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import type { Snapshot } from './workspace.ts';
import { isForModels, isForPeople } from './agent-listing.ts';

export interface ListingChange {
  /** Whether a list of skills changed. */
  listed: boolean;
  /** A short description for people, such as "2 skills added". */
  reason: string;
  /** Skills whose SKILL.md changed. */
  updated: readonly Skill[];
}

/** Compares the filtered skills of two snapshots. Returns undefined if there are no differences. */
export function compareListings(before: Snapshot, after: Snapshot): ListingChange | undefined {
  const [was, is] = [before.view().skills, after.view().skills];
  let added = 0;
  let changed = 0;
  const updated: Skill[] = [];
  const known = new Map(was.map((skill) => [skill.file, skill]));
  for (const skill of is) {
    const earlier = known.get(skill.file);
    known.delete(skill.file);
    if (!earlier) added += 1;
    else if (!readsTheSame(earlier, skill)) changed += 1;
    if (earlier && !sameStamp(earlier.stamp, skill.stamp)) updated.push(skill);
  }
  const removed = known.size;
  const reordered = added + removed + changed === 0 && is.some((skill, index) => was[index]?.file !== skill.file);
  const listed = added + removed + changed > 0 || reordered;
  if (!listed && updated.length === 0) return undefined;
  const parts = [
    ...(added === 0 ? [] : [`${count(added, 'skill')} added`]),
    ...(removed === 0 ? [] : [`${count(removed, 'skill')} removed`]),
    ...(changed === 0 ? [] : [`${count(changed, 'skill')} changed`]),
    ...(reordered ? ['the order changed'] : []),
  ];
  return {
    listed,
    reason: parts.length === 0 ? `${count(updated.length, 'text')} changed` : parts.join(', '),
    updated,
  };
}

/** Counts the SKILL.md files that were added, removed or changed, whether or not their skills are listed. */
export function countChangedFiles({ discovery: before }: Snapshot, { discovery: after }: Snapshot): number {
  let changed = 0;
  for (const [file, { stamp }] of after.headers) {
    const earlier = before.headers.get(file);
    if (!earlier || !sameStamp(earlier.stamp, stamp)) changed += 1;
  }
  for (const file of before.headers.keys()) if (!after.headers.has(file)) changed += 1;
  return changed;
}

function readsTheSame(a: Skill, b: Skill): boolean {
  return (
    a.name === b.name &&
    a.description === b.description &&
    fullNameOf(a) === fullNameOf(b) &&
    a.location === b.location &&
    isForModels(a) === isForModels(b) &&
    isForPeople(a) === isForPeople(b)
  );
}
