/**
 * Lock files of two other installers: `skills-lock.json` of a project (version 1, by `npx skills`), and `.skill-lock.json` in the
 * home (version 3, by `npx skills` and `gh skill`). They contain one hash per skill, of its folder in the source, and no commit. An
 * update changes only the hash of the updated skill and preserves every other byte.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { findEntry } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import type { Disk, NewFile } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { readFrontmatter } from '../core/frontmatter/read.ts';
import { bodyOf, splitFrontmatter } from '../core/frontmatter/split.ts';
import { groupBy } from '../core/group-by.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText, textOf } from '../core/text.ts';
import { ALL_AGENTS } from '../skills/roots/agents.ts';
import { userFolders } from '../skills/roots/plan.ts';
import { isSkillFile } from '../skills/skill.ts';
import { type Scope, whyTooManySkills } from './lock.ts';
import { whySkillIsUnsafe } from './names.ts';
import { innerPath, parseSource, type Source } from './source.ts';
import type { Surroundings } from './targets.ts';

export interface ForeignLock {
  /** File name. */
  name: string;
  file: string;
  scope: Scope;
  /** Key of the hash in an entry. */
  hashKey: 'computedHash' | 'skillFolderHash';
  text: string;
  skills: ForeignSkill[];
}

export interface ForeignSkill {
  name: string;
  /** Undefined for a source that only the other installer supports. */
  source: Source | undefined;
  ref: string | null;
  isPinned: boolean;
  /** Skill folder in the source, if recorded. */
  path: string | undefined;
  hash: string;
  method: HashMethod;
  /** Folders on the disk, without links to them. */
  folders: string[];
}

/** `tree` is the git tree ID of the folder, and `files` is a SHA-256 of its paths and contents. */
export type HashMethod = 'files' | 'tree';

const KINDS = [
  { name: 'skills-lock.json', version: 1, scope: 'project', hashKey: 'computedHash' },
  { name: '.skill-lock.json', version: 3, scope: 'user', hashKey: 'skillFolderHash' },
] as const;

export function readForeignLocks(files: FileTree, here: Surroundings): ForeignLock[] {
  return KINDS.flatMap(({ name, version, scope, hashKey }): ForeignLock[] => {
    const file = placeOf(name, here);
    const read = file === undefined ? undefined : readJsonFile(files, file);
    if (file === undefined || !read || read.kind === 'missing') return [];
    if (read.kind === 'broken' || !isRecord(read.value)) {
      throw invalid(file, read.kind === 'broken' ? read.reason : 'it is not an object');
    }
    // Other versions have another format and are left to their installer.
    if (read.value['version'] !== version || !isRecord(read.value['skills'])) return [];
    const named = Object.entries(read.value['skills']);
    const tooMany = whyTooManySkills(named.length);
    if (tooMany !== undefined) throw invalid(file, tooMany);
    const skills = named.flatMap(([key, entry]) =>
      isRecord(entry) && whySkillIsUnsafe(key, '') === undefined
        ? [skillOf(key, entry, { scope, hashKey, files, here })]
        : [],
    );
    return [{ name, file, scope, hashKey, text: read.text, skills }];
  });
}

function invalid(file: string, why: string): Failure {
  return new Failure('LOCK_INVALID', `${file} cannot be trusted: ${why}.`, {
    path: file,
    hint: 'Nothing was written. Restore the file from version control, or remove it.',
  });
}

function placeOf(
  name: (typeof KINDS)[number]['name'],
  { projectRoot, userDir, environment }: Surroundings,
): string | undefined {
  if (name === 'skills-lock.json') return path.join(projectRoot, name);
  const state = environment['XDG_STATE_HOME'];
  if (state && path.isAbsolute(state)) return path.join(state, 'skills', name);
  return userDir === undefined ? undefined : path.join(userDir, '.agents', name);
}

