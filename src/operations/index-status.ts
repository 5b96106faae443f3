import { choice, flag, integer, nullable, optional, text } from '../core/fields/field.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';

export const indexStatus = defineOperation({
  name: 'index_status',
  title: 'State of the search cache',
  summary: 'Show how much of the search is prepared, and the size of the cache',
  params: {},
  output: {
    state: choice(['ready', 'partly', 'empty'], 'Whether everything here is prepared, only some of it, or nothing'),
    documents: integer('Skills, requirements and changes that can be found'),
    ready: integer('Number of these that are prepared'),
    model: nullable(text('The model behind the vectors; null if only words count')),
    built: flag('`lectern index` or rebuild_index has run for this project'),
    dir: nullable(text('The folder of the cache, shared by all projects')),
    entries: integer('Size of the cache, for all projects'),
    bytes: integer(),
    reason: optional(text('Why nothing can be cached')),
    oldIndex: optional(text('An index of an earlier version in the project, which is no longer used')),
  },
  reads: 'all',
  collections: true,
  library: 'indexStatus',
  async run(_, workspace: Workspace) {
    const { corpusToIndex } = await import('../workspace/search-documents.ts');
    const search = await workspace.search();
    const { documents } = await corpusToIndex(workspace);
    const { ready, cache, problem } = await search.status(documents);
    const oldIndex = workspace.oldIndexFolder();
    return {
      state: ready === documents.length ? ('ready' as const) : ready > 0 ? ('partly' as const) : ('empty' as const),
      documents: documents.length,
      ready,
      model: search.model,
      built: (await workspace.indexMarker()).isSet,
      dir: cache?.dir ?? null,
      entries: cache?.entries ?? 0,
      bytes: cache?.bytes ?? 0,
      ...(problem === undefined ? {} : { reason: problem }),
      ...(oldIndex === undefined ? {} : { oldIndex }),
    };
  },
});
