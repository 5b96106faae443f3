/** The bytes of every file of a skill, for those who have to look into all of them. */
import path from 'node:path';
import { orTrouble } from '../core/disk/answers.ts';
import { type FileTree, FileTrouble, reasonText } from '../core/disk/tree.ts';
import { LIMITS } from '../core/limits.ts';
import { readBundle } from '../skills/bundle.ts';
import { linkDangling, symlinkOutside } from '../skills/codes.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import { findSubjects } from './judge-skills.ts';
import type { Workspace } from './workspace.ts';

/** A file, relative to the skill's folder, with forward slashes; or why it was not read. */
export type SkillFile =
  | { path: string; bytes: Uint8Array }
  | {
      path: string;
      unread: 'too-large' | 'unreadable' | 'link-outside' | 'link-dangling' | 'left-out';
      detail?: string;
    };

export interface SkillFolder {
  /** The full name; for a folder whose SKILL.md does not load, the path of that file. */
  id: string;
  dir: string;
  /** Reads the files, each up to the limit of the scan. */
  files(): SkillFile[];
}

/** The folders of the skills that a target means, or of all skills. Broken ones count: another agent may load them. */
export async function skillFolders(workspace: Workspace, target: string | undefined): Promise<SkillFolder[]> {
  const { skills, diagnostics } = await findSubjects(workspace, target, true);
  const broken = new Set(
    diagnostics
      .filter(({ severity, path: file }) => severity === 'error' && /^\.?skill\.md$/iu.test(path.basename(file)))
      .map(({ path: file }) => file),
  );
  for (const { file } of skills) broken.delete(file);
  return [
    ...skills.map((skill) => skillFolder(workspace, skill)),
    ...[...broken].map((file) => ({
      id: file,
      dir: path.dirname(file),
      files: () => readFiles(workspace.disk, { dir: path.dirname(file), realFile: file }),
    })),
  ];
}

export function skillFolder(workspace: Workspace, skill: Skill): SkillFolder {
  return { id: fullNameOf(skill), dir: skill.dir, files: () => readFiles(workspace.disk, skill) };
}

function readFiles(tree: FileTree, skill: Pick<Skill, 'dir' | 'realFile'>): SkillFile[] {
  const bundle = readBundle(tree, skill);
  const max = LIMITS.scannedFileBytes.value;
  const files = bundle.files.map(({ path: below, realPath, bytes }): SkillFile => {
    if (bytes > max) return { path: below, unread: 'too-large' };
    const read = orTrouble(() => tree.readWithin(bundle.realDir, realPath, 0, max + 1));
    return read instanceof FileTrouble
      ? { path: below, unread: 'unreadable', detail: reasonText(read) }
      : { path: below, bytes: read.bytes };
  });
  const troubles = bundle.diagnostics.map(({ code, path: place, message }): SkillFile => {
    const below = path.relative(skill.dir, place).split(path.sep).join('/');
    if (code === symlinkOutside.code) return { path: below, unread: 'link-outside' };
    if (code === linkDangling.code) return { path: below, unread: 'link-dangling' };
    return { path: below, unread: 'unreadable', detail: message };
  });
  const others = bundle.leftOut.map((below): SkillFile => ({ path: below, unread: 'left-out' }));
  const cut: SkillFile[] = bundle.cut
    ? [{ path: '.', unread: 'left-out', detail: `more than ${LIMITS.bundledFiles.value} files` }]
    : [];
  return [...files, ...troubles, ...others, ...cut];
}
