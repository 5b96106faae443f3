/** Reads the headers of SKILL.md files. Files that have not changed since the last discovery are not reread. */
import { type FileTree, FileTrouble, reasonText, sameStamp, type Stamp } from '../core/disk/tree.ts';
import { isRacy } from '../core/disk/noting.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { readPlainFrontmatter } from '../core/frontmatter/plain.ts';
import { LIMITS } from '../core/limits.ts';
import * as codes from './codes.ts';
import { type Header, parseHeader } from './parse.ts';
import { isMoving } from './moving.ts';
import type { FoundFile } from './walk.ts';

export interface KnownHeader {
  header: Header;
  stamp: Stamp;
  /** True if the file was read so soon after a change that another write could leave the same stamp. */
  racy: boolean;
}

/** Known headers by real file, so that a file with several paths is read once. */
export type KnownHeaders = ReadonlyMap<string, KnownHeader>;

/** Headers that a discovery has read. */
export interface ReadFiles {
  headers: KnownHeaders;
  /** Set for one-shot commands: the headers that were read ahead. */
  oneShot?: { headers: { find(file: string): Header | undefined } };
}

/** Returns the header of a file that was already read, unless the file may have changed since. */
export function knownHeader(
  { headers, oneShot }: ReadFiles,
  { realFile, stamp }: Pick<FoundFile, 'realFile' | 'stamp'>,
): Header | undefined {
  const known = headers.get(realFile);
  if (oneShot) return oneShot.headers.find(realFile) ?? known?.header;
  return known && !known.racy && sameStamp(known.stamp, stamp) ? known.header : undefined;
}

export interface ReadHeaders {
  headers: KnownHeaders;
  /** Number of files read. */
  filesRead: number;
  /** A file was being written or replaced, so an earlier header of it was used. */
  unsettled: boolean;
  /** Reasons why some files could not be read. */
  diagnostics: Diagnostic[];
}

/** Most headers end within the first block, and a larger block costs more to copy. */
const FIRST_READ_BYTES = 2048;
/** Frontmatter that does not end within this many bytes exceeds its limit, unless kilobytes of blank lines precede it. */
const SECOND_READ_BYTES = LIMITS.frontmatterBytes.value + FIRST_READ_BYTES;

export async function readHeaders(
  tree: FileTree,
  files: readonly FoundFile[],
  earlier: KnownHeaders | undefined,
  breathe: () => Promise<void> | undefined,
): Promise<ReadHeaders> {
  const headers = new Map<string, KnownHeader>();
  const diagnostics: Diagnostic[] = [];
  const startedAt = Date.now();
  let filesRead = 0;
  let unsettled = false;
  for (const place of files) {
    if (place.header) continue;
    const { realFile } = place;
    if (headers.has(realFile)) continue;
    const known = earlier?.get(realFile);
    if (known && place.isReplaced) {
      headers.set(realFile, known);
      unsettled = true;
      continue;
    }
    if (known && !known.racy && sameStamp(known.stamp, place.stamp)) {
      headers.set(realFile, known);
      continue;
    }
    if (place.stamp.size > LIMITS.skillFileBytes.value) {
      diagnostics.push(tooLarge(place));
      continue;
    }
    const pause = breathe();
    if (pause) await pause;
    try {
      const read = readHeader(tree, place);
      const header = read instanceof Promise ? await read : read;
      filesRead += 1;
      if (known && isBroken(header) && !isBroken(known.header) && isMoving(place.stamp, Date.now())) {
        // The file may be incomplete, so the previous header is used until it has settled.
        headers.set(realFile, { header: known.header, stamp: place.stamp, racy: true });
        unsettled = true;
        continue;
      }
      headers.set(realFile, { header, stamp: place.stamp, racy: isRacy(place.stamp, startedAt) });
    } catch (error) {
      if (!(error instanceof FileTrouble)) throw error;
      // The file may have been removed or replaced since its folder was listed.
      if (error.reason === 'missing') continue;
      const code = error.reason === 'not-a-regular-file' ? codes.notARegularFile : codes.fileUnreadable;
      diagnostics.push(code.at({ path: place.file, message: reasonText(error) }));
    }
  }
  return { headers, filesRead, unsettled, diagnostics };
}

function isBroken({ name, description }: Header): boolean {
  return name === undefined || description === undefined;
}

function tooLarge({ file, stamp }: FoundFile): Diagnostic {
  const message = `it has ${stamp.size} bytes; the limit is ${LIMITS.skillFileBytes.value}`;
  return codes.fileTooLarge.at({ path: file, message });
}

/** Parses the header of a file that was read completely. */
export async function parseWholeFile(path: string, bytes: Uint8Array): Promise<Header> {
  const plain = parseHeader(path, bytes, { complete: true, read: readPlainFrontmatter });
  if (plain) return plain;
  const { readFrontmatter } = await import('../core/frontmatter/read.ts');
  const header = parseHeader(path, bytes, { complete: true, read: readFrontmatter });
  if (!header) throw new Error('a complete file needs no more bytes');
  return header;
}

type HeaderPlace = Pick<FoundFile, 'file' | 'realFile'>;

/** Reads one header. Opens the file once, unless the header does not fit into the first block. */
export function readHeader(tree: FileTree, place: HeaderPlace): Header | Promise<Header> {
  const length = tree.readStart(place.realFile, firstBlock);
  const block = firstBlock.subarray(0, length);
  const complete = length < FIRST_READ_BYTES;
  const header = parseHeader(place.file, block, { complete, read: readPlainFrontmatter });
  // The next file reuses the block while the YAML library loads.
  return header ?? readAnyHeader(tree, place, Buffer.from(block));
}

const firstBlock = Buffer.allocUnsafe(FIRST_READ_BYTES);

async function readAnyHeader(tree: FileTree, { file, realFile }: HeaderPlace, first: Buffer): Promise<Header> {
  // Loaded on demand, because most catalogs do not need the YAML library.
  const { readFrontmatter } = await import('../core/frontmatter/read.ts');
  const complete = first.length < FIRST_READ_BYTES;
  const header = parseHeader(file, first, { complete, read: readFrontmatter });
  if (header) return header;
  for (const size of [SECOND_READ_BYTES, LIMITS.skillFileBytes.value + 1]) {
    const block = Buffer.allocUnsafe(size);
    const length = tree.readStart(realFile, block);
    const longer = parseHeader(file, block.subarray(0, length), { complete: length < size, read: readFrontmatter });
    if (longer) return longer;
  }
  // The file grew beyond its limit while it was read.
  throw new FileTrouble('too-large', realFile);
}
