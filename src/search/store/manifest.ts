import { createHash } from 'node:crypto';
import { POSTINGS_VERSION } from '../lexical/postings.ts';
import { VECTORS_VERSION } from '../vectors/quantized.ts';

/** Increase this when texts are split into terms or units differently. Older indexes are then built again. */
const TEXT_VERSION = 1;

export const FORMAT = `1.${POSTINGS_VERSION}.${VECTORS_VERSION}.${TEXT_VERSION}`;

export interface FileEntry {
  bytes: number;
  sha256: string;
}

/** Names the current generation. Everything it names was complete before it was written. */
export interface Manifest {
  format: string;
  generation: string;
  /** ISO 8601, for people. */
  builtAt: string;
  /** Undefined if the index has only words. */
  model?: { name: string; version: string; dimensions: number; floor: number };
  counts: { documents: number; units: number; embedded: number };
  files: { documents: FileEntry; postings: FileEntry; vectors?: FileEntry };
}

export function entryOf(bytes: Uint8Array): FileEntry {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

export function isIntact(bytes: Uint8Array, entry: FileEntry): boolean {
  return bytes.length === entry.bytes && entryOf(bytes).sha256 === entry.sha256;
}

export type ParsedManifest = { manifest: Manifest } | { problem: 'damaged' | 'outdated'; reason: string };

/** Trusts nothing in the manifest: the folder may come from an untrusted repository. */
export function parseManifest(bytes: Uint8Array): ParsedManifest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { problem: 'damaged', reason: 'its manifest is not valid JSON' };
  }
  if (!isRecord(value) || typeof value['format'] !== 'string')
    return { problem: 'damaged', reason: 'its manifest was not written by Lectern' };
  if (value['format'] !== FORMAT)
    return { problem: 'outdated', reason: 'it was written by another version of Lectern' };
  return isManifest(value) ? { manifest: value } : { problem: 'damaged', reason: 'its manifest is incomplete' };
}

function isManifest(value: Record<string, unknown>): value is Record<string, unknown> & Manifest {
  const { generation, builtAt, model, counts, files } = value;
  if (typeof generation !== 'string' || !/^gen-[\w-]+$/u.test(generation) || typeof builtAt !== 'string') return false;
  if (!isRecord(counts) || !['documents', 'units', 'embedded'].every((key) => isCount(counts[key]))) return false;
  if (!isRecord(files) || !isEntry(files['documents']) || !isEntry(files['postings'])) return false;
  if (model === undefined) return files['vectors'] === undefined;
  return isEntry(files['vectors']) && isModel(model);
}

function isModel(value: unknown): boolean {
  if (!isRecord(value) || typeof value['name'] !== 'string' || typeof value['version'] !== 'string') return false;
  return isCount(value['dimensions']) && typeof value['floor'] === 'number' && Number.isFinite(value['floor']);
}

function isEntry(value: unknown): boolean {
  return isRecord(value) && isCount(value['bytes']) && typeof value['sha256'] === 'string';
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
