/** Repairs skills for `validate --fix`: plans the repairs, asks for confirmation, then writes them one by one. */
import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { exists, findEntry, findTarget, tryReadTarget } from '../core/disk/answers.ts';
import { FileTrouble, sameStamp, type Stamp } from '../core/disk/tree.ts';
import { type Disk, WriteTrouble } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import type { ObjectOf } from '../core/fields/field.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { unifiedDiff } from '../core/line-diff.ts';
import { count } from '../core/text.ts';
import { parseHeader } from '../skills/parse.ts';
import { repairsOf, withName } from '../skills/repair.ts';
import { nameFolder } from '../skills/rules/name.ts';
import { isSkillPath } from '../skills/skill.ts';
import { isValidName } from '../skills/valid-name.ts';
import { findSubjects, isOfProject } from '../workspace/judge-skills.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RunContext } from './define.ts';
import { confirmOrFail } from './install-shapes.ts';
import { lockedFolders } from './installed.ts';
import type { FIXED, NOT_FIXED } from './shapes.ts';

type Fix = ObjectOf<typeof FIXED>;
type NotFixed = ObjectOf<typeof NOT_FIXED>;

export interface FixRequest {
  target: string | undefined;
  all: boolean;
  /** Which name to keep if the folder and the header differ. */
  nameFrom: 'folder' | 'header' | undefined;
  dryRun: boolean;
  yes: boolean;
}

interface Fixed {
  fixed: Fix[];
  notFixed: NotFixed[];
  /** The target to validate afterwards. It differs if its folder was renamed. */
  target: string | undefined;
}

/** The repairs of one file, and of its folder's name. */
interface Plan {
  file: string;
  disk: Disk;
  stamp: Stamp;
  /** The new text. Undefined if only the folder is renamed. */
  content: string | undefined;
  fixes: Fix[];
  rename: { to: string; fix: Fix } | undefined;
}

export async function fixSkills(workspace: Workspace, request: FixRequest, context: RunContext): Promise<Fixed> {
  const { plans, notFixed } = await planFixes(workspace, request);
  const fixed = plans.flatMap(({ fixes, rename }) => [...fixes, ...(rename ? [rename.fix] : [])]);
  if (request.dryRun || fixed.length === 0) return { fixed, notFixed, target: request.target };
  const question = questionFor(plans);
  await confirmOrFail({ fixed, notFixed }, { command: 'validate --fix', question, yes: request.yes }, context);
  const done: Fixed = { fixed: [], notFixed, target: request.target };
  for (const plan of plans) apply(plan, workspace, done);
  await workspace.fresh();
  return done;
}

