import path from 'node:path';
import { choice, flag, integer, list, object, optional, text } from '../core/fields/field.ts';
import { isInside } from '../core/inside.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';

export const syncSkills = defineOperation({
  name: 'sync_skills',
  title: 'Sync skills',
  summary: 'Keep a list of the project’s skills in AGENTS.md, CLAUDE.md and GEMINI.md',
  params: {
    file: {
      type: 'list',
      of: { type: 'text', filled: true },
      default: [],
      isPath: true,
      placeholder: 'file',
      help: 'The file to write; by default those of AGENTS.md, CLAUDE.md and GEMINI.md that exist, else AGENTS.md',
    },
    check: { type: 'flag', default: false, help: 'Write nothing, and exit with 1 if a list is out of date' },
    dryRun: { type: 'flag', default: false, help: 'Preview the changes, and write nothing' },
  },
  output: {
    command: choice(['sync']),
    files: list(
      object({
        file: text(),
        status: choice(['created', 'updated', 'unchanged', 'would-create', 'would-update']),
        skills: integer('Skills in the list'),
      }),
    ),
    dryRun: optional(flag('Nothing was written')),
    stale: optional(flag('With check: a list is out of date')),
  },
  reads: 'skills',
  settings: ['skills', 'filters'],
  writes: 'project',
  command: {
    name: 'sync',
    group: 'Change',
    examples: [
      ['lectern sync', 'write the list, or bring it up to date'],
      ['lectern sync --check', 'for CI: exit code 1 if a list is out of date'],
      ['lectern sync --file docs/AGENTS.md --dry-run', 'preview the changes in another file'],
    ],
  },
  library: 'sync',
  hasErrors: ({ stale }) => stale === true,
  async run({ file: files, check, dryRun }, workspace: Workspace) {
    const { planBlock, USUAL_FILES, usualFiles } = await import('./sync-block.ts');
    const { projectDir } = workspace.options;
    const here = usualFiles(workspace.disk, projectDir);
    const root = workspace.projectRoot;
    // A folder with such a file lists its skills there. The list of the whole project does not depend on the working folder.
    const isPart = files.length === 0 && projectDir !== root && here.length > 0;
    const isSeenFromRoot = files.length === 0 && projectDir !== root && !isPart;
    const { snapshot } = isSeenFromRoot ? await workspace.at(root) : workspace;
    const skills = snapshot
      .view('enabled')
      .skills.filter(({ location }) => location !== 'user' && location !== 'plugin')
      .filter(({ dir }) => !isPart || isInside(projectDir, dir));
    const there = isPart ? here : usualFiles(workspace.disk, root);
    const chosen =
      files.length > 0
        ? files.map((file) => path.resolve(projectDir, file))
        : there.length > 0
          ? there
          : [path.join(root, USUAL_FILES[0])];
    const disk = workspace.diskFor('project');
    // Every file is planned before the first write, so that a broken file changes nothing.
    const plans = [...new Set(chosen)].map((file) => planBlock(disk, file, skills));
    // Two names may resolve to the same file.
    const distinct = plans.filter((plan, index) => plans.findIndex(({ target }) => target === plan.target) === index);
    const writes = !check && !dryRun;
    // Checked before the first write, so that a protected file changes nothing.
    if (writes) for (const { target, isNew, write } of distinct) if (write && !isNew) disk.checkReplace(target);
    if (writes) for (const { write } of distinct) write?.();
    const changes = distinct.some(({ write }) => write);
    return {
      command: 'sync' as const,
      files: distinct.map(({ file, isNew, write }) => ({
        file,
        status: !write
          ? ('unchanged' as const)
          : writes
            ? isNew
              ? ('created' as const)
              : ('updated' as const)
            : isNew
              ? ('would-create' as const)
              : ('would-update' as const),
        skills: skills.length,
      })),
      ...(dryRun ? { dryRun } : {}),
      ...(check ? { stale: changes } : {}),
    };
  },
});
