import { ALL_KINDS, type DocumentKind, keyOf, type SearchDocument } from '../document.ts';
import { hashText } from '../units.ts';
import { type IndexedDocument, NO_VECTOR } from './content.ts';

/** How the index and the current documents differ. */
export interface Staleness {
  added: number;
  changed: number;
  removed: number;
  /** Unchanged, but a vector is still missing. */
  unfinished: number;
}

export interface Comparison extends Staleness {
  /** By number in the index: the current document, if it has the same text. */
  kept: (SearchDocument | undefined)[];
  /** Documents that are not in the index, or have another text there. */
  fresh: SearchDocument[];
  /** By number in the index: whether the kind was not compared, so that the document stays as it is. */
  untouched: boolean[];
  /** Same text with another stamp: the index is right, but would read the document every time. */
  restamped: number;
}

/** A hash of the whole document. Fields are separated, so that moving a word between them changes it. */
export function hashDocument(document: SearchDocument): string {
  return hashText(JSON.stringify([document.name, document.otherNames ?? [], document.description, document.body()]));
}

/** Reads a body only if the stamps differ. `kinds` are those of which `documents` has all. */
export function compareDocuments(
  indexed: readonly IndexedDocument[],
  documents: Iterable<SearchDocument>,
  kinds: readonly DocumentKind[] = ALL_KINDS,
): Comparison {
  const numbers = new Map(indexed.map((document, number) => [keyOf(document), number]));
  const kept: (SearchDocument | undefined)[] = Array.from({ length: indexed.length }, () => undefined);
  const fresh: SearchDocument[] = [];
  const seen = new Set<string>();
  let added = 0;
  let changed = 0;
  let unfinished = 0;
  let restamped = 0;
  for (const document of documents) {
    const key = keyOf(document);
    if (seen.has(key)) continue;
    seen.add(key);
    const number = numbers.get(key);
    const old = number === undefined ? undefined : indexed[number];
    if (number === undefined || old === undefined) {
      added += 1;
      fresh.push(document);
    } else if ((document.stamp !== undefined && document.stamp === old.stamp) || hashDocument(document) === old.hash) {
      kept[number] = document;
      if (document.stamp !== old.stamp) restamped += 1;
      if (old.units.includes(NO_VECTOR)) unfinished += 1;
    } else {
      changed += 1;
      fresh.push(document);
    }
  }
  const untouched = indexed.map(({ kind }) => !kinds.includes(kind));
  const removed =
    kept.filter((document, number) => document === undefined && untouched[number] !== true).length - changed;
  return { kept, fresh, untouched, added, changed, removed, unfinished, restamped };
}

export function isStale({ added, changed, removed, unfinished }: Staleness): boolean {
  return added + changed + removed + unfinished > 0;
}
