/** Reads the bytes of every file of a skill, for checks that inspect all files. */
import path from 'node:path';
import { type FileTree, FileTrouble, reasonText } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { type Bundle, type BundledFile, readBundle } from '../skills/bundle.ts';
import { linkDangling, symlinkOutside } from '../skills/codes.ts';
import { fullNameOf, isSkillPath, type Skill } from '../skills/skill.ts';
import { findSubjects } from './judge-skills.ts';
import type { Reader } from './reader.ts';

/** A file, relative to the skill's folder, with forward slashes, or the reason why it was not read. */
export type SkillFile =
  | { path: string; bytes: Uint8Array }
  | {
      path: string;
      unread: 'too-large' | 'unreadable' | 'link-outside' | 'link-dangling' | 'left-out';
      detail?: string;
    };

export interface SkillFolder {
  /** The full name. For a folder whose SKILL.md does not load, the path of that file. */
  id: string;
  dir: string;
  /** Reads the files, each up to the limit of the scan. */
  files(): Promise<SkillFile[]>;
}

/**
 * Returns the folders of the skills that a target refers to, of all skills, or of the project's skills. Broken skills are
 * included, because another agent may load them.
 */
export async function skillFolders(workspace: Reader, target: string | undefined, all = true): Promise<SkillFolder[]> {
  const { skills, diagnostics } = await findSubjects(workspace, target, all);
  const broken = new Set(
    diagnostics
      .filter(({ severity, path: file }) => severity === 'error' && isSkillPath(file))
      .map(({ path: file }) => file),
  );
  for (const { file } of skills) broken.delete(file);
  return [
    ...skills.map((skill) => skillFolder(workspace, skill)),
    ...[...broken].map((file) => brokenFolder(workspace.disk, file)),
  ];
}

export function skillFolder(workspace: Reader, skill: Skill): SkillFolder {
  const content = workspace.contentOf(skill);
  return {
    id: fullNameOf(skill),
    dir: skill.dir,
    files: async () =>
      filesOf(await content.files(), skill.dir, ({ path: below }) => content.read(below, 0, LIMIT + 1)),
  };
}

function brokenFolder(tree: FileTree, file: string): SkillFolder {
  const dir = path.dirname(file);
  return {
    id: file,
    dir,
    files: async () => {
      const bundle = readBundle(tree, { dir, realFile: file });
      return filesOf(
        bundle,
        dir,
        async ({ realPath }) => tree.readWithin(bundle.realDir, realPath, 0, LIMIT + 1).bytes,
      );
    },
  };
}

const LIMIT = LIMITS.scannedFileBytes.value;

async function filesOf(
  bundle: Bundle,
  dir: string,
  read: (file: BundledFile) => Promise<Uint8Array>,
): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  for (const file of bundle.files) {
    const { path: below, bytes } = file;
    if (bytes > LIMIT) files.push({ path: below, unread: 'too-large' });
    else
      try {
        files.push({ path: below, bytes: await read(file) });
      } catch (error) {
        if (!(error instanceof Failure) && !(error instanceof FileTrouble)) throw error;
        const detail = error instanceof FileTrouble ? reasonText(error) : error.message;
        files.push({ path: below, unread: 'unreadable', detail });
      }
  }
  const troubles = bundle.diagnostics.map(({ code, path: place, message }): SkillFile => {
    const below = path.relative(dir, place).split(path.sep).join('/');
    if (code === symlinkOutside.code) return { path: below, unread: 'link-outside' };
    if (code === linkDangling.code) return { path: below, unread: 'link-dangling' };
    return { path: below, unread: 'unreadable', detail: message };
  });
  const others = (bundle.leftOut ?? []).map((below): SkillFile => ({ path: below, unread: 'left-out' }));
  const cut: SkillFile[] = bundle.cut
    ? [{ path: '.', unread: 'left-out', detail: `more than ${LIMITS.bundledFiles.value} files` }]
    : [];
  return [...files, ...troubles, ...others, ...cut];
}
