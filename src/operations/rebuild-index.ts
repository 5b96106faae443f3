import { Failure, inWords } from '../core/failure.ts';
import { flag, integer, nullable, optional, text } from '../core/fields/field.ts';
import { corpusToIndex } from '../workspace/search-documents.ts';
import { defineOperation } from './define.ts';

export const rebuildIndex = defineOperation({
  name: 'rebuild_index',
  title: 'Rebuild the search index',
  summary: 'Build or update the index for search by meaning',
  details: 'Use it when a search asks for it; the first build can take minutes.',
  params: { full: { type: 'flag', default: false, help: 'Rebuild from scratch' } },
  output: {
    written: flag('false: the index was already up to date'),
    documents: integer('The number of documents in the index'),
    added: integer(),
    changed: integer(),
    removed: integer(),
    embedded: integer('Texts that got their vector in this run'),
    model: nullable(text('The embedding model; null if the index has words only')),
    reason: optional(text('Why the index has words only')),
    url: optional(text('Where the texts were sent, if an endpoint is configured')),
    bytes: integer(),
    builtAt: text(),
  },
  reads: 'all',
  collections: true,
  writes: 'index',
  tool: 'specs',
  library: 'index',
  async run({ full }, workspace, { progress, signal }) {
    const search = await workspace.search();
    const options = {
      ...(await corpusToIndex(workspace)),
      full,
      pid: process.pid,
      now: Date.now,
      ...(signal === undefined ? {} : { signal }),
      ...(progress === undefined ? {} : { onProgress: progress }),
    };
    let reason: string | undefined;
    const report = await search.build(options).catch((error: unknown) => {
      // The bundled model is optional: without it only words are indexed, and the answer says so. If a configured
      // endpoint fails, that is an error.
      if (!(error instanceof Failure) || error.code !== 'MODEL_UNAVAILABLE' || search.url !== undefined) throw error;
      reason = inWords(error);
      return search.build({ ...options, wordsOnly: true });
    });
    const { manifest, written, documents, added, changed, removed, embedded } = report;
    const { documents: table, postings, vectors } = manifest.files;
    return {
      written,
      documents,
      added,
      changed,
      removed,
      embedded,
      model: manifest.model?.name ?? null,
      ...(reason === undefined ? {} : { reason }),
      ...(search.url === undefined ? {} : { url: search.url }),
      bytes: table.bytes + postings.bytes + (vectors?.bytes ?? 0),
      builtAt: manifest.builtAt,
    };
  },
});
