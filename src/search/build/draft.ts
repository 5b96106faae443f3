import { breather } from '../../core/breathe.ts';
import { Failure } from '../../core/failure.ts';
import type { DocumentKind, SearchDocument } from '../document.ts';
import { LexicalBuilder } from '../lexical/build.ts';
import { compareDocuments, hashDocument } from '../store/compare.ts';
import { type IndexContent, type IndexedDocument, NO_VECTOR } from '../store/content.ts';
import { unitsOf } from '../units.ts';
import { HASH_BYTES, type Quantized, vectorAt } from '../vectors/quantized.ts';

/** The next generation, without the vectors that still have to be computed. */
export interface Draft {
  rows: Row[];
  postings: Uint8Array;
  added: number;
  changed: number;
  removed: number;
  restamped: number;
  /** Known vectors, by the hash of their text. */
  known: Map<string, Quantized>;
  /** Texts without a vector, by hash: all heads, then all first chunks, and so on, because the first ones say most. */
  passes: Map<string, string>[];
}

export interface Row {
  document: Omit<IndexedDocument, 'units'>;
  /** Hashes of its units, the head first. */
  units: readonly string[];
}

export interface DraftOptions {
  documents: readonly SearchDocument[];
  kinds: readonly DocumentKind[] | undefined;
  /** The generation to copy unchanged documents from. */
  previous: IndexContent | undefined;
  /** Whether its vectors come from the model in use. */
  keepVectors: boolean;
  /** Whether missing vectors will be computed. Only then are the texts of unchanged documents read for them. */
  wantVectors: boolean;
  signal: AbortSignal | undefined;
  onRead: (done: number, total: number) => void;
}

const REPORT_EVERY = 50;

/** Reads the new and changed documents, and copies the others as they are. */
export async function draftIndex({
  documents,
  kinds,
  previous,
  keepVectors,
  wantVectors,
  signal,
  onRead,
}: DraftOptions): Promise<Draft> {
  const breathe = breather();
  const { kept, fresh, untouched, ...differences } = compareDocuments(previous?.documents ?? [], documents, kinds);
  const old = previous && keepVectors ? vectorsByRow(previous) : [];
  const known = new Map(old);
  const waiting = new Set<string>();
  const passes: Map<string, string>[] = [];
  const rows: Row[] = [];

  const addRow = (document: SearchDocument, hash: string, units: readonly string[]): void => {
    const { kind, stamp } = document;
    rows.push({
      document: { kind, id: document.key ?? document.id, hash, ...(stamp === undefined ? {} : { stamp }) },
      units,
    });
  };
  const readUnits = (document: SearchDocument): string[] => {
    const units = unitsOf(document);
    units.forEach(({ hash, text }, depth) => {
      if (known.has(hash) || waiting.has(hash)) return;
      waiting.add(hash);
      (passes[depth] ??= new Map()).set(hash, text);
    });
    return units.map(({ hash }) => hash);
  };

  const renumbered = new Int32Array(kept.length).fill(-1);
  for (const [number, document] of kept.entries()) {
    const before = previous?.documents[number];
    if (!before || (!document && !untouched[number])) continue;
    renumbered[number] = rows.length;
    const units = before.units.map((row) => old[row]?.[0] ?? '');
    if (document) addRow(document, before.hash, wantVectors && units.includes('') ? readUnits(document) : units);
    else rows.push({ document: before, units });
    await breathe();
  }
  const builder = new LexicalBuilder(previous && { postings: previous.postings, renumbered });
  for (const [index, document] of fresh.entries()) {
    if (signal?.aborted) throw new Failure('INTERRUPTED', 'Stopped before the index was complete.');
    if (index % REPORT_EVERY === 0) onRead(index, fresh.length);
    // Read only once: the file may change in between, and then the hash would belong to another text.
    const body = document.body();
    const whole: SearchDocument = { ...document, body: () => body };
    builder.add(whole);
    addRow(document, hashDocument(whole), readUnits(whole));
    await breathe();
  }
  onRead(fresh.length, fresh.length);
  return {
    rows,
    postings: builder.finish(),
    ...differences,
    known,
    passes: [...passes].map((pass) => pass ?? new Map<string, string>()),
  };
}

/** Every vector of a generation with its hash, in the order of its rows. */
function vectorsByRow({ vectors }: IndexContent): [hash: string, vector: Quantized][] {
  if (!vectors) return [];
  const hashes = Buffer.from(vectors.hashes.buffer, vectors.hashes.byteOffset, vectors.hashes.length);
  return Array.from({ length: vectors.count }, (_, row) => [
    hashes.toString('hex', row * HASH_BYTES, (row + 1) * HASH_BYTES),
    vectorAt(vectors, row),
  ]);
}

/** The table of documents, and each vector that they refer to once. */
export function tablesOf(draft: Draft): {
  documents: IndexedDocument[];
  vectors: { hash: Uint8Array; vector: Quantized }[];
} {
  const numbers = new Map<string, number>();
  const vectors: { hash: Uint8Array; vector: Quantized }[] = [];
  const numberOf = (hash: string): number => {
    const vector = draft.known.get(hash);
    if (!vector) return NO_VECTOR;
    let number = numbers.get(hash);
    if (number === undefined) {
      number = vectors.push({ hash: Buffer.from(hash, 'hex'), vector }) - 1;
      numbers.set(hash, number);
    }
    return number;
  };
  return { documents: draft.rows.map(({ document, units }) => ({ ...document, units: units.map(numberOf) })), vectors };
}
