/** Splits the documents of a source into slices that are indexed together: one kind each, bounded in number. */
import { compareText } from '../../core/text.ts';
import { type DocumentKind, nameOf, type SearchDocument, type Slice } from '../document.ts';
import { keyOfText } from '../entry.ts';
import type { Text } from '../texts.ts';

/** Segments are small, because a change in a source rebuilds them. */
export const SLICE_DOCUMENTS = 1_000;

/** Each kind has separate slices, because many searches are for one kind. */
export function slicesOf(documents: readonly SearchDocument[]): Slice[] {
  const kinds = new Map<DocumentKind, { name: string; document: SearchDocument }[]>();
  for (const each of byName(documents)) {
    const group = kinds.get(each.document.kind);
    if (group) group.push(each);
    else kinds.set(each.document.kind, [each]);
  }
  const slices: Slice[] = [];
  for (const [kind, group] of kinds) {
    for (let at = 0; at < group.length; at += SLICE_DOCUMENTS) {
      const part = group.slice(at, at + SLICE_DOCUMENTS);
      const names = part.map(({ name }) => name).join('\n');
      slices.push({ kind, documents: part.map(({ document }) => document), names, id: keyOfText(names) });
    }
  }
  return slices;
}

export function byName(documents: readonly SearchDocument[]): { name: string; document: SearchDocument }[] {
  return documents
    .map((document) => ({ name: nameOf(document), document }))
    .sort((a, b) => compareText(a.name, b.name));
}

/** Lazily reads the texts of the documents. */
export function* textsIn(documents: readonly SearchDocument[]): Generator<Text> {
  for (const { names, description, context, body } of documents)
    yield { names, description, ...(context === undefined ? {} : { context }), body: body() };
}
