/** Marks installed skills in lists. The install module is loaded only if there is a lock file. */
import path from 'node:path';
import { exists } from '../core/disk/answers.ts';
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
      modified: optional(flag('Its files were changed since; missing for large skills, which verify compares')),
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

export async function installedMarks(reader: Reader): Promise<Marks> {
  const found = await installedIn(reader);
  return (folder) => {
    const installed = found?.byFolder.get(folder);
    return installed ? { installed } : {};
  };
}
