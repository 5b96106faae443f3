import { list, object, optional, text } from '../core/fields/field.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { ALLOW_FILE, machineOf, SOURCE_PARAMS, TIMEOUT } from './install-shapes.ts';

/** Has no command: `lectern install <source> --list` runs it. */
export const listSource = defineOperation({
  name: 'list_source',
  title: 'Skills of a source',
  summary: 'List the skills that a repository or a folder offers',
  params: {
    source: { ...SOURCE_PARAMS.source, required: true },
    path: SOURCE_PARAMS.path,
    allowFile: ALLOW_FILE,
    timeout: TIMEOUT,
  },
  output: {
    source: text('As given'),
    commit: optional(text('Commit of the repository')),
    skills: list(
      object({ name: text(), description: text(), path: text('Its folder in the source; empty for the root') }),
    ),
    notes: optional(list(text(), 'Skills that are left out, and why')),
  },
  reads: 'skills',
  surveys: true,
  interactive: true,
  library: 'offered',
  async run(input, workspace: Workspace, context) {
    const machine = await machineOf(workspace, context, input);
    const room = await import('../install/install.ts');
    const { notes, ...choices } = await room.listSource(input, machine);
    return { ...choices, ...(notes.length > 0 ? { notes } : {}) };
  },
});
