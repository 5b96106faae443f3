/** Runs a program once, in a process group that is ended with it, and passes on its output line by line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Failure } from '../../core/failure.ts';

export interface ProgramRun {
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Returns true to end the program. */
  onLine(line: string): boolean;
}

export interface ProgramEnd {
  /** The program itself, `onLine`, the time limit, or too much output. */
  by: 'itself' | 'reader' | 'time' | 'output';
  code: number | null;
  /** The end of its messages on standard error. */
  messages: string;
}

const IS_WINDOWS = process.platform === 'win32';
const GRACE_MS = 2_000;
const MESSAGE_CHARACTERS = 4_000;
/** Longer lines are skipped. A loaded skill takes at most a megabyte, and JSON may double it. */
const LINE_BYTES = 4 * 1024 * 1024;
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** Fails if the program cannot be started, and with INTERRUPTED after the signal. */
export async function runOnce(run: ProgramRun): Promise<ProgramEnd> {
  if (run.signal?.aborted) throw interrupted();
  const child = spawn(run.command, run.args, {
    cwd: run.cwd,
    env: run.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    detached: !IS_WINDOWS,
  });
  let by: ProgramEnd['by'] = 'itself';
  let isAborted = false;
  let forced: NodeJS.Timeout | undefined;
  const stop = (reason: ProgramEnd['by']): void => {
    if (by !== 'itself' || isAborted) return;
    by = reason;
    endGroup(child, 'SIGTERM');
    forced = setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS);
  };
  const abort = (): void => {
    stop('reader');
    isAborted = true;
  };
  const timer = setTimeout(() => stop('time'), run.timeoutMs);
  run.signal?.addEventListener('abort', abort, { once: true });
  let messages = '';
  child.stderr.on('data', (chunk: Buffer) => {
    messages = (messages + chunk.toString('utf8')).slice(-MESSAGE_CHARACTERS);
  });
  const lines = new Lines((line) => {
    if (by === 'itself' && run.onLine(line)) stop('reader');
  });
  child.stdout.on('data', (chunk: Buffer) => {
    if (by !== 'itself') return;
    lines.add(chunk);
    if (lines.bytes > OUTPUT_BYTES) stop('output');
  });
  try {
    const code = await exitOf(child);
    lines.end();
    if (isAborted) throw interrupted();
    return { by, code, messages };
  } finally {
    clearTimeout(timer);
    clearTimeout(forced);
    run.signal?.removeEventListener('abort', abort);
    // Programs that it started may still run, and hold the pipes open.
    endGroup(child, 'SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Waits for the end of the program and then for its last output, but not for programs that it leaves behind. */
function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      endGroup(child, 'SIGKILL');
      const late = setTimeout(() => resolve(code), GRACE_MS);
      child.once('close', () => {
        clearTimeout(late);
        resolve(code);
      });
    });
  });
}

function endGroup(child: ChildProcess, how: NodeJS.Signals): void {
  try {
    if (IS_WINDOWS || child.pid === undefined) child.kill(how);
    else process.kill(-child.pid, how);
  } catch {
    // No process of the group is left.
  }
}

/** Splits output into lines. */
class Lines {
  bytes = 0;
  readonly #take: (line: string) => void;
  #parts: Buffer[] = [];
  #held = 0;

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#hold(chunk.subarray(from, at));
      this.end();
      from = at + 1;
    }
    this.#hold(chunk.subarray(from));
  }

  /** Passes on the line that was read so far. */
  end(): void {
    if (this.#held > 0 && this.#held <= LINE_BYTES) this.#take(Buffer.concat(this.#parts).toString('utf8').trim());
    this.#parts = [];
    this.#held = 0;
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > LINE_BYTES) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }
}

function interrupted(): Failure {
  return new Failure('INTERRUPTED', 'Stopped, and the agent was ended.');
}
