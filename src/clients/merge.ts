/** Puts an entry into a document by editing its text, so that the rest of the document does not change. */
import type { Broken } from '../core/config-text/edits.ts';
import type { Entry, EntryPlace } from './client.ts';

/** Returns the position of the entry, which depends on the existing document. */
export type Place = (document: unknown) => EntryPlace;

export type Merge =
  | { kind: 'same'; line: number }
  | { kind: 'added'; text: string }
  /** An entry with that name exists and differs. `text` is the document with the entry replaced. */
  | { kind: 'different'; existing: unknown; wanted: Entry; line: number; text: string }
  | Broken;
