import path from 'node:path';
import type { Disk } from '../../core/disk/writes.ts';
import { DamagedPostings, openPostings } from '../lexical/postings.ts';
import { DamagedVectors, openVectors, type Vectors } from '../vectors/quantized.ts';
import { type IndexContent, parseDocuments } from './content.ts';
import { INDEX_FILE_MAX_BYTES, readIndexFile, UnreadableIndexFile } from './read-file.ts';
import { type FileEntry, isIntact, type Manifest, parseManifest } from './manifest.ts';

export const CURRENT = 'current.json';
export const FILE_NAMES = { documents: 'documents.json', postings: 'postings.bin', vectors: 'vectors.bin' } as const;

export type OpenedIndex =
  | { state: 'ready'; content: IndexContent }
  | { state: 'missing' }
  /** `outdated`: written by another version. `damaged`: changed since it was written. Building it again helps in both cases. */
  | { state: 'damaged' | 'outdated'; reason: string };

export interface OpenOptions {
  vectors: boolean;
  /** An already opened generation. Returned if it is still the current one. */
  known?: IndexContent;
}

const MANIFEST_MAX_BYTES = 64 * 1024;

/** A builder may remove a generation after we read its name. Then there is a newer one. */
const ATTEMPTS = 3;

/** Opens and checks the current generation. A problem is returned, never thrown and never hidden. */
export function openIndex(disk: Disk, dir: string, options: OpenOptions): OpenedIndex {
  let opened: OpenedIndex = { state: 'missing' };
  let before = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const bytes = readManifest(disk, dir);
    if (bytes instanceof UnreadableIndexFile) return { state: 'damaged', reason: bytes.message };
    if (!bytes) return { state: 'missing' };
    const parsed = parseManifest(bytes);
    if ('problem' in parsed) return { state: parsed.problem, reason: parsed.reason };
    const { known } = options;
    if (known && parsed.manifest.generation === known.manifest.generation) return { state: 'ready', content: known };
    if (parsed.manifest.generation === before) return opened;
    before = parsed.manifest.generation;
    opened = openGeneration(disk, dir, parsed.manifest, options);
    if (opened.state === 'ready') return opened;
  }
  return opened;
}

function readManifest(disk: Disk, dir: string): Uint8Array | UnreadableIndexFile | undefined {
  try {
    return readIndexFile(disk, path.join(dir, CURRENT), MANIFEST_MAX_BYTES);
  } catch (error) {
    if (error instanceof UnreadableIndexFile) return error;
    throw error;
  }
}

function openGeneration(disk: Disk, dir: string, manifest: Manifest, options: OpenOptions): OpenedIndex {
  const readChecked = (name: string, entry: FileEntry): Uint8Array => {
    const bytes = readIndexFile(
      disk,
      path.join(dir, manifest.generation, name),
      Math.min(entry.bytes, INDEX_FILE_MAX_BYTES),
    );
    if (!bytes) throw new Damage(`${name} is missing`);
    if (!isIntact(bytes, entry)) throw new Damage(`${name} has changed since it was written`);
    return bytes;
  };
  try {
    const documents = parseDocuments(readChecked(FILE_NAMES.documents, manifest.files.documents));
    if (!documents) throw new Damage('its table of documents cannot be read');
    const postings = openPostings(readChecked(FILE_NAMES.postings, manifest.files.postings));
    if (postings.documentCount !== documents.length) throw new Damage('its parts do not belong together');
    let vectors: Vectors | undefined;
    if (options.vectors && manifest.files.vectors) {
      vectors = openVectors(readChecked(FILE_NAMES.vectors, manifest.files.vectors));
      const { count } = vectors;
      if (
        documents.some(({ units }) => units.some((row) => row >= count)) ||
        vectors.dimensions !== manifest.model?.dimensions
      ) {
        throw new Damage('its parts do not belong together');
      }
    }
    return { state: 'ready', content: { manifest, documents, postings, vectors } };
  } catch (error) {
    if (
      error instanceof Damage ||
      error instanceof UnreadableIndexFile ||
      error instanceof DamagedPostings ||
      error instanceof DamagedVectors
    ) {
      return { state: 'damaged', reason: error.message };
    }
    throw error;
  }
}

class Damage extends Error {}
