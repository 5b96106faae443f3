import path from 'node:path';
import { findTarget } from '../core/disk/answers.ts';
import { breather } from '../core/breathe.ts';
import { LIMITS } from '../core/limits.ts';
import { projectFolders } from '../skills/roots/plan.ts';
import { walkRoot } from '../skills/walk.ts';
import type { StoredFile } from '../store/catalog-store.ts';
import type { Reader } from '../workspace/reader.ts';

/**
 * Finds SKILL.md files below a folder that are not published because they are outside of every skills folder. Authors would
 * expect to find them in the catalog.
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
    {
      limits: { depth: LIMITS.walkDepth.value, entries: LIMITS.walkEntries.value },
      seenRoots: new Set(),
      breathe: breather(),
    },
  );
  // A skill found through a link may have been published from its real location.
  const realPathOf = (place: string): string => findTarget(disk, place)?.realPath ?? place;
  const published = new Set(files.map((file) => realPathOf(path.join(projectDir, file.path))));
  return found.flatMap(({ file }) => (published.has(realPathOf(file)) ? [] : [file]));
}
