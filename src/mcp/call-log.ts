/**
 * Logs errors with their request: failed reads and expected failures with code and path, bugs with their stack. Clients get the
 * message of an expected failure. For a bug, they get a neutral sentence with the ID of the log entry.
 */
import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type FileTrouble, reasonText } from '../core/disk/tree.ts';
import { systemCodeOf } from '../core/disk/answers.ts';
import { bugMessage, Failure } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { clip, count, echo, oneLine } from '../core/text.ts';
import type { ServerLog } from './log.ts';

/** Maximum number of failed reads that are logged individually for a request. */
const READS_LOGGED = 10;
/** Maximum length of a logged message, which may quote text from the client. */
const MESSAGE_CHARACTERS = 500;

interface Place {
  path?: string | undefined;
  systemCode?: string | undefined;
}

/** A request in progress. */
interface Answering {
  name: string;
  /** Paths that could not be read since it arrived. */
  failedReads: Set<string>;
}

export class CallLog {
  readonly #log: ServerLog;
  readonly #logsFailures: boolean;
  readonly #answering = new Set<Answering>();

  /** `logsFailures` is false for a shared catalog: its request log has the outcome, and text from callers is not logged. */
  constructor(log: ServerLog, { logsFailures }: { logsFailures: boolean }) {
    this.#log = log;
    this.#logsFailures = logsFailures;
  }

  /** Reports a failed read to every pending request. Background scans are reported separately. */
  failedRead(trouble: FileTrouble): void {
    const concerned = [...this.#answering].filter(({ failedReads }) => !failedReads.has(trouble.path));
    for (const { failedReads } of concerned) failedReads.add(trouble.path);
    const names = concerned.filter(({ failedReads }) => failedReads.size <= READS_LOGGED).map(({ name }) => name);
    if (names.length > 0) this.#warn([...new Set(names)].join(', '), 'UNREADABLE', reasonText(trouble), trouble);
  }

  /** Logs the error of a failed request. */
  failed(name: string, error: unknown): void {
    if (error instanceof Failure) {
      if (this.#logsFailures)
        this.#warn(name, error.code, error.message, { path: error.path, systemCode: systemCodeOf(error.cause) });
    } else if (error instanceof ProtocolError) {
      if (this.#logsFailures) this.#warn(name, String(error.code), error.message);
    } else {
      this.#log.warn(`${name} failed`);
      this.#log.bug(error);
    }
  }

  async during<T>(name: string, answer: () => T | Promise<T>): Promise<T> {
    const request: Answering = { name, failedReads: new Set() };
    this.#answering.add(request);
    try {
      return await answer();
    } finally {
      this.#answering.delete(request);
      const more = request.failedReads.size - READS_LOGGED;
      if (more > 0) this.#log.warn(`${name}: UNREADABLE: ${count(more, 'more path')}`);
    }
  }

  #warn(name: string, code: string, message: string, { path, systemCode }: Place = {}): void {
    const shownPath = path === undefined || message.includes(path) ? [] : [path];
    const details = [...(systemCode === undefined ? [] : [systemCode]), ...shownPath].join(', ');
    const text = clip(oneLine(message), MESSAGE_CHARACTERS);
    this.#log.warn(`${name}: ${code}: ${text}${details === '' ? '' : ` (${details})`}`);
  }
}

type Handler = (request: unknown, context: unknown) => unknown;

/** Wraps every handler that is added to the server afterwards, to log its errors. */
export function logErrors({ server }: McpServer, calls: CallLog): void {
  const add = server.setRequestHandler.bind(server) as (method: string, ...rest: unknown[]) => void;
  const guarded = (method: string, ...rest: unknown[]): void => {
    const handle = rest.pop() as Handler;
    add(method, ...rest, (request: unknown, context: unknown) => {
      const name = nameOf(method, request);
      return calls.during(name, async () => {
        try {
          return await handle(request, context);
        } catch (error) {
          calls.failed(name, error);
          throw protocolError(error);
        }
      });
    });
  };
  server.setRequestHandler = guarded as typeof server.setRequestHandler;
}

/** Returns the tool name of a tool call, otherwise the method. */
function nameOf(method: string, request: unknown): string {
  const params = isRecord(request) ? request['params'] : undefined;
  const tool = method === 'tools/call' && isRecord(params) ? params['name'] : undefined;
  return typeof tool === 'string' ? echo(tool) : method;
}

/** Codes of failures that the client can correct. */
const CORRECTABLE = new Set<string>(['USAGE', 'NOT_FOUND', 'AMBIGUOUS', 'REFUSED', 'INVALID_FILTER']);

/** Replaces errors, because the SDK would send any error message to the client, including paths. */
function protocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof Failure)) return new ProtocolError(ProtocolErrorCode.InternalError, bugMessage(error));
  const code = CORRECTABLE.has(error.code) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, [error.message, error.hint].filter((part) => part !== undefined).join(' '));
}
