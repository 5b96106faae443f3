import { ALL_KINDS, type DocumentKind } from '../document.ts';
import type { Postings } from '../lexical/postings.ts';
import type { Vectors } from '../vectors/quantized.ts';
import { isRecord, type Manifest } from './manifest.ts';

/** The row of a vector that is not computed yet. */
export const NO_VECTOR = -1;

/** One document in the index. Its number is its position in the table. */
export interface IndexedDocument {
  kind: DocumentKind;
  /** The document's key, or its id if it has none. */
  id: string;
  /** Hash of everything that is searched. */
  hash: string;
  stamp?: string;
  /** Rows of the vector table: the head first, then the chunks of the body. */
  units: readonly number[];
}

/** One generation, opened and checked. It never changes. */
export interface IndexContent {
  manifest: Manifest;
  documents: readonly IndexedDocument[];
  postings: Postings;
  /** Undefined if the index has only words, or only words were requested. */
  vectors: Vectors | undefined;
}

const KINDS: readonly string[] = ALL_KINDS;

export function packDocuments(documents: readonly IndexedDocument[]): Uint8Array {
  const rows = documents.map(({ kind, id, hash, stamp, units }) => [kind, id, hash, stamp ?? null, units]);
  return new TextEncoder().encode(JSON.stringify(rows));
}

/** Undefined if the bytes are not a table of documents. */
export function parseDocuments(bytes: Uint8Array): IndexedDocument[] | undefined {
  let rows: unknown;
  try {
    rows = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  if (!Array.isArray(rows)) return undefined;
  const documents: IndexedDocument[] = [];
  for (const row of rows) {
    if (!isRow(row)) return undefined;
    const [kind, id, hash, stamp, units] = row;
    documents.push({ kind, id, hash, units, ...(stamp === null ? {} : { stamp }) });
  }
  return documents;
}

type Row = [kind: DocumentKind, id: string, hash: string, stamp: string | null, units: number[]];

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row) || isRecord(row)) return false;
  const [kind, id, hash, stamp, units]: unknown[] = row;
  if (typeof kind !== 'string' || !KINDS.includes(kind) || typeof id !== 'string' || typeof hash !== 'string')
    return false;
  if (stamp !== null && typeof stamp !== 'string') return false;
  return Array.isArray(units) && units.every((unit) => Number.isSafeInteger(unit));
}
