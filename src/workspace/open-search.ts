/** Opens the search of a workspace, with its cache and its model. Loaded on first use. */
import path from 'node:path';
import { findTarget } from '../core/disk/answers.ts';
import { nodeFiles } from '../core/disk/node-tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { SearchCache } from '../search/cache/cache.ts';
import type { Embedder } from '../search/embed/embedder.ts';
import { endpointEmbedder } from '../search/embed/endpoint.ts';
import { hexKey } from '../search/entry.ts';
import { BUNDLED_SHA256, openBundledModel } from '../search/model/bundled.ts';
import type { StaticModel } from '../search/model/static-model.ts';
import { Search, type SearchOptions, type Vectors } from '../search/search.ts';
import { Indexer } from '../search/segments/indexer.ts';
import { cacheFolder } from './cache-folder.ts';
import { IndexMarker } from './index-marker.ts';
import type { OpenOptions } from './settings.ts';
import type { Settings } from './settings-table.ts';
import type { Workspace } from './workspace.ts';

/** The only source of an endpoint's key, because a key in a file ends up in a repository. */
const KEY_VARIABLE = 'LECTERN_EMBEDDINGS_KEY';

/** Segments of different formats or models are never mixed: each has its own folder. */
const FORMAT = 'v3';

export function openSearch(workspace: Workspace): Search {
  const { vectors, identity } = vectorsOf(workspace);
  const dir = searchFolder(workspace);
  const cache = new SearchCache(workspace.diskFor('user'), dir && path.join(dir, `${FORMAT}-${identity}`));
  const { searchPatienceMs } = workspace.options;
  return new Search({
    vectors,
    cache,
    onReady: () => workspace.tellOfIndex(),
    ...(searchPatienceMs === undefined ? {} : { patienceMs: searchPatienceMs }),
  });
}

function searchFolder({ disk, options }: Workspace): string | undefined {
  const dir = cacheFolder(disk, options);
  return dir && path.join(dir, 'search');
}

const NO_VECTORS = { vectors: { kind: 'none' }, identity: 'words' } as const;

function vectorsOf(workspace: Workspace): { vectors: Vectors; identity: string } {
  const { embeddings } = workspace.snapshot.settings;
  if (embeddings.value === 'none') return NO_VECTORS;
  if (embeddings.value === 'endpoint') {
    const embedder = openEmbedder(workspace.snapshot.settings, workspace.options);
    return { vectors: { kind: 'endpoint', embedder }, identity: identityOf(embedder) };
  }
  return bundledVectors();
}

function bundledVectors(): { vectors: Vectors; identity: string } {
  return { vectors: { kind: 'static', model: bundledModel }, identity: BUNDLED_IDENTITY };
}

let bundled: StaticModel | undefined;

/** Opens the bundled model once. Fails with MODEL_UNAVAILABLE if the file is missing or damaged. */
export function bundledModel(): StaticModel {
  return (bundled ??= openBundledModel(nodeFiles));
}

/** Identifies the bundled model in the cache of vectors. */
const BUNDLED_IDENTITY = BUNDLED_SHA256.slice(0, 16);

/** Opens the search of a shared catalog with a separate cache folder, and the indexer that builds its data. */
export function openSharedSearch(
  disk: Disk,
  dir: string,
  {
    embeddings = 'bundled',
    complete,
  }: {
    embeddings?: 'bundled' | 'none' | undefined;
    complete?: SearchOptions['complete'];
  } = {},
): { search: Search; model: string | undefined; openIndexer(warn: (text: string) => void): Indexer } {
  const withVectors = embeddings === 'bundled';
  const { vectors, identity } = withVectors ? bundledVectors() : NO_VECTORS;
  return {
    search: new Search({
      vectors,
      cache: new SearchCache(disk, path.join(dir, 'search', `${FORMAT}-${identity}`)),
      ...(complete ? { complete } : {}),
    }),
    model: withVectors ? BUNDLED_IDENTITY : undefined,
    openIndexer: (warn) => new Indexer({ withVectors, files: nodeFiles, warn }),
  };
}

function identityOf({ url, name }: Embedder): string {
  return hexKey(`${url} ${name}`);
}

function openEmbedder({ embeddings, endpoint }: Settings, { environment }: Pick<OpenOptions, 'environment'>): Embedder {
  const { file } = embeddings;
  if (endpoint.value === undefined) {
    throw new Failure('INVALID_CONFIG', 'search.embeddings is "endpoint", but search.endpoint is missing.', {
      ...(file === undefined ? {} : { path: file }),
      hint: 'Add for example "endpoint": {"url": "http://127.0.0.1:11434/v1", "model": "nomic-embed-text"}.',
    });
  }
  const key = environment?.[KEY_VARIABLE];
  return endpointEmbedder({ ...definedOnly(endpoint.value), ...(key ? { key } : {}) });
}

/** Leaves out keys whose value is undefined. */
function definedOnly<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** Opens the marker of this project in the cache folder. It depends on the project's real path and on its spec folders. */
export function openIndexMarker(workspace: Workspace): IndexMarker {
  const { disk, options, snapshot } = workspace;
  const dir = searchFolder(workspace);
  const project = findTarget(disk, options.projectDir)?.realPath ?? options.projectDir;
  const { specsDir, changesDir } = snapshot.settings;
  const name = hexKey(JSON.stringify([project, specsDir.value, changesDir.value]));
  return new IndexMarker(workspace.diskFor('user'), dir && path.join(dir, 'projects', name), project);
}