function skillOf(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  { scope, hashKey, files, here }: Pick<ForeignLock, 'scope' | 'hashKey'> & { files: FileTree; here: Surroundings },
): ForeignSkill {
  const text = (key: string): string | undefined => {
    const value = entry[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const pinned = text('pinnedRef');
  const hash = text(hashKey) ?? '';
  return {
    name,
    source: sourceOf(text('sourceType'), text('sourceUrl'), text('source'), here),
    ref: text('ref') ?? pinned ?? null,
    isPinned: pinned !== undefined,
    path: folderOf(text('skillPath')),
    hash,
    method: hashKey === 'computedHash' ? 'files' : methodOf(hash),
    folders: foldersOf(name, scope, files, here),
  };
}

/** The lock of the home has git tree IDs for repositories on GitHub. Folders and other repositories have a SHA-256. */
function methodOf(hash: string): HashMethod {
  return /^[0-9a-f]{64}$/iu.test(hash) ? 'files' : 'tree';
}

function sourceOf(
  type: string | undefined,
  url: string | undefined,
  source: string | undefined,
  here: Surroundings,
): Source | undefined {
  if (source === undefined) return undefined;
  if (type === 'local') return { type: 'local', dir: path.resolve(here.projectRoot, source), path: '' };
  if (type !== 'github' && type !== 'gitlab' && type !== 'git') return undefined;
  try {
    const { refAndPath: _, ...parsed } = { refAndPath: '', ...parseSource(url ?? source) };
    return parsed.type === 'git' ? { ...parsed, path: '' } : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function folderOf(skillPath: string | undefined): string | undefined {
  if (skillPath === undefined) return undefined;
  try {
    const inner = innerPath(skillPath);
    if (!isSkillFile(path.posix.basename(inner))) return inner;
    return path.posix.dirname(inner).replace(/^\.$/u, '');
  } catch {
    return undefined;
  }
}

function foldersOf(name: string, scope: Scope, files: FileTree, here: Surroundings): string[] {
  const roots = ALL_AGENTS.flatMap((agent) =>
    scope === 'user' ? userFolders(agent, here) : agent.project.map((below) => path.join(here.projectRoot, below)),
  );
  const folders = [...new Set(roots)].flatMap((root) =>
    [...new Set([name, plainName(name)])].map((each) => path.join(root, each)),
  );
  return folders.filter((folder) => findEntry(files, folder)?.kind === 'directory');
}

/** Folder naming of `npx skills`. */
function plainName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9._]+/gu, '-');
  const isMark = (at: number): boolean => plain[at] === '.' || plain[at] === '-';
  let [start, end] = [0, plain.length];
  while (start < end && isMark(start)) start += 1;
  while (end > start && isMark(end - 1)) end -= 1;
  return start === end ? name : plain.slice(start, end);
}

/** Computes the hash of a skill in the format of its lock. */
export function foreignHash(method: HashMethod, files: readonly NewFile[]): string {
  return method === 'files' ? hashOfFiles(files) : hashOfTree(files);
}

/** Hash used by `npx skills`: the concatenated paths and contents of all files. */
function hashOfFiles(files: readonly NewFile[]): string {
  const hash = createHash('sha256');
  const sorted = [...files].sort((a, b) => a.path.localeCompare(b.path));
  for (const { path: file, bytes } of sorted) hash.update(file).update(bytes);
  return hash.digest('hex');
}

function isDirect({ path: file }: NewFile): boolean {
  return !file.includes('/');
}

/** Computes the git tree ID of a folder. */
function hashOfTree(files: readonly NewFile[]): string {
  const entries: { name: string; mode: string; id: Buffer; sortBy: string }[] = [];
  const [direct, deeper] = [files.filter(isDirect), files.filter((file) => !isDirect(file))];
  for (const { path: name, bytes, executable } of direct) {
    const id = gitId('blob', Buffer.from(bytes));
    entries.push({ name, mode: executable ? '100755' : '100644', id, sortBy: name });
  }
  for (const [name, inside] of groupBy(deeper, (file) => file.path.slice(0, file.path.indexOf('/')))) {
    const below = inside.map((file) => ({ ...file, path: file.path.slice(name.length + 1) }));
    entries.push({ name, mode: '40000', id: Buffer.from(hashOfTree(below), 'hex'), sortBy: `${name}/` });
  }
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.sortBy), Buffer.from(b.sortBy)));
  const body = entries.map(({ mode, name, id }) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), id]));
  return gitId('tree', Buffer.concat(body)).toString('hex');
}

