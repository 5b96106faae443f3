/** Decides which loaded skills of a folder are published, and with which files. The others are skipped with a reason. */
import path from 'node:path';
import { findTarget } from '../core/disk/answers.ts';
import { isInside } from '../core/inside.ts';
import { LIMITS } from '../core/limits.ts';
import { grouped } from '../core/text.ts';
import type { BundledFile } from '../skills/bundle.ts';
import type { Skill } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import type { SkillContent } from '../workspace/skill-content.ts';
import { FileCheck, largeFolders } from './manifest.ts';

/** A file or folder in a skill or among the specs that is not published. */
export interface Omitted {
  /** Path relative to the published folder, with forward slashes. */
  path: string;
  reason: string;
}

/** A skill that is not published. */
export interface SkippedSkill extends Omitted {
  name: string;
}

interface PlannedSkill {
  skill: Skill;
  content: SkillContent;
  files: readonly BundledFile[];
}

export const OF_A_TOOL = 'it belongs to another tool';

export async function planSkills(
  workspace: Reader,
): Promise<{ planned: PlannedSkill[]; omitted: Map<string, string>; skipped: SkippedSkill[] }> {
  const { projectDir } = workspace.options;
  const within = (place: string): string => path.relative(projectDir, place).split(path.sep).join('/');
  const realPathOf = (place: string): string => findTarget(workspace.disk, place)?.realPath ?? place;
  const realDir = realPathOf(projectDir);
  const omitted = new Map<string, string>();
  const skipped: SkippedSkill[] = [];
  const skip = (skill: Skill, reason: string): void =>
    void skipped.push({ name: skill.name, path: within(skill.file), reason });
  const check = new FileCheck();
  /** By path, because a skill in the folder of another one shares its files. */
  const problems = new Map<string, string | undefined>();
  const passed: (PlannedSkill & { published: { path: string; size: number }[] })[] = [];
  for (const skill of workspace.snapshot.all.copies.filter(({ dir }) => isInside(projectDir, dir))) {
    // A repository must not be able to publish other files of the build machine.
    if (!isInside(realDir, realPathOf(skill.dir))) {
      skip(skill, 'it is a link out of the folder');
      continue;
    }
    const content = workspace.contentOf(skill);
    const { files, diagnostics, leftOut = [], cut } = await content.files();
    const published = files.map((file) => ({ path: within(path.join(skill.dir, file.path)), size: file.bytes }));
    for (const file of cut ? [] : published)
      if (!problems.has(file.path)) problems.set(file.path, check.problemOf(file));
    const problem = cut
      ? `it has more than ${grouped(LIMITS.bundledFiles.value)} files`
      : published.map((file) => problems.get(file.path)).find((each) => each !== undefined);
    if (problem !== undefined) {
      skip(skill, problem);
      continue;
    }
    passed.push({ skill, content, files, published });
    for (const { path: place, message } of diagnostics) omitted.set(within(place), message);
    for (const below of leftOut) omitted.set(within(path.join(skill.dir, below)), OF_A_TOOL);
  }
  const large = largeFolders(
    [...new Map(passed.flatMap((each) => each.published.map((file) => [file.path, file]))).values()],
    passed.map(({ skill }) => within(skill.dir) || '.'),
  );
  const planned: PlannedSkill[] = [];
  for (const each of passed) {
    const dir = within(each.skill.dir);
    // The files of a skill include those of skills in its folder.
    const found = large.find(({ folder }) => folder === (dir || '.') || dir === '' || folder.startsWith(`${dir}/`));
    if (found) skip(each.skill, found.problem);
    else planned.push(each);
  }
  return { planned, omitted, skipped };
}
