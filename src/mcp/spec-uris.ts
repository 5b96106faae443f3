/**
 * Resolves `spec://<id>` and `change://<id>/<file>` to texts. A URI is looked up among the URIs of the catalog. It is never
 * decoded into a path.
 */
import { memo } from '../core/memo.ts';
import { compareText, count } from '../core/text.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { ChangeFolder } from '../specs/change-folder.ts';
import type { TextFile } from '../specs/text-file.ts';
import { encodeSegment, fileUri } from './skill-uris.ts';

export const SPEC_SCHEME = 'spec://';
export const CHANGE_SCHEME = 'change://';

export interface AddressedText {
  uri: string;
  kind: 'spec' | 'change';
  /** ID of the spec or change. */
  id: string;
  title: string;
  description: string;
  file: TextFile;
}

/** All specs and all files of active changes, by URI and sorted by URI. */
export const addressedTexts = memo((catalog: SpecCatalog): ReadonlyMap<string, AddressedText> => {
  const specs = catalog.specs.map(({ id, title, purpose, file }): AddressedText => {
    return { uri: specUri(id), kind: 'spec', id, title, description: purpose, file };
  });
  const texts = [...specs, ...catalog.changes.flatMap(textsOf)].sort((a, b) => compareText(a.uri, b.uri));
  return new Map(texts.map((text) => [text.uri, text]));
});

/** Archived changes are not listed, but can be read by their URI. */
export function findText(catalog: SpecCatalog, uri: string): AddressedText | undefined {
  const found = addressedTexts(catalog).get(uri);
  if (found || !uri.startsWith(CHANGE_SCHEME)) return found;
  const archived = catalog.archived.find(({ id }) => uri.startsWith(`${changeUri(id)}/`));
  return archived && textsOf(archived).find((text) => text.uri === uri);
}

function textsOf({ id, title, proposal, tasksFile, design, deltas }: ChangeFolder): AddressedText[] {
  const files = [
    { name: 'proposal.md', file: proposal, description: `Why and what: ${title}` },
    { name: 'tasks.md', file: tasksFile, description: `The tasks of: ${title}` },
    { name: 'design.md', file: design, description: `The design of: ${title}` },
    ...deltas.map(({ capability, file }) => ({
      name: `specs/${capability}/spec.md`,
      file,
      description: `What changes in ${capability}: ${title}`,
    })),
  ];
  return files.flatMap(({ name, file, description }): AddressedText[] =>
    file ? [{ uri: fileUri(changeUri(id), name), kind: 'change', id, title, description, file }] : [],
  );
}

/** Encodes colons: URL parsers treat the first segment as a host, in which a colon would begin a port. */
function specUri(id: string): string {
  const [first = '', ...rest] = id.split('/');
  return SPEC_SCHEME + [encodeURIComponent(first.toWellFormed()), ...rest.map(encodeSegment)].join('/');
}

function changeUri(id: string): string {
  return CHANGE_SCHEME + encodeURIComponent(id.toWellFormed());
}

export interface TextChanges {
  /** Short description for the operator, such as "1 spec added". */
  reason: string;
  /** URIs of changed texts. */
  updated: string[];
}

/** Returns the differences between two scans, or undefined if there are none. */
export function compareTexts(before: SpecCatalog, after: SpecCatalog): TextChanges | undefined {
  const [was, is] = [addressedTexts(before), addressedTexts(after)];
  const touched = new Map<string, AddressedText>();
  const updated: string[] = [];
  for (const [uri, text] of is) {
    const earlier = was.get(uri);
    if (earlier?.file.text === text.file.text && earlier.title === text.title) continue;
    touched.set(itemOf(text), text);
    if (earlier) updated.push(uri);
  }
  for (const [uri, text] of was) if (!is.has(uri)) touched.set(itemOf(text), text);
  if (touched.size === 0) return undefined;
  const [itemsBefore, itemsAfter] = [was, is].map((index) => new Set([...index.values()].map(itemOf)));
  const fates = [...touched].map(([item, { kind }]) => {
    return { kind, fate: !itemsBefore?.has(item) ? 'added' : !itemsAfter?.has(item) ? 'removed' : 'edited' };
  });
  const parts = (['spec', 'change'] as const).flatMap((kind) =>
    ['added', 'removed', 'edited'].flatMap((fate) => {
      const number = fates.filter((each) => each.kind === kind && each.fate === fate).length;
      return number === 0 ? [] : [`${count(number, kind)} ${fate}`];
    }),
  );
  return { reason: parts.join(', '), updated };
}

function itemOf({ kind, id }: AddressedText): string {
  return `${kind} ${id}`;
}
