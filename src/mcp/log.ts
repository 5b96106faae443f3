/** How a server talks to the people who run it: never on standard output, which belongs to the protocol. */
export interface ServerLog {
  /** One line about normal operation. */
  info(text: string): void;
  /** One line about a problem. */
  warn(text: string): void;
  /** A bug of ours, with its stack. */
  bug(error: unknown): void;
}
