/** Finds the skills to validate, and checks each of them. */
import path from 'node:path';
import { breather } from '../core/breathe.ts';
import { type Diagnostic, runRules } from '../core/diagnostics.ts';
import { FileTrouble } from '../core/disk/tree.ts';
import { Failure } from '../core/failure.ts';
import type { ReadFrontmatter } from '../core/frontmatter/plain.ts';
import { LIMITS } from '../core/limits.ts';
import { type Judged, unreadItems } from '../core/report.ts';
import { isInside } from '../core/inside.ts';
import { echo, foldName } from '../core/text.ts';
import { SkillCatalog } from '../skills/catalog.ts';
import { discoverSkills } from '../skills/discover.ts';
import { parseHeader } from '../skills/parse.ts';
import type { SKILL_RULES } from '../skills/rules/index.ts';
import type { Profile } from '../skills/rules/subject.ts';
import { fullNameOf, isSkillFile, isSkillPath, type Location, type Skill } from '../skills/skill.ts';
import { type Found, keepingFindings } from './kept-findings.ts';
import { getSkill } from './skill-summary.ts';
import type { Reader } from './reader.ts';

interface Judging {
  target: string | undefined;
  all: boolean;
  profile: Profile;
  /** Compares the descriptions of the skills with each other. */
  compares?: boolean;
}

export async function judgeSkills(
  { target, all, profile, compares = false }: Judging,
  workspace: Reader,
  /** Further checks of a file under the profile, run only if it has no errors. The findings are cached with the others. */
  judgeFile: (file: string) => Promise<Diagnostic[]> = async () => [],
): Promise<Judged[]> {
  const subjects = await findSubjects(workspace, target, all);
  const [{ readFrontmatter: read }, { SKILL_RULES: rules }] = await Promise.all([
    import('../core/frontmatter/read.ts'),
    import('../skills/rules/index.ts'),
  ]);
  const breathe = breather();
  const collisions = compares ? await collisionsOf(subjects.skills) : undefined;
  const loose = new Map(unreadItems('skill', subjects.diagnostics).map((item) => [item.id, item]));
  const items: Judged[] = [];
  for (const skill of subjects.skills) {
    const pause = breathe();
    if (pause) await pause;
    const check = async (): Promise<Found> => {
      const own = await checkOne(workspace, skill, { profile, read, rules });
      const isBroken = own.findings.some(({ severity }) => severity === 'error');
      return isBroken ? own : { ...own, findings: [...own.findings, ...(await judgeFile(skill.file))] };
    };
    const { findings: found } = workspace.isShared
      ? await check()
      : await keepingFindings(workspace.disk, skill, profile, check);
    items.push({
      type: 'skill',
      id: fullNameOf(skill),
      diagnostics: [...found, ...(collisions?.get(skill.file) ?? []), ...(loose.get(skill.file)?.diagnostics ?? [])],
    });
    loose.delete(skill.file);
  }
  return [...items, ...loose.values()];
}

/** Returns a finding for each skill, by file, whose description collides with that of another one. */
async function collisionsOf(skills: readonly Skill[]): Promise<ReadonlyMap<string, Diagnostic[]>> {
  if (skills.length < 2) return new Map();
  const { findCollisions } = await import('./description-collisions.ts');
  return findCollisions(skills);
}

interface Subjects {
  skills: readonly Skill[];
  /** Problems of files that did not become skills. */
  diagnostics: Diagnostic[];
}

/** Whether a skill or a root belongs to the project. */
export function isOfProject({ location }: { location: Location }): boolean {
  return location !== 'user' && location !== 'plugin';
}

/** Returns the skills that a command applies to: one, those below a folder, those of the project, or all. */
export async function findSubjects(workspace: Reader, target: string | undefined, all: boolean): Promise<Subjects> {
  const { snapshot } = workspace;
  if (target !== undefined) {
    try {
      return await findTarget(workspace, target);
    } catch (error) {
      throw await orSpecs(error, workspace, target);
    }
  }
  const skills = new SkillCatalog(snapshot.view('all').copies.filter((skill) => all || isOfProject(skill))).skills;
  const places = snapshot.roots.filter(isOfProject).map(({ dir }) => dir);
  const isHere = (place: string): boolean =>
    all || places.some((dir) => place === dir || place.startsWith(dir + path.sep));
  const here = snapshot.discovery.diagnostics.filter((diagnostic) => isHere(diagnostic.path));
  // Without these, a filter that matches nothing would look like a success.
  return { skills, diagnostics: [...here, ...snapshot.filterDiagnostics('all')] };
}

/** If the target is a spec or a change, points to the command that validates it. */
async function orSpecs(error: unknown, workspace: Reader, target: string): Promise<unknown> {
  if (!(error instanceof Failure) || (error.code !== 'NOT_FOUND' && error.code !== 'USAGE') || target.includes('\0'))
    return error;
  const { validatorsFor } = await import('../specs/validators-for.ts');
  const commands = validatorsFor(
    await workspace.snapshot.specs(),
    target,
    path.resolve(workspace.options.projectDir, target),
  );
  if (commands.length === 0) return error;
  return new Failure(error.code, error.message, {
    hint: `It is not a skill. To validate it, run ${commands.join(' or ')}.`,
    suggestions: commands,
  });
}

