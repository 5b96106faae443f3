import * as z from 'zod';
import { corpusToIndex } from '../workspace/search-documents.ts';
import { indexFolder } from '../workspace/index-folder.ts';
import { defineOperation } from './define.ts';

export const IndexStatusOutput = z.object({
  state: z
    .enum(['ready', 'stale', 'missing', 'damaged', 'outdated'])
    .describe('ready and stale can be searched; missing, damaged and outdated (of another version) have to be built'),
  reason: z.string().optional(),
  dir: z.string().describe('The folder of the index'),
  builtAt: z.string().optional(),
  model: z.string().nullable().optional().describe('null where the index holds words only'),
  documents: z.int().optional(),
  units: z.int().optional().describe('Texts that get a vector'),
  embedded: z.int().optional().describe('Texts that have one'),
  bytes: z.int().optional(),
  differences: z.object({ added: z.int(), changed: z.int(), removed: z.int(), unfinished: z.int() }).optional(),
});
export type IndexStatusOutput = z.output<typeof IndexStatusOutput>;

export const indexStatus = defineOperation({
  name: 'index_status',
  title: 'State of the search index',
  summary: 'Whether there is a search index, whether it is whole, and what has changed since it was built.',
  input: z.strictObject({}),
  output: IndexStatusOutput,
  readOnly: true,
  async run(_, workspace) {
    const room = await workspace.search();
    const { documents, kinds } = await corpusToIndex(workspace);
    return { dir: indexFolder(workspace), ...room.status(documents, kinds) };
  },
});

export const ClearIndexOutput = z.object({
  cleared: z.boolean().describe('Whether there was an index'),
  dir: z.string(),
});
export type ClearIndexOutput = z.output<typeof ClearIndexOutput>;

export const clearIndex = defineOperation({
  name: 'clear_index',
  title: 'Remove the search index',
  summary: 'Removes the search index; it can be built again at any time.',
  input: z.strictObject({}),
  output: ClearIndexOutput,
  readOnly: false,
  async run(_, workspace) {
    const cleared = workspace.hasIndex();
    const room = await workspace.search();
    room.clear();
    return { cleared, dir: indexFolder(workspace) };
  },
});
