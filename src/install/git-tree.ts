/** Parses the output of `git ls-tree -r -t -z` incrementally. */
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';
import { EntryCollector, type TreeEntry } from './source-tree.ts';

/** Maximum length of a valid record: a mode, a kind, an ID, and four bytes for each character of a path. */
const RECORD_MAX_BYTES = 128 + 4 * LIMITS.sourcePathCharacters.value;
const TAB = 9;

export class GitTreeReader {
  readonly #source: string;
  readonly #collector: EntryCollector;
  readonly #folders = new Set<string>();
  #rest: Buffer = Buffer.alloc(0);

  /** `source` is the repository name in messages. */
  constructor(source: string) {
    this.#source = source;
    this.#collector = new EntryCollector(source);
  }

  /** Fails with TOO_LARGE or UNSAFE. */
  add(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      this.#addRecord(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    // A longer record is refused because of its path, so it does not have to be complete.
    if (this.#rest.length > RECORD_MAX_BYTES) this.#addRecord(this.#rest);
  }

  entries(): ReadonlyMap<string, TreeEntry> {
    return this.#collector.entries;
  }

  #addRecord(record: Buffer): void {
    const tab = record.indexOf(TAB);
    if (tab === -1)
      throw new Failure('FETCH_FAILED', `Git listed the files of ${echo(this.#source)} in an unknown form.`);
    const [mode = '', , oid = ''] = record.toString('latin1', 0, Math.min(tab, RECORD_MAX_BYTES)).split(' ', 3);
    // Invalid UTF-8 becomes a character that is not allowed in names.
    const path = record.toString('utf8', tab + 1);
    const isKnown = this.#folders.has(path) || this.#collector.entries.has(path);
    // Different names with invalid UTF-8 can look the same. They are never installed.
    if (isKnown && !path.includes('\ufffd')) throw this.#repeated(path);
    if (mode === '040000') {
      this.#collector.addFolder(path);
      this.#folders.add(path);
    } else this.#collector.add(path, { kind: kindOf(mode), executable: mode === '100755', oid });
  }

  #repeated(path: string): Failure {
    return new Failure('UNSAFE', `${echo(this.#source)} has two entries called ${echo(path)}.`, {
      facts: { file: path },
    });
  }
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode === '120000') return 'link';
  if (mode === '160000') return 'module';
  return mode.startsWith('100') ? 'file' : 'other';
}
