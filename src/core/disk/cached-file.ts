/**
 * JSON files that may be lost at any time: caches. Each file begins with the SHA-256 of its JSON, so that a damaged file is never
 * used. A cache that cannot be written only costs time, so no function fails because of the file system.
 */
import path from 'node:path';
import { tryParseJson } from '../json-file.ts';
import { sha256Of } from '../sha256.ts';
import { entriesOf, findEntry, tryRead, tryToWrite } from './answers.ts';
import { FileTrouble } from './tree.ts';
import type { Disk } from './writes.ts';

export interface CachedFilesOptions {
  /** Larger files are neither written nor read. */
  maxBytes: number;
  /** Only this user may read the files. */
  isPrivate?: boolean;
}

export type CachedRead<T> =
  | { kind: 'value'; value: T }
  /** There is no such file, or its value has another shape. */
  | { kind: 'missing' }
  /** The content differs from its hash. */
  | { kind: 'damaged' };

/** Maximum size of a folder. Without `bytes`, only the number of files counts. */
export interface FolderLimits {
  files: number;
  bytes?: number;
}

/** Name of every file that `prune` may remove. */
const SUFFIX = '.json';

export class CachedFiles {
  readonly #disk: Disk;
  readonly #options: CachedFilesOptions;

  constructor(disk: Disk, options: CachedFilesOptions) {
    this.#disk = disk;
    this.#options = options;
  }

  /** `check` returns undefined for a value of another shape. */
  read<T>(file: string, check: (value: unknown) => T | undefined): CachedRead<T> {
    const read = tryRead(this.#disk, file, this.#options.maxBytes);
    if (read instanceof FileTrouble) return { kind: 'missing' };
    const text = Buffer.from(read.bytes.buffer, read.bytes.byteOffset, read.bytes.byteLength).toString('utf8');
    const end = text.indexOf('\n');
    const json = text.slice(end + 1);
    if (end === -1 || text.slice(0, end) !== sha256Of(json)) return { kind: 'damaged' };
    const value = check(tryParseJson(json));
    return value === undefined ? { kind: 'missing' } : { kind: 'value', value };
  }

  /** Returns the reason if the file cannot be written. */
  write(file: string, value: unknown): string | undefined {
    const json = JSON.stringify(value);
    const text = `${sha256Of(json)}\n${json}`;
    const { maxBytes, isPrivate = false } = this.#options;
    if (Buffer.byteLength(text) > maxBytes) return `${file} would be larger than ${maxBytes} bytes`;
    return tryToWrite(() => this.#disk.replace(file, text, undefined, { strict: false, isPrivate }));
  }

  /** Returns the reason if the file exists and cannot be removed. */
  remove(file: string): string | undefined {
    return tryToWrite(() => this.#disk.remove(file));
  }

  /** Removes the oldest JSON files of a folder until it is within the limits. Files that cannot be removed stay. */
  prune(dir: string, { files: maxFiles, bytes: maxBytes = Infinity }: FolderLimits): void {
    const paths = entriesOf(this.#disk, dir).flatMap(({ name }) =>
      name.endsWith(SUFFIX) ? [path.join(dir, name)] : [],
    );
    if (maxBytes === Infinity && paths.length <= maxFiles) return;
    const files = paths.map((file) => {
      const { size = 0, mtimeMs = 0 } = findEntry(this.#disk, file)?.stamp ?? {};
      return { file, size, mtimeMs };
    });
    let count = files.length;
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (count <= maxFiles && bytes <= maxBytes) return;
      this.remove(file);
      count -= 1;
      bytes -= size;
    }
  }
}
