/** Collects the files to publish from a folder: its skills and its specs. */
import path from 'node:path';
import { sha256Of } from '../core/sha256.ts';
import { findEntry, findTarget, orTrouble, tryReadTarget } from '../core/disk/answers.ts';
import { IGNORED_NAMES } from '../core/disk/ignored-folders.ts';
import { FileTrouble, isNameNotUtf8, NAME_NOT_UTF8 } from '../core/disk/tree.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText } from '../core/text.ts';
import type { SpecRoot } from '../specs/roots.ts';
import type { StoredFile } from '../store/catalog-store.ts';
import type { Reader } from '../workspace/reader.ts';
import { secretsFilePublished } from './codes.ts';
import { OF_A_TOOL, type Omitted, planSkills, type SkippedSkill } from './plan-skills.ts';

export interface Collected {
  files: StoredFile[];
  /** By SHA-256. */
  contents: Map<string, Uint8Array>;
  /** Expected omissions, such as `node_modules`, are last. */
  omitted: Omitted[];
  /** Loaded skills that cannot be published. */
  skipped: SkippedSkill[];
}

export async function collect(workspace: Reader): Promise<Collected> {
  const { projectDir } = workspace.options;
  const within = (place: string): string => path.relative(projectDir, place).split(path.sep).join('/');
  const found = new Map<string, Uint8Array>();
  const { planned, omitted, skipped } = await planSkills(workspace);
  const max = LIMITS.publishedFiles.value;
  const add = (place: string, bytes: Uint8Array): void => {
    found.set(within(place), bytes);
    if (found.size > max) throw new Failure('REFUSED', `There are more than ${max} files to publish.`);
  };
  for (const { skill, content, files } of planned) {
    const read = await orReason(async () => {
      const bytes = new Map<string, Uint8Array>();
      for (const file of files) bytes.set(path.join(skill.dir, file.path), await content.read(file.path));
      return bytes;
    });
    if (read instanceof Map) for (const [place, bytes] of read) add(place, bytes);
    else skipped.push({ name: skill.name, path: within(skill.file), reason: read });
  }
  for (const dir of (await workspace.snapshot.specs()).roots.flatMap(foldersOf)) {
    if (!isInside(projectDir, dir) || !findTarget(workspace.disk, dir)) continue;
    for (const [place, what] of filesBelow(workspace, dir))
      if (typeof what === 'string') omitted.set(within(place), what);
      else add(place, what);
  }
  const contents = new Map<string, Uint8Array>();
  const files = [...found].map(([name, bytes]): StoredFile => {
    const sha256 = sha256Of(bytes);
    contents.set(sha256, bytes);
    const { mode = 0 } = findTarget(workspace.disk, path.join(projectDir, name)) ?? {};
    return { path: name, sha256, size: bytes.length, executable: (mode & 0o100) !== 0 };
  });
  return {
    files: files.sort((a, b) => compareText(a.path, b.path)),
    contents,
    omitted: [...omitted]
      .map(([place, reason]) => ({ path: place, reason }))
      .sort((a, b) => Number(a.reason === OF_A_TOOL) - Number(b.reason === OF_A_TOOL) || compareText(a.path, b.path)),
    skipped: skipped.sort((a, b) => compareText(a.path, b.path)),
  };
}

/** Returns the message if a file cannot be read. */
async function orReason<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure && error.code === 'UNREADABLE') return error.message;
    throw error;
  }
}

/** Files that usually contain secrets, going by their names. Example files are not reported. */
export function secretsAmong(files: readonly StoredFile[]): Diagnostic[] {
  return files
    .filter(({ path: file }) => /(?:^|\/)\.env(?:\.(?!(?:example|sample|template)$)[^/]+)?$/iu.test(file))
    .map(({ path: file }) =>
      secretsFilePublished.at({ path: file, message: 'all readers of the source can read this file' }),
    );
}

function foldersOf({ layout, base, specsDir, changesDir, archiveDir }: SpecRoot): string[] {
  if (layout === 'openspec') return [path.join(base, 'openspec')];
  return [specsDir, changesDir, archiveDir, ...(layout === 'spec-oxide' ? [path.join(base, '.spox')] : [])];
}

/** Yields the bytes of each file, or the reason for omitting it. Links are omitted: their targets do not exist on other machines. */
function* filesBelow(workspace: Reader, dir: string): Generator<[string, Uint8Array | string]> {
  const entries = orTrouble(() => workspace.disk.list(dir));
  if (entries instanceof FileTrouble) throw unreadable(dir, entries);
  for (const { name, kind } of entries) {
    const place = path.join(dir, name);
    if (IGNORED_NAMES.has(name)) {
      if (kind === 'directory') yield [place, OF_A_TOOL];
    } else if (isNameNotUtf8(name, findEntry(workspace.disk, place))) yield [place, NAME_NOT_UTF8];
    else if (kind === 'directory') yield* filesBelow(workspace, place);
    else if (kind === 'link') yield [place, 'it is a link'];
    else if (kind === 'file') {
      const read = tryReadTarget(workspace.disk, place, LIMITS.publishedFileBytes.value);
      if (!read || read instanceof FileTrouble) throw unreadable(place, read);
      yield [place, read.bytes];
    }
  }
}

function unreadable(place: string, cause: FileTrouble | undefined): Failure {
  return new Failure('UNREADABLE', `${place} cannot be read, so nothing was published.`, { path: place, cause });
}
