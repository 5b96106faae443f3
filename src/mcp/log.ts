/** Log for the operator of a server. It never uses standard output, which belongs to the protocol. */
export interface ServerLog {
  /** Logs one line about normal operation. */
  info(text: string): void;
  /** Logs one line about a problem. */
  warn(text: string): void;
  /** Logs a bug in Lectern with its stack. */
  bug(error: unknown): void;
}
