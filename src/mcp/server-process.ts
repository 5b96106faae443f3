/**
 * Starts the program of an MCP server, exchanges messages with it, and ends it with everything that it started. Time and output are
 * bounded.
 */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { isRecord, tryParseJson } from '../core/json-file.ts';
import { clip, oneLine } from '../core/text.ts';
import { type Channel, NoServerAnswer, replyOf } from './channel.ts';

export interface ProgramStart {
  command: string;
  args: readonly string[];
  dir: string;
  environment: NodeJS.ProcessEnv;
  /** Ends the exchange. Its reason is an error. */
  signal: AbortSignal;
  maxBytes: number;
}

const IS_WINDOWS = process.platform === 'win32';
/** A program that serves a container, for example, needs a moment to end it. */
const ENDS_WITHIN_MS = 1_000;
const STOPS_WITHIN_MS = 2_000;
const POLL_MS = 20;
const STDERR_KEPT_CHARACTERS = 2_000;
const REASON_CHARACTERS = 200;

export class ServerProcess implements Channel {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #signal: AbortSignal;
  readonly #maxBytes: number;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  readonly #abort = (): void => this.#fail(this.#signal.reason);
  readonly #ended = (): void =>
    this.#fail(new NoServerAnswer(lastLine(this.#messages) || 'it ended without an answer'));
  #isRunning = true;
  /** Why no further message arrives. */
  #why: Error | undefined;
  #messages = '';
  /** Output without a line break so far. */
  #parts: Buffer[] = [];
  #bytes = 0;
  #lastId = 0;

  constructor({ command, args, dir, environment, signal, maxBytes }: ProgramStart) {
    this.#signal = signal;
    this.#maxBytes = maxBytes;
    this.#child = startProgram(command, args, dir, environment);
    this.#child.once('error', (error) => this.#fail(new NoServerAnswer(whyNotStarted(error, command))));
    this.#child.once('exit', () => {
      this.#isRunning = false;
      // A program that it started may keep the pipes open.
      setTimeout(this.#ended, ENDS_WITHIN_MS).unref();
    });
    this.#child.once('close', this.#ended);
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#messages = (this.#messages + chunk.toString('utf8')).slice(-STDERR_KEPT_CHARACTERS);
      this.#count(chunk);
    });
    // The process may end before reading its input.
    this.#child.stdin.on('error', () => undefined);
    signal.addEventListener('abort', this.#abort, { once: true });
    if (signal.aborted) this.#abort();
  }

  request(method: string, params: object): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#why) return reject(this.#why);
      this.#waiting.set(id, { resolve, reject });
      this.#write({ jsonrpc: '2.0', id, method, params });
    });
  }

  async notify(method: string): Promise<void> {
    this.#write({ jsonrpc: '2.0', method });
  }

  /** Ends the program and everything that it started. Returns when they have ended. */
  async end(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#fail(new NoServerAnswer('it was stopped'));
    const { pid } = this.#child;
    if (pid !== undefined) {
      const below = await descendantsOf(pid);
      this.#child.stdin.end();
      await waitUntil(() => !this.#isRunning, ENDS_WITHIN_MS);
      if (IS_WINDOWS) await run('taskkill', ['/pid', String(pid), '/T', '/F']);
      for (const [signal, waitMs] of [
        ['SIGTERM', STOPS_WITHIN_MS],
        ['SIGKILL', STOPS_WITHIN_MS],
      ] as const) {
        if (IS_WINDOWS || !isAlive(-pid, below)) break;
        for (const each of [-pid, ...below]) send(each, signal);
        await waitUntil(() => !isAlive(-pid, below), waitMs);
      }
    }
    // A process that got away may hold the pipes open, which would keep this one running.
    for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) pipe.destroy();
    this.#child.unref();
  }

  #write(message: object): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #count(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.#fail(new NoServerAnswer(`it sent more than ${this.#maxBytes} bytes`));
  }

  #receive(chunk: Buffer): void {
    this.#count(chunk);
    if (this.#why) return;
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = Buffer.concat([...this.#parts, rest.subarray(0, end)]);
      this.#parts = [];
      rest = rest.subarray(end + 1);
      this.#take(tryParseJson(line.toString('utf8')));
    }
    if (rest.length > 0) this.#parts.push(rest);
  }

  /** Other output is ignored: some programs print a greeting. */
  #take(message: unknown): void {
    if (!isRecord(message)) return;
    const { id, method } = message;
    if (typeof method === 'string') {
      if (id === undefined) return;
      const answer = method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } };
      this.#write({ jsonrpc: '2.0', id, ...answer });
      return;
    }
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (!waiting) return;
    this.#waiting.delete(Number(id));
    try {
      waiting.resolve(replyOf(message));
    } catch (error) {
      waiting.reject(error as Error);
    }
  }

  #fail(reason: Error): void {
    if (this.#why) return;
    this.#why = reason;
    this.#parts = [];
    // Without a reader, the program cannot fill the memory of this one.
    this.#child.stdout.pause();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

function startProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): ChildProcessWithoutNullStreams {
  try {
    return spawn(command, args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // As a process group, it can be ended with everything that it starts.
      detached: !IS_WINDOWS,
    });
  } catch (error) {
    // Node.js refuses some values, such as words with a NUL.
    throw new NoServerAnswer(whyNotStarted(error as Error, command));
  }
}

function whyNotStarted(error: Error & { code?: unknown }, command: string): string {
  if (error.code === 'ENOENT') return `its command ${clip(oneLine(command), REASON_CHARACTERS)} was not found`;
  return `it could not be started: ${clip(oneLine(error.message), REASON_CHARACTERS)}`;
}

function lastLine(text: string): string {
  return clip(oneLine(text.trim().split('\n').at(-1) ?? ''), REASON_CHARACTERS);
}

/** Returns processes that a process started, also those that left its group. Their parents may end before they do. */
async function descendantsOf(pid: number): Promise<number[]> {
  if (IS_WINDOWS) return [];
  const children = new Map<number, number[]>();
  for (const line of (await run('ps', ['-A', '-o', 'pid=,ppid='])).split('\n')) {
    const [child, parent] = line.trim().split(/\s+/u).map(Number);
    if (child && parent) children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found = new Set<number>();
  for (const queue = [pid]; queue.length > 0;)
    for (const child of children.get(queue.pop() ?? 0) ?? [])
      if (!found.has(child)) {
        found.add(child);
        queue.push(child);
      }
  return [...found];
}

/** Returns the output of a program of the system. Empty if it fails. */
function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: STOPS_WITHIN_MS, maxBuffer: 16 * 1024 * 1024, windowsHide: true }, (_, output) =>
      resolve(output),
    );
  });
}

function isAlive(group: number, processes: readonly number[]): boolean {
  return [group, ...processes].some((each) => send(each, 0));
}

function send(to: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(to, signal);
    return true;
  } catch {
    return false;
  }
}

async function waitUntil(isDone: () => boolean, maxMs: number): Promise<void> {
  const until = performance.now() + maxMs;
  while (!isDone() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
