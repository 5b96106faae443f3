/** What a folder would publish: the files of its skills, and its specs. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { entriesOf, findTarget, tryReadTarget } from '../core/disk/answers.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText, echo } from '../core/text.ts';
import type { SpecRoot } from '../specs/roots.ts';
import type { StoredFile } from '../store/catalog-store.ts';
import type { Reader } from '../workspace/reader.ts';
import { refuseProblems } from './manifest.ts';

export interface Collected {
  files: StoredFile[];
  /** By SHA-256. */
  contents: Map<string, Uint8Array>;
}

export async function collect(workspace: Reader): Promise<Collected> {
  const { projectDir } = workspace.options;
  const found = new Map<string, Uint8Array>();
  const max = LIMITS.publishedFiles.value;
  const add = (place: string, bytes: Uint8Array): void => {
    found.set(path.relative(projectDir, place).split(path.sep).join('/'), bytes);
    if (found.size > max) throw new Failure('REFUSED', `There are more than ${max} files to publish.`);
  };
  const realPathOf = (place: string): string => findTarget(workspace.disk, place)?.realPath ?? place;
  const realDir = realPathOf(projectDir);
  const skills = workspace.snapshot.all.copies.filter(({ dir }) => isInside(projectDir, dir));
  // A repository must not be able to publish what else is on the machine that builds it.
  refuseProblems(
    skills
      .filter(({ dir }) => !isInside(realDir, realPathOf(dir)))
      .map(({ dir }) => `${echo(path.relative(projectDir, dir))} is a link out of the folder`),
  );
  for (const skill of skills) {
    const content = workspace.contentOf(skill);
    const { files: bundled, cut } = await content.files();
    if (cut) {
      const name = echo(path.relative(projectDir, skill.dir));
      throw new Failure('REFUSED', `${name} has more files than can be listed, so nothing was published.`);
    }
    for (const file of bundled) add(path.join(skill.dir, file.path), await content.read(file.path));
  }
  for (const dir of (await workspace.snapshot.specs()).roots.flatMap(foldersOf)) {
    if (!isInside(projectDir, dir)) continue;
    for (const [place, bytes] of filesBelow(workspace, dir)) add(place, bytes);
  }
  const contents = new Map<string, Uint8Array>();
  const files = [...found].map(([name, bytes]): StoredFile => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    contents.set(sha256, bytes);
    const { mode = 0 } = findTarget(workspace.disk, path.join(projectDir, name)) ?? {};
    return { path: name, sha256, size: bytes.length, executable: (mode & 0o100) !== 0 };
  });
  return { files: files.sort((a, b) => compareText(a.path, b.path)), contents };
}

function foldersOf({ layout, base, specsDir, changesDir, archiveDir }: SpecRoot): string[] {
  if (layout === 'openspec') return [path.join(base, 'openspec')];
  return [specsDir, changesDir, archiveDir, ...(layout === 'spec-oxide' ? [path.join(base, '.spox')] : [])];
}

/** Links are left out: they say nothing on another machine. */
function* filesBelow(workspace: Reader, dir: string): Generator<[string, Uint8Array]> {
  for (const { name, kind } of entriesOf(workspace.disk, dir)) {
    const place = path.join(dir, name);
    if (name === '.git' || name === 'node_modules' || name === '.DS_Store') continue;
    if (kind === 'directory') yield* filesBelow(workspace, place);
    if (kind !== 'file') continue;
    const read = tryReadTarget(workspace.disk, place, LIMITS.publishedFileBytes.value);
    if (!read || read instanceof FileTrouble)
      throw new Failure('UNREADABLE', `${place} cannot be read, so nothing was published.`, {
        path: place,
        cause: read,
      });
    yield [place, read.bytes];
  }
}
