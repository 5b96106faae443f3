/** What a source looks like to the rest of the room, whether it is a commit or a folder. */
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { echo, grouped } from '../core/text.ts';

export interface TreeEntry {
  /** `module` is another repository inside this one, which is never fetched. */
  kind: 'file' | 'link' | 'module' | 'other';
  executable: boolean;
  /** The id of the content in git. */
  oid?: string;
}

/** Everything below the root of a source, without folders. Paths have forward slashes. */
export interface SourceTree {
  entries: ReadonlyMap<string, TreeEntry>;
  /** The bytes of files, or the texts of links. Fails with TOO_LARGE before it reads more than `maxBytes`. */
  read(paths: readonly string[], maxBytes: number): Promise<Map<string, Uint8Array>>;
  /** Fetches files that will be read, if they have to be fetched. */
  fetch?(paths: readonly string[], maxBytes: number): Promise<void>;
  /** Whether two files have the same bytes. */
  sameFile(a: string, b: string): Promise<boolean>;
}

export function tooManyBytes(bytes: number, max: number): Failure {
  return new Failure(
    'TOO_LARGE',
    `It has ${grouped(Math.round(bytes))} bytes; at most ${grouped(max)} are installed.`,
    { facts: { bytes: Math.round(bytes), maxBytes: max } },
  );
}

export function tooManyEntries(place: string): Failure {
  const max = LIMITS.sourceEntries.value;
  return new Failure('TOO_LARGE', `${echo(place)} has more than ${grouped(max)} files.`, {
    facts: { maxEntries: max },
  });
}
