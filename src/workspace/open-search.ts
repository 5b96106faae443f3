/** Opens search by meaning for a workspace, with its index folder and its model. Loaded on first use. */
import { Failure } from '../core/failure.ts';
import { bundledEmbedder } from '../search/embed/bundled.ts';
import type { Embedder } from '../search/embed/embedder.ts';
import { endpointEmbedder } from '../search/embed/endpoint.ts';
import { Search } from '../search/search.ts';
import type { Workspace } from './workspace.ts';

/** The only source of an endpoint's key, because a key in a file ends up in a repository. */
const KEY_VARIABLE = 'LECTERN_EMBEDDINGS_KEY';

export function openSearch(workspace: Workspace): Search {
  const { embeddings } = workspace.snapshot.settings;
  const embedder = embeddings.value === 'none' ? undefined : (): Embedder => openEmbedder(workspace);
  // Reports an invalid setting now, not when the first text is embedded.
  if (embeddings.value === 'endpoint') openEmbedder(workspace);
  return new Search({ disk: workspace.diskFor('project'), dir: workspace.indexFolder, embedder });
}

function openEmbedder(workspace: Workspace): Embedder {
  const { embeddings, endpoint } = workspace.snapshot.settings;
  if (embeddings.value !== 'endpoint') return bundledEmbedder({ files: workspace.disk });
  const { file } = embeddings;
  if (endpoint.value === undefined) {
    throw new Failure('INVALID_CONFIG', 'search.embeddings is "endpoint", but search.endpoint is missing.', {
      ...(file === undefined ? {} : { path: file }),
      hint: 'Add for example "endpoint": {"url": "http://127.0.0.1:11434/v1", "model": "nomic-embed-text"}.',
    });
  }
  const key = workspace.options.environment?.[KEY_VARIABLE];
  return endpointEmbedder({ ...definedOnly(endpoint.value), ...(key ? { key } : {}) });
}

/** Leaves out keys whose value is undefined. */
function definedOnly<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
