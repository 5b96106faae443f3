import { type Disk, WriteTrouble } from '../../core/disk/writes.ts';
import { Failure } from '../../core/failure.ts';
import type { DocumentKind, SearchDocument } from '../document.ts';
import { embedAll } from '../embed/embed-all.ts';
import { type Embedder, sameModel } from '../embed/embedder.ts';
import { NO_VECTOR } from '../store/content.ts';
import type { Manifest } from '../store/manifest.ts';
import { openIndex } from '../store/open.ts';
import { type Parts, Workshop } from '../store/workshop.ts';
import { measureFloor } from '../vectors/floor.ts';
import { packVectors } from '../vectors/quantized.ts';
import { type Draft, draftIndex, tablesOf } from './draft.ts';

export interface BuildProgress {
  phase: 'reading' | 'embedding' | 'writing';
  /** Documents while reading, units while embedding, generations while writing. */
  done: number;
  total: number;
}

export interface BuildOptions {
  disk: Disk;
  /** The folder of the index. Created if it is missing. */
  dir: string;
  documents: readonly SearchDocument[];
  /** The kinds of which `documents` has all. Others stay in the index as they are. Defaults to all kinds. */
  kinds?: readonly DocumentKind[];
  /** Without one, new texts get no vectors and are found only by their words. */
  embedder: Embedder | undefined;
  /** Ignore the existing index and build everything again. */
  full?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: BuildProgress) => void;
  pid: number;
  now: () => number;
}

export interface BuildReport {
  /** Documents in the index, and how they differ from the previous generation. */
  documents: number;
  added: number;
  changed: number;
  removed: number;
  /** Texts that got their vector in this run. */
  embedded: number;
  /** False if the index was up to date and nothing was written. */
  written: boolean;
  manifest: Manifest;
}

/** With fewer texts to embed than this, an intermediate generation is not worth writing. */
const WORTH_PUBLISHING = 200;

/**
 * Builds or refreshes the index. Unchanged documents are copied without being read, and unchanged texts keep their vectors.
 * Long builds publish intermediate generations: first the words of all documents, then the vectors of their heads, then those
 * of their bodies. If a build is stopped, the current generation stays complete, and the next build finds the vectors computed
 * so far.
 */
export async function buildIndex(options: BuildOptions): Promise<BuildReport> {
  const { disk, dir, embedder, onProgress } = options;
  const opened = options.full === true ? undefined : openIndex(disk, dir, { vectors: true });
  const previous = opened?.state === 'ready' ? opened.content : undefined;
  const model = previous?.manifest.model;
  const draft = await draftIndex({
    documents: options.documents,
    kinds: options.kinds,
    previous,
    keepVectors: !embedder || (model !== undefined && sameModel(model, embedder.model)),
    wantVectors: embedder !== undefined,
    signal: options.signal,
    onRead: (done, total) => onProgress?.({ phase: 'reading', done, total }),
  });
  const { added, changed, removed } = draft;
  const counts = { documents: draft.rows.length, added, changed, removed };
  const wanted = embedder ? sizeOf(draft.passes) : 0;
  if (previous && added + changed + removed + draft.restamped + wanted === 0) {
    return { ...counts, embedded: 0, written: false, manifest: previous.manifest };
  }

  const workshop = new Workshop({ disk, dir, pid: options.pid, now: options.now });
  workshop.open();
  const publish = (): Manifest => {
    onProgress?.({ phase: 'writing', done: 0, total: 1 });
    const manifest = workshop.publish(partsOf(draft, embedder, model));
    // Every time: a build that is stopped every day would otherwise leave a generation every day. What dead builders left has
    // been read by now and is in the generation just written.
    workshop.tidy(manifest.generation);
    onProgress?.({ phase: 'writing', done: 1, total: 1 });
    return manifest;
  };
  try {
    const embedded = embedder ? await embedMissing(options, embedder, workshop, draft, publish) : 0;
    const manifest = publish();
    workshop.close();
    return { ...counts, embedded, written: true, manifest };
  } catch (error) {
    workshop.abandon();
    if (!(error instanceof WriteTrouble)) throw error;
    throw new Failure('UNWRITABLE', `Cannot write the search index: ${error.text}.`, {
      ...(error.path === undefined ? {} : { path: error.path }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      cause: error,
    });
  }
}

async function embedMissing(
  options: BuildOptions,
  embedder: Embedder,
  workshop: Workshop,
  draft: Draft,
  publish: () => void,
): Promise<number> {
  workshop.readJournals(embedder.model, draft.known);
  const journal = workshop.journal(embedder.model);
  const passes = draft.passes.map((texts) => new Map([...texts].filter(([hash]) => !draft.known.has(hash))));
  const total = sizeOf(draft.passes);
  const missing = sizeOf(passes);
  let embedded = 0;
  for (const pass of passes) {
    if (missing - embedded >= WORTH_PUBLISHING) publish();
    await embedAll(embedder, pass, {
      signal: options.signal,
      dimensions: draft.known.values().next().value?.values.length,
      done: (hash, vector) => {
        draft.known.set(hash, vector);
        journal.add(hash, vector);
        embedded += 1;
        options.onProgress?.({ phase: 'embedding', done: total - missing + embedded, total });
      },
    });
  }
  return embedded;
}

function sizeOf(passes: readonly ReadonlyMap<string, string>[]): number {
  return passes.reduce((sum, pass) => sum + pass.size, 0);
}

function partsOf(draft: Draft, embedder: Embedder | undefined, before: Manifest['model']): Parts {
  const { documents, vectors } = tablesOf(draft);
  const units = documents.flatMap((document) => document.units);
  const counts = {
    documents: documents.length,
    units: units.length,
    embedded: units.filter((row) => row !== NO_VECTOR).length,
  };
  const parts = { documents, postings: draft.postings, counts };
  const identity = embedder?.model ?? before;
  const dimensions = vectors[0]?.vector.values.length;
  if (!identity || dimensions === undefined) return { ...parts, vectors: undefined, model: undefined };
  const floor = embedder ? (embedder.floor ?? measureFloor(vectors.map(({ vector }) => vector))) : (before?.floor ?? 0);
  const { name, version } = identity;
  return { ...parts, vectors: packVectors(dimensions, vectors), model: { name, version, dimensions, floor } };
}
