import { integer, nullable, optional, text } from '../core/fields/field.ts';
import { defineOperation } from './define.ts';

export const rebuildIndex = defineOperation({
  name: 'rebuild_index',
  title: 'Rebuild the search index',
  summary: 'Build the search cache now (otherwise the first search does)',
  details: 'Use it when a search asks for it.',
  params: { full: { type: 'flag', default: false, help: 'Prepare everything again' } },
  output: {
    documents: integer('Number of searchable documents'),
    added: integer('Prepared now'),
    model: nullable(text('Null if only words count')),
    url: optional(text('Where texts were sent')),
    reason: optional(text('Why nothing was cached')),
    dir: nullable(text('Folder of the cache')),
    bytes: integer('Size of the cache'),
  },
  reads: 'all',
  collections: true,
  writes: 'index',
  tool: 'specs',
  join: 'none',
  library: 'index',
  async run({ full }, workspace, { progress, signal }) {
    const { corpusToIndex } = await import('../workspace/search-documents.ts');
    const search = await workspace.search();
    const { documents } = await corpusToIndex(workspace);
    if (full) await search.clear(documents);
    const added = await search.prepare(documents, {
      ...(signal === undefined ? {} : { signal }),
      ...(progress === undefined
        ? {}
        : { onProgress: (done: number, total: number) => progress({ phase: 'embedding', done, total }) }),
    });
    (await workspace.indexMarker()).set();
    const { cache, problem } = await search.status([]);
    return {
      documents: documents.length,
      added,
      model: search.model,
      ...(search.url === undefined ? {} : { url: search.url }),
      ...(problem === undefined ? {} : { reason: problem }),
      dir: cache?.dir ?? null,
      bytes: cache?.bytes ?? 0,
    };
  },
});
