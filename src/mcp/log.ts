/** Where a server talks to the people who run it: never on standard output, which belongs to the protocol. */
export interface ServerLog {
  /** One line about the normal course of things. */
  info(text: string): void;
  /** One line that somebody should read. */
  warn(text: string): void;
  /** A bug of ours, whole. */
  bug(error: unknown): void;
}
