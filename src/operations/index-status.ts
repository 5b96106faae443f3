import { choice, integer, nullable, object, optional, text } from '../core/fields/field.ts';
import { corpusToIndex } from '../workspace/search-documents.ts';
import { defineOperation } from './define.ts';

export const indexStatus = defineOperation({
  name: 'index_status',
  title: 'State of the search index',
  summary: 'Show whether there is a search index, whether it is complete, and what has changed since it was built',
  params: {},
  output: {
    state: choice(
      ['ready', 'stale', 'missing', 'damaged', 'outdated'],
      'ready and stale can be searched; missing, damaged and outdated (of another version) must be built',
    ),
    reason: optional(text()),
    dir: text('The folder of the index'),
    builtAt: optional(text()),
    model: optional(nullable(text('null if the index has words only'))),
    documents: optional(integer()),
    units: optional(integer('Texts that get a vector')),
    embedded: optional(integer('Texts that have one')),
    bytes: optional(integer()),
    differences: optional(object({ added: integer(), changed: integer(), removed: integer(), unfinished: integer() })),
  },
  reads: 'all',
  collections: true,
  library: 'indexStatus',
  async run(_, workspace) {
    const search = await workspace.search();
    const { documents, kinds } = await corpusToIndex(workspace);
    return { dir: workspace.indexFolder, ...search.status(documents, kinds) };
  },
});
