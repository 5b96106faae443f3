/** Validates the file list of a publication. It is untrusted input. */
import { dirname } from 'node:path/posix';
import { Failure } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { echo, foldName } from '../core/text.ts';
import { isSkillPath } from '../skills/skill.ts';
import type { StoredFile } from '../store/catalog-store.ts';
import { isSpecFile } from './contents.ts';

const PATH_MAX_CHARACTERS = 1_024;
/** PostgreSQL does not index longer text. */
const PATH_MAX_BYTES = 2_000;
const SEGMENT_MAX_BYTES = 255;
/** Maximum number of problems listed by name. */
const PROBLEMS_MAX = 20;

/** Fails with all problems found. */
export function readManifest(given: unknown): StoredFile[] {
  const { publishedFiles } = LIMITS;
  if (!Array.isArray(given)) throw new Failure('USAGE', '`files` must be a list.');
  if (given.length > publishedFiles.value)
    throw new Failure(
      'REFUSED',
      `The source has ${given.length} files; at most ${publishedFiles.value} are published.`,
    );
  const problems: string[] = [];
  const files: StoredFile[] = [];
  const check = new FileCheck();
  for (const each of given as unknown[]) {
    const file = fileOf(each);
    const problem = typeof file === 'string' ? file : check.problemOf(file);
    if (problem !== undefined) problems.push(problem);
    else if (typeof file !== 'string') files.push(file);
  }
  refuseProblems([...problems, ...sizeProblems(files)]);
  return files;
}

/** Counted before any download, because many paths may share one large file. */
function sizeProblems(files: readonly StoredFile[]): string[] {
  const { publishedSourceBytes, publishedTextBytes, publishedSpecBytes } = LIMITS;
  const isText = ({ path }: StoredFile): boolean => isSkillPath(path);
  const isSpec = ({ path }: StoredFile): boolean => isSpecFile(path) && /\.md$/iu.test(path);
  const counted: [what: string, limit: { value: number }, isCounted: (file: StoredFile) => boolean][] = [
    ['the source has', publishedSourceBytes, () => true],
    ['its SKILL.md files have', publishedTextBytes, isText],
    ['its specs and changes have', publishedSpecBytes, isSpec],
  ];
  return counted.flatMap(([what, { value }, isCounted]) => {
    const bytes = files.reduce((sum, file) => (isCounted(file) ? sum + file.size : sum), 0);
    return bytes > value ? [`${what} ${bytes} bytes in all; at most ${value} are published`] : [];
  });
}

/** Fails with the list of problems, if there are any. */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const named = problems.slice(0, PROBLEMS_MAX);
  const rest = problems.length - named.length;
  throw new Failure(
    'REFUSED',
    `The source was not published: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`,
    {
      hint: 'Fix these files and publish again.',
      suggestions: named,
    },
  );
}

function fileOf(each: unknown): StoredFile | string {
  if (!isRecord(each)) return 'a file is not an object';
  const { path, sha256, size, executable = false } = each;
  if (typeof path !== 'string') return 'a file has no path';
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/u.test(sha256)) return `${echo(path)} has no SHA-256`;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return `${echo(path)} has no size`;
  if (typeof executable !== 'boolean') return `${echo(path)}: executable must be true or false`;
  return { path, sha256, size, executable };
}

/** Paths are relative, with forward slashes, and mean the same on every system. */
function pathProblem(path: string): string | undefined {
  const shown = echo(path);
  if (path === '' || path.length > PATH_MAX_CHARACTERS || Buffer.byteLength(path) > PATH_MAX_BYTES)
    return `${shown} is empty or too long`;
  if (!path.isWellFormed()) return `${shown} is not valid Unicode`;
  // oxlint-disable-next-line no-control-regex -- refuses control characters
  if (/[\u0000-\u001f\u007f\\]/u.test(path)) return `${shown} has a backslash or a control character`;
  for (const part of path.split('/')) {
    if (part === '' || part === '.' || part === '..') return `${shown} is not a plain relative path`;
    if (Buffer.byteLength(part) > SEGMENT_MAX_BYTES) return `${shown} has a name that is too long`;
    if (part.toLowerCase() === '.git') return `${shown} belongs to git`;
  }
  return undefined;
}

/** Checks the files of a publication one by one, each against those before it. */
export class FileCheck {
  readonly #places = new Places();

  problemOf({ path, size }: Pick<StoredFile, 'path' | 'size'>): string | undefined {
    const max = LIMITS.publishedFileBytes.value;
    const problem = pathProblem(path) ?? this.#places.problemOf(path);
    if (problem !== undefined || size <= max) return problem;
    return `${echo(path)} has ${size} bytes; at most ${max} are published`;
  }
}

/** Returns the skill folders that are too large. Each file counts for the nearest skill above it. */
export function largeFolders(
  files: readonly Pick<StoredFile, 'path' | 'size'>[],
  folders: readonly string[],
): { folder: string; problem: string }[] {
  const max = LIMITS.publishedSkillBytes.value;
  const bytes = new Map(folders.map((folder) => [folder, 0]));
  for (const file of files) {
    let folder = dirname(file.path);
    while (folder !== '.' && !bytes.has(folder)) folder = dirname(folder);
    const before = bytes.get(folder);
    if (before !== undefined) bytes.set(folder, before + file.size);
  }
  const large = [...bytes].filter(([, size]) => size > max);
  return large.map(([folder, size]) => ({
    folder,
    problem: `${echo(folder)} has ${size} bytes in all; at most ${max} are published`,
  }));
}

type Place = Map<string, Place> | 'file';

/** Detects paths that conflict with each other. */
class Places {
  readonly #top = new Map<string, Place>();
  #folders = 0;

  problemOf(path: string): string | undefined {
    const { publishedFolders, publishedDepth } = LIMITS;
    // Folded, because two names that differ only in case are one file on some disks.
    const folders = foldName(path).split('/');
    const name = folders.pop() ?? '';
    if (folders.length > publishedDepth.value)
      return `${echo(path)} is in ${folders.length} folders; at most ${publishedDepth.value} are published`;
    let here = this.#top;
    for (const folder of folders) {
      const next = here.get(folder);
      if (next === 'file') return `${echo(path)} is below a file`;
      if (!next && ++this.#folders > publishedFolders.value)
        return `${echo(path)} exceeds the limit of ${publishedFolders.value} folders`;
      const entered = next ?? new Map<string, Place>();
      here.set(folder, entered);
      here = entered;
    }
    if (here.has(name)) return `${echo(path)} differs from another path only in case`;
    here.set(name, 'file');
    return undefined;
  }
}