function questionFor(plans: readonly Plan[]): string {
  const files = plans.filter(({ content }) => content !== undefined).length;
  const folders = plans.filter(({ rename }) => rename).length;
  const parts = [
    ...(files > 0 ? [`repair ${count(files, 'file')}`] : []),
    ...(folders > 0 ? [`rename ${count(folders, 'folder')}`] : []),
  ].join(' and ');
  return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}?`;
}

/** Writes the text, then renames the folder. If one of them fails, the reason is recorded and the rest is skipped. */
function apply({ file, disk, stamp, content, fixes, rename }: Plan, workspace: Workspace, done: Fixed): void {
  let remaining = [...fixes, ...(rename ? [rename.fix] : [])];
  try {
    if (content !== undefined) {
      disk.replace(file, content, stamp);
      done.fixed.push(...fixes);
      remaining = rename ? [rename.fix] : [];
    }
    if (!rename) return;
    const found = content === undefined ? disk.look(file)?.stamp : undefined;
    if (found && !sameStamp(found, stamp)) throw new WriteTrouble('changed', file);
    const dir = path.dirname(file);
    disk.move(dir, rename.to);
    done.fixed.push(rename.fix);
    done.target = targetAfter(done.target, workspace, dir, rename.to);
  } catch (error) {
    const reason = reasonOf(error);
    done.notFixed.push(...remaining.map(({ code }) => ({ file, code, reason })));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof WriteTrouble) return REASONS[error.reason] ?? error.text;
  if (error instanceof Failure) return error.message.replace(/\.$/u, '');
  throw error;
}

const REASONS: Partial<Record<WriteTrouble['reason'], string>> = {
  changed: 'the file was changed by another program in the meantime',
  'several-names': 'the file has a hard link, which would keep the old content',
  'read-only-file': 'the file is read-only',
  exists: 'a folder with that name already exists',
};

/** A target that was given as a path, or as the old folder name, is replaced by the new path. */
function targetAfter(target: string | undefined, workspace: Workspace, from: string, to: string): string | undefined {
  if (target === undefined) return undefined;
  const place = path.resolve(workspace.options.projectDir, target);
  if (place !== from && isInside(place, from)) return target;
  return isInside(from, place) ? path.join(to, path.relative(from, place)) : to;
}

async function planFixes(
  workspace: Workspace,
  { target, all, nameFrom }: FixRequest,
): Promise<{ plans: Plan[]; notFixed: NotFixed[] }> {
  const plans: Plan[] = [];
  const notFixed: NotFixed[] = [];
  let whyProtected: ((file: string, disk: Disk) => string | undefined) | undefined;
  const taken = new Set<string>();
  for (const file of await filesToFix(workspace, target, all)) {
    const disk = workspace.diskFor(isInside(workspace.projectRoot, file) ? 'project' : 'user');
    const read = tryReadTarget(disk, file, LIMITS.skillFileBytes.value);
    if (!read || read instanceof FileTrouble) continue;
    const { bytes, stamp } = read;
    const before = Buffer.from(bytes).toString('utf8');
    const { repairs, refused } = repairsOf(before);
    notFixed.push(...refused.map((each) => ({ file, ...each })));
    const repaired = repairs.at(-1)?.after ?? before;
    const renaming = nameFrom ? await planName(workspace, { file, text: repaired, nameFrom, taken }) : undefined;
    if (renaming && 'reason' in renaming) notFixed.push({ file, code: nameFolder.code, reason: renaming.reason });
    const named =
      renaming && 'text' in renaming ? [{ code: nameFolder.code, before: repaired, after: renaming.text }] : [];
    const edits = [...repairs, ...named];
    const rename = renaming && 'to' in renaming ? renaming : undefined;
    const codes = [...edits.map(({ code }) => code), ...(rename ? [nameFolder.code] : [])];
    if (codes.length === 0) continue;
    whyProtected ??= await protections(workspace);
    const reason = whyProtected(file, disk) ?? (isUtf8(bytes) ? undefined : 'the file is not UTF-8');
    if (reason !== undefined) {
      notFixed.push(...codes.map((code) => ({ file, code, reason })));
      continue;
    }
    if (rename) taken.add(rename.to);
    const shown = shownPath(workspace.projectRoot, file);
    plans.push({
      file,
      disk,
      stamp,
      content: edits.at(-1)?.after,
      fixes: edits.map(({ code, before: from, after: to }) => ({
        file,
        code,
        diff: unifiedDiff(from, to, { from: `a/${shown}`, to: `b/${shown}` }),
      })),
      rename: rename && {
        to: rename.to,
        fix: { file, code: nameFolder.code, diff: `rename from ${path.dirname(file)}\nrename to ${rename.to}\n` },
      },
    });
  }
  return { plans, notFixed };
}

/** Returns the path of a file in a diff, as git would write it. */
function shownPath(root: string, file: string): string {
  return (isInside(root, file) ? path.relative(root, file) : file).split(path.sep).join('/').replace(/^\//u, '');
}

/** Returns every file to repair. Copies with the same content are one skill to `validate`, but each has a file. */
async function filesToFix(workspace: Workspace, target: string | undefined, all: boolean): Promise<Set<string>> {
  const { snapshot } = workspace;
  const { skills, diagnostics } = await findSubjects(workspace, target, all);
  const copies =
    target === undefined
      ? snapshot.view('all').copies.filter((skill) => all || isOfProject(skill))
      : skills.flatMap((skill) => (snapshot.all.copies.includes(skill) ? snapshot.all.copiesOf(skill) : [skill]));
  const broken = diagnostics.map((diagnostic) => diagnostic.path).filter(isSkillPath);
  return new Set([...copies.map(({ file }) => file), ...broken]);
}

type Naming = { text: string } | { to: string } | { reason: string };

/** Plans to make the two names of a skill equal. Returns undefined if they are equal, or if there is no name. */
async function planName(
  workspace: Workspace,
  { file, text, nameFrom, taken }: { file: string; text: string; nameFrom: 'folder' | 'header'; taken: Set<string> },
): Promise<Naming | undefined> {
  const { readFrontmatter: read } = await import('../core/frontmatter/read.ts');
  const name = parseHeader(file, Buffer.from(text), { complete: true, read })?.name;
  const dir = path.dirname(file);
  const folder = path.basename(dir);
  if (name === undefined || name.normalize('NFC') === folder.normalize('NFC')) return undefined;
  if (nameFrom === 'folder') {
    if (!isValidName(folder)) return { reason: `the folder name "${folder}" is not a valid skill name` };
    const renamed = withName(text, folder);
    return renamed === undefined ? { reason: 'the name is not on one line' } : { text: renamed };
  }
  // A name comes from a file, and becomes a part of a path only if it is a plain word.
  if (!isValidName(name)) return { reason: `"${name}" is not a valid skill name` };
  const to = path.join(path.dirname(dir), name);
  if (taken.has(to) || exists(workspace.disk, to)) return { reason: `${to} exists already` };
  const reason = whyNotRenamed(workspace, dir);
  return reason === undefined ? { to } : { reason };
}

/** Explains why a folder must keep its name. */
function whyNotRenamed({ snapshot, options, projectRoot }: Workspace, dir: string): string | undefined {
  const isBase = [options.projectDir, projectRoot, options.userDir].some(
    (base) => base !== undefined && isInside(dir, base),
  );
  if (isBase) return 'the folder contains the project';
  if (snapshot.roots.some((root) => isInside(dir, root.dir))) return 'the folder is searched for skills';
  const { copies } = snapshot.all;
  if (copies.some((skill) => skill.dir !== dir && isInside(dir, skill.dir))) return 'the folder contains other skills';
  const links = copies
    .filter((skill) => skill.dir === dir)
    .flatMap(({ alsoAt }) => alsoAt.map(({ file }) => path.dirname(file)));
  return links.length === 0 ? undefined : `a link leads to the folder: ${links[0] ?? ''}`;
}

/** Returns a function that explains why a file must not be changed. */
async function protections(workspace: Workspace): Promise<(file: string, disk: Disk) => string | undefined> {
  const { disk: tree, projectRoot, options, snapshot } = workspace;
  const { userDir, environment = {} } = options;
  const realOf = (place: string): string => findTarget(tree, place)?.realPath ?? place;
  const locks = new Map<string, string>();
  for (const [folder, lock] of await lockedFolders(workspace)) locks.set(folder, lock).set(realOf(folder), lock);
  const claudeDir =
    environment['CLAUDE_CONFIG_DIR'] || (userDir === undefined ? undefined : path.join(userDir, '.claude'));
  const plugins = [
    ...snapshot.roots.filter(({ location }) => location === 'plugin').map(({ dir }) => dir),
    ...(claudeDir === undefined ? [] : [path.join(claudeDir, 'plugins')]),
  ].flatMap((dir) => [dir, realOf(dir)]);
  return (file, disk) => {
    const dir = path.dirname(file);
    const real = realOf(file);
    const lock = locks.get(dir) ?? locks.get(path.dirname(real));
    if (lock !== undefined)
      return `it is installed (${lock}), and an update would undo the repair; report it to its source`;
    if (plugins.some((place) => isInside(place, file) || isInside(place, real)))
      return 'it belongs to a plugin, and an update would undo the repair';
    const base =
      [projectRoot, userDir].find((place) => place !== undefined && isInside(place, file)) ?? path.dirname(dir);
    for (let place = file; place !== base && isInside(base, place); place = path.dirname(place))
      if (findEntry(tree, place)?.kind === 'link') return `it is a link; repair ${real} instead`;
    try {
      disk.checkReplace(file);
    } catch (error) {
      return reasonOf(error);
    }
    return undefined;
  };
}
