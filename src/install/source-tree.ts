/** The files of a source, whether it is a commit or a folder. */
import { Failure } from '../core/failure.ts';
import { type Limit, LIMITS } from '../core/limits.ts';
import { clip, echo, grouped } from '../core/text.ts';

export interface TreeEntry {
  /** `module` is a submodule, which is never fetched. */
  kind: 'file' | 'link' | 'module' | 'other';
  executable: boolean;
  /** Git object ID of the content. */
  oid?: string;
}

/** All entries below the root of a source, without folders. Paths use forward slashes. */
export interface SourceTree {
  entries: ReadonlyMap<string, TreeEntry>;
  /** Reads the bytes of files, or the targets of links. Fails with TOO_LARGE before reading more than `maxBytes`. */
  read(paths: readonly string[], maxBytes: number): Promise<Map<string, Uint8Array>>;
  /** Fetches files in advance, if the source needs fetching. */
  fetch?(paths: readonly string[], maxBytes: number): Promise<void>;
  /** Returns an ID of the content. Files with equal IDs have the same bytes. */
  contentId(file: string): string;
}

/** Collects the entries of a source incrementally. Fails with TOO_LARGE as soon as there are too many. */
export class EntryCollector {
  readonly entries = new Map<string, TreeEntry>();
  readonly #source: string;
  #count = 0;
  #characters = 0;

  /** `source` is the source name in messages. */
  constructor(source: string) {
    this.#source = source;
  }

  addFolder(path: string): void {
    this.#checkLimits(path);
  }

  add(path: string, entry: TreeEntry): void {
    this.#checkLimits(path);
    this.entries.set(path, entry);
  }

  /** Counts every record, because a hostile tree can repeat names. */
  #checkLimits(path: string): void {
    this.#count += 1;
    this.#characters += path.length;
    this.#hold(this.#count, LIMITS.sourceEntries, 'more than # files and folders');
    this.#hold(this.#characters, LIMITS.sourceListCharacters, 'paths of more than # characters in all');
    this.#hold(path.length, LIMITS.sourcePathCharacters, 'a path of more than # characters', path);
    this.#hold(levelsOf(path), LIMITS.sourceDepth, 'a path of more than # levels', path);
  }

  #hold(actual: number, { value: max }: Limit, what: string, path?: string): void {
    if (actual <= max) return;
    const place = path === undefined ? '' : `: ${echo(clip(path, 60))}`;
    throw new Failure('TOO_LARGE', `${echo(this.#source)} has ${what.replace('#', grouped(max))}${place}.`, {
      hint: 'Copy the skill folders that you need, and install from the copies.',
      facts: { max },
    });
  }
}

function levelsOf(path: string): number {
  let levels = 1;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) levels += 1;
  return levels;
}

export function tooManyBytes(bytes: number, max: number): Failure {
  return new Failure(
    'TOO_LARGE',
    `It has ${grouped(Math.round(bytes))} bytes; at most ${grouped(max)} are installed.`,
    { facts: { bytes: Math.round(bytes), maxBytes: max } },
  );
}
