import { count } from '../core/text.ts';
import { keyOf, type SearchDocument } from './document.ts';
import type { RankedMode } from './rank.ts';
import type { IndexContent } from './store/content.ts';

/** The current documents, matched with the index. It may have some that are gone, and lack some that are new. */
export interface Live {
  /** By number in the index: the current document. */
  byNumber: (SearchDocument | undefined)[];
  /** Documents that are not in the index, and those that have another stamp there. */
  absent: number;
  changed: number;
}

/** Kept as long as both stay the same, which they do most of the time in a server. */
const lives = new WeakMap<IndexContent, WeakMap<readonly SearchDocument[], Live>>();

export function liveDocuments(content: IndexContent, documents: readonly SearchDocument[]): Live {
  let ofContent = lives.get(content);
  if (!ofContent) lives.set(content, (ofContent = new WeakMap()));
  let live = ofContent.get(documents);
  if (!live) ofContent.set(documents, (live = matchDocuments(content, documents)));
  return live;
}

function matchDocuments(content: IndexContent, documents: readonly SearchDocument[]): Live {
  const byKey = new Map(documents.map((document) => [keyOf(document), document]));
  const byNumber = content.documents.map((indexed) => byKey.get(keyOf(indexed)));
  const found = byNumber.filter((document) => document !== undefined).length;
  const changed = content.documents.filter(
    ({ stamp }, number) => byNumber[number] !== undefined && byNumber[number].stamp !== stamp,
  ).length;
  return { byNumber, absent: byKey.size - found, changed };
}

/** What may be missing in the answer, even if the requested mode ran. */
export function gapsOf({ manifest }: IndexContent, { absent, changed }: Live, mode: RankedMode): string | undefined {
  const { units, embedded } = manifest.counts;
  const gaps = [
    ...(absent > 0 ? [`${count(absent, 'document is', 'documents are')} not in the index`] : []),
    ...(changed > 0 ? [`${count(changed, 'document', 'documents')} may have changed since it was built`] : []),
    ...(mode !== 'lexical' && embedded < units
      ? [`${units - embedded} of ${units} texts have no vector yet and are found by their words only`]
      : []),
  ];
  return gaps.length === 0 ? undefined : `${gaps.join('; ')}. Run \`lectern index\` to refresh it`;
}
