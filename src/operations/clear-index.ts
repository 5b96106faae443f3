import { flag, integer, nullable, text } from '../core/fields/field.ts';
import { defineOperation } from './define.ts';

export const clearIndex = defineOperation({
  name: 'clear_index',
  title: 'Clear the search cache',
  summary: 'Remove the search cache of this project, or of every project with --all. It is rebuilt when needed',
  params: { everything: { type: 'flag', default: false, flags: ['--all'], help: 'For every project' } },
  output: {
    cleared: integer('Entries that were removed'),
    everything: flag(),
    dir: nullable(text('The folder of the cache')),
  },
  reads: 'all',
  writes: 'index',
  library: 'clearIndex',
  async run({ everything }, workspace) {
    const search = await workspace.search();
    const { corpusToIndex } = await import('../workspace/search-documents.ts');
    const { documents } = await corpusToIndex(workspace);
    const { cache } = await search.status([]);
    const cleared = await search.clear(everything ? undefined : documents);
    (await workspace.indexMarker()).clear();
    return { cleared, everything, dir: cache?.dir ?? null };
  },
});
