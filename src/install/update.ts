/** Updates and removes installed skills. */
import path from 'node:path';
import { findTarget, orTrouble } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble } from '../core/disk/tree.ts';
import type { NewFile } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { unifiedDiff } from '../core/line-diff.ts';
import { compareText, textOf } from '../core/text.ts';
import type { CheckedSkill } from './newer.ts';
import { type LockPlace, type LockedSkill, placeOf } from './lock.ts';
import type { Machine } from './open-source.ts';
import { lockedFiles } from './state.ts';
import { backupPlace, Stage } from './stage.ts';
import {
  asOnlyWriter,
  backupFolder,
  type Change,
  removeSkills,
  type Writer,
  writeSkills,
  type Written,
} from './write.ts';

export interface FileChange {
  file: string;
  kind: 'added' | 'removed' | 'changed';
  diff?: string;
}

/** Returns the file changes that an update would make. */
export function changesOf(
  files: FileTree,
  lock: LockPlace,
  skill: LockedSkill,
  newer: readonly NewFile[],
): FileChange[] {
  const target = skill.targets.find(({ link }) => link === undefined);
  const dir = target && placeOf(target, lock);
  const before = (file: string): Uint8Array | undefined => {
    const read = orTrouble(() =>
      dir === undefined ? undefined : files.read(path.join(dir, file), LIMITS.installedBytes.value),
    );
    return read instanceof FileTrouble ? undefined : read?.bytes;
  };
  const fresh = lockedFiles(newer);
  const bytes = new Map(newer.map((file) => [file.path, file.bytes]));
  const names = [...new Set([...Object.keys(skill.files), ...Object.keys(fresh)])].sort(compareText);
  return names.flatMap((file): FileChange[] => {
    const [old, now] = [skill.files[file], fresh[file]];
    if (old && now && old.sha256 === now.sha256 && old.mode === now.mode) return [];
    const kind = !old ? 'added' : !now ? 'removed' : 'changed';
    const diff = diffOf(file, old ? before(file) : new Uint8Array(), now ? bytes.get(file) : new Uint8Array());
    return [{ file, kind, ...(diff === undefined ? {} : { diff }) }];
  });
}

/** Returns undefined for binary files and files that are too long for a diff. */
function diffOf(file: string, before: Uint8Array | undefined, after: Uint8Array | undefined): string | undefined {
  if (!before || !after || before.length + after.length > LIMITS.skillFileBytes.value) return undefined;
  const [old, now] = [textOf(before), textOf(after)];
  return old === undefined || now === undefined
    ? undefined
    : unifiedDiff(old, now, { from: `a/${file}`, to: `b/${file}` });
}

/** Replaces the installed versions with the newer ones. */
export async function writeUpdates(
  checked: readonly CheckedSkill[],
  machine: Machine,
  force: boolean,
): Promise<Map<string, Written>> {
  const others = await writeForeign(
    checked.filter(({ foreign }) => foreign !== undefined),
    machine,
  );
  const ours = checked.filter(({ foreign }) => foreign === undefined);
  const written = await perLock(ours, machine, (own, writer) => {
    const changes = own.flatMap(({ name, skill, newer }): Change[] =>
      newer
        ? [
            {
              name,
              isUpdate: true,
              files: newer.files,
              entry: { ...skill, commit: newer.commit, files: lockedFiles(newer.files) },
            },
          ]
        : [],
    );
    return writeSkills(writer, changes, force);
  });
  return new Map([...others, ...written]);
}

/** Updates skills of other installers in place, and the hashes in their lock files. */
async function writeForeign(checked: readonly CheckedSkill[], machine: Machine): Promise<Map<string, Written>> {
  const results = new Map<string, Written>();
  if (checked.length === 0) return results;
  const { textEditor } = await import('./foreign-locks.ts');
  const edit = await textEditor();
  for (const { name, lock, newer, modified, foreign } of checked) {
    if (!foreign || !newer) continue;
    const written = await asOnlyWriter(machine, lock, (writer): Written => {
      const { disk } = writer;
      const stage = new Stage(writer);
      try {
        disk.checkReplace(findTarget(disk, foreign.lock.file)?.realPath ?? foreign.lock.file);
        const kept = foreign.skill.folders.map((folder) => {
          const backup = modified ? backupPlace(disk, backupFolder(lock), name) : undefined;
          stage.swap(stage.prepare(path.dirname(folder), newer.files), folder, backup);
          return backup;
        });
        edit(disk, foreign.lock, foreign.skill, newer.files);
        stage.commit();
        const [backup] = kept;
        return { name, status: 'replaced', ...(backup === undefined ? {} : { backup }) };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return { name, status: 'failed', error };
      } finally {
        stage.close(() => true);
      }
    });
    results.set(`${lock.scope} ${name}`, written);
  }
  return results;
}

export async function removeChecked(
  skills: readonly Pick<CheckedSkill, 'name' | 'lock'>[],
  machine: Machine,
  force: boolean,
): Promise<Map<string, Written>> {
  return perLock(skills, machine, (own, writer) =>
    removeSkills(
      writer,
      own.map(({ name }) => name),
      force,
    ),
  );
}

async function perLock<Skill extends { name: string; lock: LockPlace }>(
  skills: readonly Skill[],
  machine: Machine,
  work: (own: Skill[], writer: Writer) => Written[],
): Promise<Map<string, Written>> {
  const results = new Map<string, Written>();
  for (const scope of ['project', 'user'] as const) {
    const own = skills.filter(({ lock }) => lock.scope === scope);
    const lock = own[0]?.lock;
    if (!lock) continue;
    const written = await asOnlyWriter(machine, lock, (writer) => work(own, writer));
    for (const each of written) results.set(`${scope} ${each.name}`, each);
  }
  return results;
}
