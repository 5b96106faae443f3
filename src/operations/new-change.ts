import * as z from 'zod';
import { newChange as scaffold } from '../specs/scaffold.ts';
import { defineOperation } from './define.ts';

export const NewChangeOutput = z.object({ change_id: z.string(), path: z.string(), files: z.array(z.string()) });
export type NewChangeOutput = z.output<typeof NewChangeOutput>;

export const newChange = defineOperation({
  name: 'change_new',
  title: 'New change',
  summary: 'Writes a change proposal that validates, ready to be filled in.',
  input: z.strictObject({
    change_id: z.string().describe('Lower-case letters, digits and hyphens'),
    capability: z.string().optional().describe('The spec it changes; default the id'),
    title: z.string().optional(),
    root: z.string().optional().describe('Which specs folder, where there are several'),
    today: z.iso.date(),
  }),
  output: NewChangeOutput,
  readOnly: false,
  async run({ change_id, capability, title, root, today }, workspace) {
    const made = scaffold(await workspace.snapshot.specs(), workspace.disk, {
      id: change_id,
      capability,
      title,
      root,
      today,
      projectDir: workspace.options.projectDir,
    });
    await workspace.reload();
    return { change_id: made.id, path: made.dir, files: made.files };
  },
});
