/**
 * Requests that fail for a foreseen reason. Anything else that is thrown is a bug. The codes are stable: scripts and docs refer
 * to them.
 */
export const FAILURE_CODES = {
  USAGE: 'The command line or the input is invalid.',
  NOT_FOUND: 'No item has that name.',
  AMBIGUOUS: 'The name fits several items; the full names are listed.',
  REFUSED: 'It would overwrite or lose data, or it is not allowed.',
  INVALID_CONFIG: 'A configuration file is invalid.',
  INVALID_FILTER: 'An --include or --exclude token cannot be understood.',
  UNREADABLE: 'A requested file or folder cannot be read.',
  SKILL_CHANGING: 'The file of the skill is being written, and no earlier version was served. Try again in a moment.',
  UNWRITABLE: 'A file or folder cannot be written.',
  NO_INDEX: 'There is no usable search index. Build it first.',
  MODEL_UNAVAILABLE: 'The embedding model or endpoint cannot be used.',
  UNREACHABLE: 'The database or the server of the shared catalog does not answer.',
  CONFLICT: 'Another version was published in the meantime. Check it before you publish again.',
  CONFIRM_NEEDED: 'Confirmation is needed, but there is no terminal: use --yes, or --dry-run for a preview.',
  CHOICE_NEEDED: 'There are several choices, listed in `choices`, but there is no terminal to prompt on.',
  FETCH_FAILED:
    'A source cannot be fetched; `reason` is auth, not-found, ref, timeout, network or tls, if it is known.',
  TOO_LARGE:
    'A source, a skill or a lock file has more files or bytes than are allowed; the message gives the numbers.',
  UNSAFE: 'The skill has unsafe names, links or scan findings.',
  NO_LOCK: 'There is no lock file, so nothing is known to be installed.',
  LOCK_INVALID: 'The lock file is invalid, so nothing was written.',
  AGENT_FAILED: 'The agent that lectern try --with ran could not be started, or ended with an error.',
  INTERRUPTED: 'The work was stopped before it was done.',
  INTERNAL: 'A bug in Lectern. The details are on standard error.',
} as const;

export type FailureCode = keyof typeof FAILURE_CODES;

export interface FailureDetails {
  /** The next step, in one sentence. */
  hint?: string;
  /** The hint for models, if it differs: people have commands, models have tools. An empty text means no hint. */
  hintForModels?: string;
  /** Existing names, listed if a name was not found. */
  available?: Available;
  /** Similar names, best first. */
  suggestions?: readonly string[];
  /** The file that the failure is about, and the line if it is known. */
  path?: string;
  line?: number;
  /** Additional data for programs, such as the available choices. Each key appears next to the code. */
  facts?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** All names of one kind, such as "specs". */
export interface Available {
  noun: string;
  names(): readonly string[];
}

/** The audience of an error message. */
export type Audience = 'person' | 'model';

export class Failure extends Error {
  readonly code: FailureCode;
  readonly hint: string | undefined;
  readonly hintForModels: string | undefined;
  readonly available: Available | undefined;
  readonly suggestions: readonly string[];
  readonly path: string | undefined;
  readonly line: number | undefined;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.hint = details.hint;
    this.hintForModels = details.hintForModels;
    this.available = details.available;
    this.suggestions = details.suggestions ?? [];
    this.path = details.path;
    this.line = details.line;
    this.facts = details.facts ?? {};
  }
}

function hintFor({ hint, hintForModels }: Failure, audience: Audience): string | undefined {
  return (audience === 'model' ? (hintForModels ?? hint) : hint) || undefined;
}

/** An error in the public form: the same in `--json`, in tool results and in HTTP replies. */
export interface ExplainedError {
  code: FailureCode;
  message: string;
  hint?: string;
  suggestions?: string[];
  path?: string;
  line?: number;
  [fact: string]: unknown;
}

const bugIds = new WeakMap<object, string>();

/** Returns a short, stable ID of an error. The client gets it instead of the message, and the log has both. */
export function bugId(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'none';
  const id = bugIds.get(error) ?? globalThis.crypto.randomUUID().slice(0, 8);
  bugIds.set(error, id);
  return id;
}

/** Converts any thrown value to the public form. The message of an error that is not a Failure never leaves the process. */
export function explain(error: unknown, audience: Audience = 'person'): ExplainedError {
  if (!(error instanceof Failure)) {
    return {
      code: 'INTERNAL',
      ...(audience === 'model'
        ? { message: bugMessage(error), hint: 'The log of the server has the details.', id: bugId(error) }
        : {
            message: 'Something went wrong inside Lectern.',
            hint: 'Run again with --verbose to see the details.',
          }),
    };
  }
  const hint = hintFor(error, audience);
  return {
    ...error.facts,
    code: error.code,
    message: error.message,
    ...(hint === undefined ? {} : { hint }),
    ...(error.suggestions.length === 0 ? {} : { suggestions: [...error.suggestions] }),
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(error.line === undefined ? {} : { line: error.line }),
  };
}

/** Returns the only message about a bug that a client gets. */
export function bugMessage(error: unknown): string {
  return `Something went wrong inside Lectern (error ${bugId(error)}).`;
}
