import path from 'node:path';
import { findTarget } from '../core/disk/answers.ts';
import { breather } from '../core/breathe.ts';
import { LIMITS } from '../core/limits.ts';
import { projectFolders } from '../skills/roots/plan.ts';
import { walkRoot } from '../skills/walk.ts';
import type { StoredFile } from '../store/catalog-store.ts';
import type { Reader } from '../workspace/reader.ts';

/**
 * The SKILL.md files below a folder that are not among those that it publishes, because no place where skills are found has
 * them. Their authors would look for them in vain.
 */
export async function leftOut({ disk, options }: Reader, files: readonly StoredFile[]): Promise<string[]> {
  const { projectDir } = options;
  const { gitRoot } = projectFolders(disk, projectDir);
  const { found } = await walkRoot(
    disk,
    {
      dir: projectDir,
      provider: 'repo',
      location: 'collection',
      explicit: false,
      ...(gitRoot === undefined ? {} : { gitRoot }),
    },
    { depth: LIMITS.walkDepth.value, entries: LIMITS.walkEntries.value },
    new Set(),
    undefined,
    breather(),
  );
  // A skill may be reached through a link here, and have been published from where it really is.
  const realPathOf = (place: string): string => findTarget(disk, place)?.realPath ?? place;
  const published = new Set(files.map((file) => realPathOf(path.join(projectDir, file.path))));
  return found.flatMap(({ file }) => (published.has(realPathOf(file)) ? [] : [file]));
}
