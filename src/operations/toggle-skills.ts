import path from 'node:path';
import { flag, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { Failure } from '../core/failure.ts';
import { echo, foldName } from '../core/text.ts';
import { WriteTrouble } from '../core/disk/writes.ts';
import { SkillCatalog } from '../skills/catalog.ts';
import { keysOf } from '../skills/name-lookup.ts';
import { filterSkills } from '../skills/filter.ts';
import { DISABLED_NAME, ENABLED_NAME, fullNameOf, type Skill } from '../skills/skill.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { SETTING_SCOPES, type SettingScope } from '../agents/names.ts';
import { AGENT_ID } from './agent-shapes.ts';
import { defineOperation, InvalidInput } from './define.ts';
import { SWITCHED } from './setting-shapes.ts';
import { getSkill } from '../workspace/skill-summary.ts';

const output = {
  changed: list(
    object({
      name: text(),
      fullName: text(),
      from: text(),
      to: text(),
      loads: optional(
        list(
          object({ fullName: text(), file: text() }),
          'Skills that the short name loads now; if there are several, the name is ambiguous',
        ),
      ),
      warning: optional(text('Why the change may not last')),
    }),
  ),
  dryRun: optional(flag('Nothing was changed')),
  unchanged: list(object({ name: text(), fullName: text(), file: text() }), 'Already in the requested state'),
  setting: optional(object(SWITCHED, 'With --for: the changed setting of the agent')),
} as const;
type Output = ObjectOf<typeof output>;

const HOW = {
  force: { type: 'flag', default: false, help: 'Replace an existing file or, with --for, a different value' },
  allCopies: {
    type: 'flag',
    default: false,
    help: 'Apply to every copy, not only the one the name resolves to',
  },
  dryRun: { type: 'flag', default: false, help: 'Preview the changes, and write nothing' },
  for: { ...AGENT_ID, help: 'Only for this agent, with its own setting; the skill’s file does not change' },
  scope: {
    type: 'choice',
    choices: SETTING_SCOPES,
    help: 'With --for: settings of the user, of the project, or your own in the project (local, the default for claude); user by default',
  },
} as const;
const names = (help: string) =>
  ({
    type: 'list',
    of: { type: 'text', filled: true },
    min: 1,
    commas: true,
    required: true,
    positional: true,
    help,
  }) as const;

export const enableSkills = defineOperation({
  name: 'enable_skills',
  title: 'Enable skills',
  summary: 'Make disabled skills visible again',
  params: { names: names('Names, paths or patterns such as legacy-*, separated by spaces or commas'), ...HOW },
  output,
  reads: 'skills',
  settings: ['skills', 'filters'],
  writes: 'project',
  command: {
    name: 'enable',
    group: 'Change',
    completes: 'disabled',
    examples: [
      ['lectern enable pdf xlsx', 'list both again'],
      ['lectern enable pdf --for claude', 'undo lectern disable pdf --for claude'],
    ],
  },
  library: 'enable',
  run: (request, workspace: Workspace, { workingDir }) => toggleFor(workspace, { ...request, workingDir }, false),
});

export const disableSkills = defineOperation({
  name: 'disable_skills',
  title: 'Disable skills',
  summary: 'Hide skills from every agent without deleting them',
  params: { names: names('Names, paths or patterns such as legacy-*, separated by spaces or commas'), ...HOW },
  output,
  reads: 'skills',
  settings: ['skills', 'filters'],
  writes: 'project',
  command: {
    name: 'disable',
    group: 'Change',
    completes: 'enabled',
    examples: [
      ['lectern disable claude:pdf', 'rename its SKILL.md to .SKILL.md'],
      ['lectern disable ~/.claude/skills/pdf', 'disable the personal copy, even if the name resolves to another'],
      ['lectern disable pdf --for codex', 'only for Codex, with its own setting'],
      ["lectern disable 'legacy-*' --dry-run", 'show which skills a pattern matches'],
    ],
  },
  library: 'disable',
  run: (request, workspace: Workspace, { workingDir }) => toggleFor(workspace, { ...request, workingDir }, true),
});

interface Request {
  names: readonly string[];
  force: boolean;
  allCopies: boolean;
  dryRun: boolean;
  for?: string | undefined;
  scope?: SettingScope | undefined;
  workingDir?: string | undefined;
}

async function toggleFor(workspace: Workspace, request: Request, disable: boolean): Promise<Output> {
  const { for: agent, dryRun } = request;
  if (agent === undefined) {
    if (request.scope !== undefined)
      throw new InvalidInput('scope', 'needs --for, because the file of a skill has no scope');
    return toggle(workspace, request, disable);
  }
  const { switchSkills } = await import('./agent-switches.ts');
  const setting = await switchSkills(workspace, { ...request, agent }, disable);
  return { changed: [], ...(dryRun ? { dryRun } : {}), unchanged: [], setting };
}

/** Resolves all names before changing a file, so that a misspelled name changes nothing. */
async function toggle(
  workspace: Workspace,
  { names, force, allCopies, dryRun }: Request,
  disable: boolean,
): Promise<Output> {
  const skills = [...new Set(names.flatMap((name) => choose(workspace, name, disable, allCopies)))];
  const moves = skills
    .filter((skill) => skill.disabled !== disable)
    .map((skill) => ({ skill, to: path.join(path.dirname(skill.file), disable ? DISABLED_NAME : ENABLED_NAME) }));
  if (!force) for (const { skill, to } of moves) refuseIfTaken(workspace, skill, to);
  if (!dryRun) for (const { skill, to } of moves) move(workspace, skill, to, force);
  await workspace.fresh();
  const named = (skill: Skill): { name: string; fullName: string } => ({
    name: skill.name,
    fullName: fullNameOf(skill),
  });
  return {
    changed: moves.map(({ skill, to }) => ({
      ...named(skill),
      from: skill.file,
      to,
      ...(dryRun ? {} : loadedBy(skill, workspace.snapshot.view('enabled'))),
      ...(disable ? pluginWarning(skill) : {}),
    })),
    ...(dryRun ? { dryRun } : {}),
    unchanged: skills
      .filter((skill) => skill.disabled === disable)
      .map((skill) => ({ ...named(skill), file: skill.file })),
  };
}

/** A plugin update reinstalls the files of the plugin. */
function pluginWarning({ plugin, marketplace }: Skill): { warning?: string } {
  if (plugin === undefined) return {};
  const id = marketplace === undefined ? plugin : `${plugin}@${marketplace}`;
  return {
    warning: `An update of the plugin ${plugin} enables it again. To disable the whole plugin: claude plugin disable ${id}`,
  };
}

function loadedBy(changed: Skill, catalog: SkillCatalog): { loads?: { fullName: string; file: string }[] } {
  const found = catalog.find(changed.name);
  const skills = found.kind === 'found' ? [found.skill] : found.kind === 'ambiguous' ? found.skills : [];
  // The name may also match the folder of a skill with another name, which is not a copy.
  const copies = skills.filter(({ name }) => foldName(name) === foldName(changed.name));
  if (copies.every(({ dir }) => dir === changed.dir)) return {};
  return { loads: copies.map((skill) => ({ fullName: fullNameOf(skill), file: skill.file })) };
}

function choose(workspace: Workspace, name: string, disable: boolean, allCopies: boolean): Skill[] {
  const { copies } = workspace.snapshot.view('all');
  if (/[*?]/u.test(name) && new SkillCatalog(copies).find(name).kind === 'missing') {
    const { projectDir } = workspace.options;
    const state = disable ? 'enabled' : 'disabled';
    const found = filterSkills(copies, { include: [name], exclude: [], state, projectDir });
    const changeable = found.skills.filter((skill) => !isOff(skill));
    if (changeable.length > 0) return changeable;
    throw new Failure('NOT_FOUND', `No ${state} skill matches '${echo(name)}'.`, {
      hint: 'Run lectern list --all to see every skill.',
    });
  }
  if (!allCopies) return [pick(workspace, name, disable)];
  const key = foldName(name.trim());
  const named = copies.filter((skill) => !isOff(skill) && keysOf(skill, skill.name).has(key));
  return named.length > 0 ? named : [pick(workspace, name, disable)];
}

/** If several skills have the name, prefers one that is not yet in the requested state. */
function pick(workspace: Workspace, name: string, disable: boolean): Skill {
  const changeable = new SkillCatalog(
    workspace.snapshot.view('all').copies.filter((skill) => skill.disabled !== disable && !isOff(skill)),
  ).find(name);
  if (changeable.kind === 'found') return changeable.skill;
  const skill = getSkill(workspace, name, { disabledToo: true, paths: true });
  if (!isOff(skill)) return skill;
  throw new Failure('REFUSED', `'${skill.name}' is disabled because ${skill.disabledBy ?? ''}.`, {
    path: skill.file,
    hint: 'Turn the plugin on in Claude Code (/plugin), or set it to true in those settings.',
  });
}

/** Whether a setting disables the skill. Renaming its file then has no effect. */
function isOff({ disabledBy }: Skill): boolean {
  return disabledBy !== undefined;
}

function refuseIfTaken(workspace: Workspace, skill: Skill, to: string): void {
  const existing = workspace.disk.look(to);
  // On a case-insensitive file system, skill.md and SKILL.md are the same file.
  if (!existing || existing.stamp.ino === skill.stamp.ino) return;
  throw taken(skill, to);
}

function taken(skill: Skill, to: string): Failure {
  return new Failure('REFUSED', `${to} already exists, so '${skill.name}' was not changed.`, {
    path: to,
    hint: 'Remove one of the two files, or use --force to replace it.',
  });
}

function move(workspace: Workspace, skill: Skill, to: string, replace: boolean): void {
  try {
    workspace.diskFor(skill.location === 'project' ? 'project' : 'user').move(skill.file, to, { replace });
  } catch (error) {
    throw error instanceof WriteTrouble && error.reason === 'exists' ? taken(skill, to) : error;
  }
}
