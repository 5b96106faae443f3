/** The few ways in which Lectern changes files. Each either happens or fails; none replaces a file unless it is told to. */
export interface FileWrites {
  /** Creates a file with its folders; fails with `exists` where something stands already. */
  create(path: string, text: string): void;
  /** Renames a file within its folder; fails with `exists` where the new name is taken and `replace` is false. */
  rename(from: string, to: string, options: { replace: boolean }): void;
}

export class WriteTrouble extends Error {
  readonly reason: 'exists' | 'not-permitted' | 'missing' | 'io';
  readonly path: string;

  constructor(reason: WriteTrouble['reason'], path: string) {
    super(`${reason}: ${path}`);
    this.name = 'WriteTrouble';
    this.reason = reason;
    this.path = path;
  }
}
