import { list, text } from '../core/fields/field.ts';
import { localDay } from '../core/local-day.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { TODAY } from './shapes.ts';

export const newChange = defineOperation({
  name: 'change_new',
  title: 'New change',
  summary: 'Create a change proposal from a template that validates',
  params: {
    change_id: {
      type: 'text',
      required: true,
      positional: true,
      placeholder: 'name',
      help: 'Lower-case letters, digits and hyphens',
    },
    capability: { type: 'text', placeholder: 'id', help: 'The spec it changes; by default the name of the change' },
    title: { type: 'text', placeholder: 'text', help: 'A title for people' },
    root: { type: 'text', flags: ['--in'], help: 'Which specs folder, if there are several' },
    today: TODAY,
  },
  output: { change_id: text(), path: text(), files: list(text()) },
  reads: 'specs',
  settings: ['specs'],
  writes: 'project',
  command: {
    name: 'change new',
    group: 'Specs and changes',
    examples: [['lectern change new add-login --capability identity/login', 'create a proposal, tasks and a delta']],
  },
  library: 'specs.propose',
  async run({ change_id, capability, title, root, today = localDay() }, workspace: Workspace) {
    const { newChange: scaffold } = await import('../specs/scaffold.ts');
    const created = scaffold(await workspace.snapshot.specs(), workspace.diskFor('project'), {
      id: change_id,
      capability,
      title,
      root,
      today,
      projectDir: workspace.options.projectDir,
    });
    await workspace.fresh();
    return { change_id: created.id, path: created.dir, files: created.files };
  },
});