/** The target is a path if it looks like one or if no skill has that name. */
async function findTarget(workspace: Reader, target: string): Promise<Subjects> {
  const looksLikePath =
    target.includes('/') || target.includes(path.sep) || target.startsWith('.') || isSkillFile(target);
  if (!looksLikePath && workspace.snapshot.view('all').find(target).kind !== 'missing')
    return { skills: [getSkill(workspace, target, { disabledToo: true })], diagnostics: [] };
  // A broken skill has no name, so its folder name is used.
  const broken = looksLikePath ? undefined : brokenFileNamed(workspace, target);
  const place = broken ?? placeNamed(workspace, target);
  let found;
  try {
    found = target.includes('\0') ? undefined : workspace.disk.follow(place);
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
  }
  if (!found) {
    if (!looksLikePath) return { skills: [getSkill(workspace, target, { disabledToo: true })], diagnostics: [] };
    throw new Failure('NOT_FOUND', `There is no file or folder "${echo(target)}".`, {
      hint: 'Use a skill’s name, its folder or its SKILL.md.',
    });
  }
  const isFile = found.kind !== 'directory';
  if (isFile && !isSkillPath(place)) {
    throw new Failure('USAGE', `"${echo(target)}" is not a SKILL.md.`, {
      hint: 'Use a skill’s folder or its SKILL.md.',
    });
  }
  const dir = isFile ? path.dirname(place) : place;
  const discovery = await discoverSkills(
    workspace.disk,
    {
      projectDir: workspace.options.projectDir,
      userDir: undefined,
      environment: {},
      skillDirs: [{ dir }],
      vendoredRoot: undefined,
      scanDefaultDirs: false,
      priority: 'contract',
      plugins: undefined,
      limits: { depth: LIMITS.walkDepth.value, entries: LIMITS.walkEntries.value },
    },
    breather(),
  );
  const inPlace = (file: string): boolean => !isFile || path.dirname(file) === dir;
  const skills = discovery.skills.filter(({ file }) => inPlace(file));
  const diagnostics = discovery.diagnostics.filter((diagnostic) => inPlace(diagnostic.path));
  if (skills.length === 0 && diagnostics.length === 0) {
    throw new Failure('NOT_FOUND', `There is no SKILL.md in "${echo(target)}".`, {
      hint: 'Run lectern new <name> to create a skill.',
    });
  }
  return { skills, diagnostics };
}

function placeNamed({ options: { projectDir, userDir } }: Reader, target: string): string {
  const isInHome = userDir !== undefined && /^~[/\\]/u.test(target);
  return isInHome ? path.join(userDir, target.slice(1)) : path.resolve(projectDir, target);
}

/** Returns the skipped file in the folder with that name. `claude:name` means a folder of Claude Code. */
function brokenFileNamed({ snapshot }: Reader, target: string): string | undefined {
  const [name = '', provider] = foldName(target.trim()).split(':').reverse();
  return snapshot.discovery.diagnostics
    .filter(({ severity, path: file }) => severity === 'error' && isSkillPath(file))
    .map(({ path: file }) => file)
    .find(
      (file) =>
        foldName(path.basename(path.dirname(file))) === name &&
        snapshot.roots.some(
          (root) => isInside(root.dir, file) && (provider === undefined || foldName(root.provider) === provider),
        ),
    );
}

interface Checking {
  profile: Profile;
  read: ReadFrontmatter;
  rules: typeof SKILL_RULES;
}

async function checkOne(workspace: Reader, skill: Skill, { profile, read, rules }: Checking): Promise<Found> {
  try {
    const content = workspace.contentOf(skill);
    const bytes = await content.bytes();
    const header = parseHeader(skill.file, bytes, { complete: true, read });
    const bundle = await content.files();
    if (header?.name === undefined || header.description === undefined)
      return { findings: header?.diagnostics ?? [], bundle };
    const checked = {
      folder: skill.folder,
      name: header.name,
      description: header.description,
      frontmatter: header.frontmatter,
      lines: header.lines,
      text: Buffer.from(bytes).toString('utf8'),
      bodyLine: header.bodyLine,
      files: bundle.files,
    };
    const found = runRules(rules, checked, { path: skill.file, profile });
    const findings = [...header.diagnostics, ...bundle.diagnostics, ...found];
    // The reader and the rules may both report the encoding; the reader is more precise.
    const isReported = header.diagnostics.some(({ code }) => code === 'not-utf8');
    return { findings: findings.filter(({ code }) => code !== 'encoding-invalid' || !isReported), bundle };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { findings: skill.diagnostics, bundle: undefined };
  }
}