function gitId(kind: 'blob' | 'tree', content: Buffer): Buffer {
  return createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest();
}

/** Whether two skill texts are equal, ignoring `metadata.github-*` from `gh skill` and the order of the frontmatter. */
export function isSameSkillText(a: Uint8Array, b: Uint8Array): boolean {
  if (Buffer.compare(a, b) === 0) return true;
  const [first, second] = [a, b].map((bytes) => withoutNotes(textOf(bytes)));
  return first !== undefined && first === second;
}

function withoutNotes(text: string | undefined): string | undefined {
  const read = text === undefined ? undefined : readFrontmatter(text, { complete: true });
  if (text === undefined || !read) return undefined;
  const { metadata, ...others } = read.data;
  const kept = isRecord(metadata) ? Object.entries(metadata).filter(([key]) => !key.startsWith('github-')) : [];
  const plain = { ...others, ...(kept.length > 0 ? { metadata: Object.fromEntries(kept) } : {}) };
  return `${JSON.stringify(sorted(plain))}\n${bodyOf(text).trim()}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

/** Returns the metadata that `gh skill` stored in a SKILL.md. */
export function notesOfGh(bytes: Uint8Array): Record<string, string> {
  const text = textOf(bytes);
  const metadata = text === undefined ? undefined : readFrontmatter(text, { complete: true })?.data['metadata'];
  if (!isRecord(metadata)) return {};
  const notes = Object.entries(metadata).filter(([key]) => key.startsWith('github-'));
  return Object.fromEntries(notes.map(([key, value]) => [key, String(value)]));
}

/** Adds the metadata of `gh skill` to a newer version, so that `gh skill update` still recognizes it. */
export function withNotes(bytes: Uint8Array, notes: Readonly<Record<string, string>>): Uint8Array {
  const text = textOf(bytes);
  const split = text === undefined ? undefined : splitFrontmatter(text, { complete: true });
  if (text === undefined || split?.kind !== 'found' || Object.keys(notes).length === 0) return bytes;
  const { yaml, yamlStart: at } = split;
  const block = /^metadata:[ \t]*\r?\n(?<indent>[ \t]+)/mu.exec(yaml);
  const lines = (indent: string): string =>
    Object.entries(notes)
      .map(([key, value]) => `${indent}${key}: ${JSON.stringify(value)}\n`)
      .join('');
  if (!block && /^metadata:/mu.test(yaml)) return bytes;
  const indent = block?.groups?.['indent'] ?? '  ';
  const changed = block
    ? yaml.slice(0, block.index + block[0].length - indent.length) +
      lines(indent) +
      yaml.slice(block.index + block[0].length - indent.length)
    : `${yaml}metadata:\n${lines(indent)}`;
  return Buffer.from(text.slice(0, at) + changed + text.slice(at + yaml.length));
}

export type EditLock = (disk: Disk, lock: ForeignLock, skill: ForeignSkill, files: readonly NewFile[]) => void;

/** Writes the new hash of a skill to its lock. Changes nothing else in the file except the update time. */
export async function textEditor(): Promise<EditLock> {
  const { applyEdits, modify } = await import('jsonc-parser');
  return (disk, { file, hashKey }, { name, method }, files) => {
    const before = disk.readTarget(file, LIMITS.jsonFileBytes.value);
    if (!before) return;
    const all = Buffer.from(before.bytes).toString('utf8');
    const mark = all.startsWith('\ufeff') ? '\ufeff' : '';
    let text = all.slice(mark.length);
    const noted = method === 'tree' ? notedHash(files) : undefined;
    const values: Record<string, string> = {
      [hashKey]: noted ?? foreignHash(method, files),
      ...(hashKey === 'skillFolderHash' ? { updatedAt: new Date().toISOString() } : {}),
    };
    for (const [key, value] of Object.entries(values))
      text = applyEdits(text, modify(text, ['skills', name, key], value, {}));
    disk.replace(before.realPath, mark + text);
  };
}

/** Returns the hash stored in the SKILL.md, which is the hash of the source before the metadata was added. */
function notedHash(files: readonly NewFile[]): string | undefined {
  const main = files.find(({ path: file }) => isSkillFile(file));
  return main && notesOfGh(main.bytes)['github-tree-sha'];
}
