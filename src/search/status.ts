import type { Disk } from '../core/disk/writes.ts';
import type { DocumentKind, SearchDocument } from './document.ts';
import { type ModelIdentity, sameModel } from './embed/embedder.ts';
import { compareDocuments, isStale, type Staleness } from './store/compare.ts';
import { openIndex } from './store/open.ts';

export interface IndexStatus {
  /**
   * `ready`: usable and up to date. `stale`: usable, but documents have changed, vectors are missing or another model is
   * in use. `missing`, `damaged` and `outdated` (of another version): not usable, build it.
   */
  state: 'ready' | 'stale' | 'missing' | 'damaged' | 'outdated';
  /** What is wrong, where something is. */
  reason?: string;
  builtAt?: string;
  /** The model the vectors were made with; null when the index holds words only. */
  model?: string | null;
  documents?: number;
  /** Texts that get a vector, and how many have it. */
  units?: number;
  embedded?: number;
  bytes?: number;
  differences?: Staleness;
}

/** How the index stands towards the documents of now. Bodies are read only where stamps leave it open. */
export function readStatus(
  disk: Disk,
  dir: string,
  corpus: { documents: readonly SearchDocument[]; kinds?: readonly DocumentKind[] },
  model: ModelIdentity | undefined,
): IndexStatus {
  const opened = openIndex(disk, dir, { vectors: true });
  if (opened.state === 'missing') return { state: 'missing', reason: 'No index has been built yet' };
  if (opened.state !== 'ready') return { state: opened.state, reason: opened.reason };
  const { manifest } = opened.content;
  const { added, changed, removed, unfinished } = compareDocuments(
    opened.content.documents,
    corpus.documents,
    corpus.kinds,
  );
  // Without a model nobody waits for vectors.
  const differences = { added, changed, removed, unfinished: model === undefined ? 0 : unfinished };
  const otherModel = model !== undefined && manifest.model !== undefined && !sameModel(manifest.model, model);
  const reason = otherModel
    ? `The vectors are of ${manifest.model?.name}, but ${model.name} is in use`
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
