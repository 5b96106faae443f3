/** Reads `skills.requests.yaml` of a project. */
import path from 'node:path';
import { REQUESTS_FILE } from '../agents/names.ts';
import { tryReadTarget } from '../core/disk/answers.ts';
import { readingInside } from '../core/disk/confined.ts';
import { FileTrouble, reasonText, type Stamp } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface RequestsText {
  file: string;
  text: string | undefined;
  stamp?: Stamp;
}

/** Reads the nearest file, from the project folder up to the root of the repository. The text is undefined if there is none. */
export function readRequestsFile({
  disk: files,
  options,
  projectRoot,
}: Pick<Workspace, 'disk' | 'options' | 'projectRoot'>): RequestsText {
  // The file comes with a repository, so it must not be a link to another file of the user.
  const disk = readingInside(projectRoot, files);
  for (let dir = options.projectDir; isInside(projectRoot, dir) && dir !== projectRoot; dir = path.dirname(dir)) {
    const file = path.join(dir, REQUESTS_FILE);
    const read = readText(disk, file);
    if (read.text !== undefined) return { file, ...read };
  }
  const file = path.join(projectRoot, REQUESTS_FILE);
  return { file, ...readText(disk, file) };
}

/** Fails if the file exists but cannot be read. */
export function readText(disk: Workspace['disk'], file: string): { text: string | undefined; stamp?: Stamp } {
  const { value: max } = LIMITS.savedRequestsBytes;
  const read = tryReadTarget(disk, file, max);
  if (read === undefined) return { text: undefined };
  if (read instanceof FileTrouble)
    throw new Failure('UNREADABLE', `${file} cannot be read: ${reasonText(read)}.`, {
      path: file,
      hint: `It must be a file of at most ${max / 1024} KiB that you may read.`,
    });
  return { text: Buffer.from(read.bytes).toString('utf8'), stamp: read.stamp };
}
