/** Marks installed skills in lists. The install module is loaded only if there is a lock file. */
import path from 'node:path';
import { exists } from '../core/disk/answers.ts';
import { Failure } from '../core/failure.ts';
import { flag, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import type { InstalledSkills } from '../install/installed.ts';
import { projectRoot } from '../skills/roots/plan.ts';
import type { Reader } from '../workspace/reader.ts';

export const INSTALLED = optional(
  object(
    {
      lock: text('The name of the lock file'),
      source: text(),
      ref: nullable(text()),
      commit: nullable(text()),
      modified: optional(
        flag('Whether its files were changed since; missing for large skills, which only verify compares'),
      ),
    },
    'Set if it was installed',
  ),
);

type Marks = (folder: string) => { installed?: ObjectOf<(typeof INSTALLED)['fields']> };

const LOCK_NAME = 'lectern.lock.json';

export async function installedIn({ disk, options }: Reader): Promise<InstalledSkills | undefined> {
  const { projectDir, userDir, environment = {} } = options;
  const root = projectRoot(disk, projectDir);
  const config = environment['XDG_CONFIG_HOME'] ?? (userDir === undefined ? undefined : path.join(userDir, '.config'));
  const places = [root, ...(config === undefined ? [] : [path.join(config, 'lectern')])];
  if (!places.some((dir) => exists(disk, path.join(dir, LOCK_NAME)))) return undefined;
  const { installedSkills } = await import('../install/installed.ts');
  return installedSkills(disk, { projectDir, projectRoot: root, userDir, environment });
}

/** Returns the folders of all installed skills, of every installer, with the names of their lock files. */
export async function lockedFolders(reader: Reader): Promise<Map<string, string>> {
  const [found, { readForeignLocks }] = await Promise.all([installedIn(reader), import('../install/foreign-locks.ts')]);
  if (found?.invalid !== undefined) {
    throw new Failure('LOCK_INVALID', found.invalid, {
      hint: 'Nothing was written. Restore the lock file from version control, or remove it.',
    });
  }
  const { disk, options } = reader;
  const { projectDir, userDir, environment = {} } = options;
  const here = { projectDir, projectRoot: projectRoot(disk, projectDir), userDir, environment };
  const foreign = readForeignLocks(disk, here).flatMap(({ name, skills }) =>
    skills.flatMap(({ folders }) => folders.map((folder): [string, string] => [folder, name])),
  );
  return new Map([...foreign, ...[...(found?.byFolder ?? [])].map(([folder, { lock }]) => [folder, lock] as const)]);
}

export async function installedMarks(reader: Reader): Promise<Marks> {
  const found = await installedIn(reader);
  return (folder) => {
    const installed = found?.byFolder.get(folder);
    return installed ? { installed } : {};
  };
}
