import path from 'node:path';
import { entriesOf } from '../core/disk/answers.ts';
import type { Disk } from '../core/disk/writes.ts';
import type { DocumentKind, SearchDocument } from './document.ts';
import { type ModelIdentity, sameModel } from './embed/embedder.ts';
import { compareDocuments, isStale, type Staleness } from './store/compare.ts';
import { openIndex } from './store/open.ts';

export interface IndexStatus {
  /**
   * `ready`: usable and up to date. `stale`: usable, but documents have changed, vectors are missing or another model is in
   * use. `missing`, `damaged` and `outdated` (written by another version): must be built.
   */
  state: 'ready' | 'stale' | 'missing' | 'damaged' | 'outdated';
  /** What is wrong, if anything. No full stop at the end. */
  reason?: string;
  builtAt?: string;
  /** The model of the vectors; null if the index has only words. */
  model?: string | null;
  documents?: number;
  /** Texts that get a vector, and how many have it. */
  units?: number;
  embedded?: number;
  bytes?: number;
  differences?: Staleness;
}

/** Compares the index with the current documents. Reads a body only if the stamps differ. */
export function readStatus(
  disk: Disk,
  dir: string,
  corpus: { documents: readonly SearchDocument[]; kinds?: readonly DocumentKind[] },
  model: ModelIdentity | undefined,
): IndexStatus {
  const opened = openIndex(disk, dir, { vectors: true });
  if (opened.state === 'missing') return { state: 'missing', reason: whyMissing(disk, dir) };
  if (opened.state !== 'ready') return { state: opened.state, reason: opened.reason };
  const { manifest } = opened.content;
  const { added, changed, removed, unfinished } = compareDocuments(
    opened.content.documents,
    corpus.documents,
    corpus.kinds,
  );
  // Without a model, missing vectors do not make the index stale.
  const differences = { added, changed, removed, unfinished: model === undefined ? 0 : unfinished };
  const otherModel = model !== undefined && manifest.model !== undefined && !sameModel(manifest.model, model);
  const reason = otherModel
    ? `The vectors come from ${manifest.model?.name}, but ${model.name} is in use`
    : staleReason(differences);
  const sizes = [
    manifest.files.documents,
    manifest.files.postings,
    ...(manifest.files.vectors ? [manifest.files.vectors] : []),
  ];
  return {
    state: otherModel || isStale(differences) ? 'stale' : 'ready',
    ...(reason === undefined ? {} : { reason }),
    builtAt: manifest.builtAt,
    model: manifest.model?.name ?? null,
    ...manifest.counts,
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    differences,
  };
}

/** An interrupted build leaves vectors behind, which the next one uses. */
function whyMissing(disk: Disk, dir: string): string {
  const isBegun = entriesOf(disk, dir).some(({ name, kind }) =>
    kind === 'directory' ? entriesOf(disk, path.join(dir, name)).length > 0 : name !== '.gitignore',
  );
  return isBegun ? 'A build was interrupted; the next one continues it' : 'No index has been built yet';
}

function staleReason({ added, changed, removed, unfinished }: Staleness): string | undefined {
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
    [unfinished, 'without all their vectors'],
  ] as const;
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return said.length === 0 ? undefined : `Documents since it was built: ${said.join(', ')}`;
}
