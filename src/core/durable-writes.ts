/**
 * Writes for work that must not be left half done. Each call either has happened when it returns, on the disk and not only
 * in memory, or it throws a Failure. Kept apart from reading, so that a test can stop the world between any two of them.
 */
export interface DurableWrites {
  /** Creates a small file that nobody else has; false when it exists. The content is there from the first moment. */
  claim(path: string, text: string): boolean;
  /** Puts the whole content in place at once; the folders above are made. A reader sees the old file or the new one. */
  replace(path: string, bytes: Uint8Array): void;
  /** Renames a file or a folder to a place where nothing stands. */
  move(from: string, to: string): void;
  /** Removes a file; one that is not there is fine. */
  remove(path: string): void;
  /** Removes the folder and its parents below `stop` as long as they are empty. */
  prune(dir: string, stop: string): void;
  /** Removes a folder with all that is in it. */
  removeTree(dir: string): void;
  /** Whether a process of this number is running. */
  isAlive(pid: number): boolean;
}
