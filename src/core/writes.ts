import type { Stamp } from './disk/tree.ts';

/** The few ways in which Lectern changes files. Each either happens or fails; none replaces a file unless it is told to. */
export interface FileWrites {
  /** Creates a file with its folders; fails with `exists` where something stands already. */
  create(path: string, text: string): void;
  /** Renames a file within its folder; fails with `exists` where the new name is taken and `replace` is false. */
  rename(from: string, to: string, options: { replace: boolean }): void;
  /**
   * Puts whole new content in the place of a file, or creates it with its folders. A reader, or a crash at any moment, finds
   * the old content or the new, never a part. Mode and owner stay; the path must be a real one, so that a link to it stays too.
   * `before` is the file as it was read: fails with `changed` where it is no longer that, with `exists` where there was none.
   */
  replace(path: string, content: Uint8Array, before: Stamp | undefined): void;
}

export class WriteTrouble extends Error {
  readonly reason: 'exists' | 'changed' | 'not-permitted' | 'missing' | 'io';
  readonly path: string;

  constructor(reason: WriteTrouble['reason'], path: string) {
    super(`${reason}: ${path}`);
    this.name = 'WriteTrouble';
    this.reason = reason;
    this.path = path;
  }
}
