/** Compares every installed skill with its lock. */
import path from 'node:path';
import { entriesOf } from '../core/disk/answers.ts';
import { foldName } from '../core/text.ts';
import { isSkillPath } from '../skills/skill.ts';
import { readAllLocks } from './check.ts';
import { verifyForeign } from './foreign.ts';
import { type Lock, LOCK_NAME, placeOf } from './lock.ts';
import type { Machine } from './open-source.ts';
import { type Problem, problemsOfSkill } from './state.ts';

export interface Verified {
  name: string;
  lock: string;
  problems: Problem[];
}

/** With `frozen`, also reports skills in the same folders that are not in any lock file. */
export async function verify(machine: Machine, frozen: boolean): Promise<Verified[]> {
  const { ours, foreign } = readAllLocks(machine);
  const verified = ours.flatMap((lock) =>
    [...lock.skills].map(([name, skill]) => ({
      name,
      lock: LOCK_NAME,
      problems: problemsOfSkill(machine.diskFor(lock.scope), skill, lock),
    })),
  );
  const others: Verified[] = [];
  for (const lock of foreign)
    for (const { skill, problems } of await verifyForeign(lock, machine))
      others.push({ name: skill.name, lock: lock.name, problems });
  if (!frozen) return [...verified, ...others];
  const theirs = foreign.flatMap(({ skills }) => skills.flatMap(({ folders }) => folders));
  return [...verified, ...others, ...ours.flatMap((lock) => unknownBeside(machine, lock, theirs))];
}

function unknownBeside(machine: Machine, lock: Lock, theirs: readonly string[]): Verified[] {
  const targets = [...lock.skills.values()].flatMap((skill) => skill.targets);
  const known = new Set([...targets.map((target) => placeOf(target, lock)), ...theirs].map(foldName));
  // Only `install` fills a folder of skills. Folders that only have shared skills contain skills of the user too.
  const installed = targets.filter(({ shared }) => shared === undefined);
  const roots = new Set(installed.map((target) => path.dirname(placeOf(target, lock))));
  return [...roots].flatMap((root) =>
    entriesOf(machine.files, root).flatMap(({ name, kind }): Verified[] => {
      const place = path.join(root, name);
      if (kind === 'file' || known.has(foldName(place)) || !isSkill(machine, place)) return [];
      return [{ name, lock: LOCK_NAME, problems: [{ code: 'extra', file: '', target: place }] }];
    }),
  );
}

function isSkill({ files }: Machine, place: string): boolean {
  return entriesOf(files, place).some(({ name }) => isSkillPath(name));
}
