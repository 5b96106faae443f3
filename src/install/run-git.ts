/**
 * Runs git. This is the only file that does. Servers control the content and amount of git's output, so it is streamed to the
 * receiver, which can stop git by throwing. Nothing here collects unbounded output.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Failure } from '../core/failure.ts';
import { clip, grouped } from '../core/text.ts';

export type FetchReason = 'auth' | 'not-found' | 'ref' | 'timeout' | 'network' | 'tls';

/** Failure reasons by git message, most specific first. */
const REASONS: readonly (readonly [FetchReason, RegExp])[] = [
  ['tls', /SSL|TLS|certificate|gnutls/iu],
  [
    'auth',
    /could not read (?:Username|Password)|terminal prompts disabled|Authentication failed|Permission denied|Host key verification|HTTP (?:Basic: )?(?:401|403|Access denied)|returned error: (?:401|403)|access rights/iu,
  ],
  ['ref', /find remote ref|not our ref|unadvertised object|no such ref|bad object|unknown revision|Needed a single/iu],
  ['not-found', /not found|does not exist|not appear to be a git repository|returned error: 404|no such file/iu],
  ['timeout', /timed? ?out|too slow/iu],
  [
    'network',
    /resolve host|connect|unable to access|early EOF|RPC failed|hung up|unreachable|reset by peer|returned error: 5\d\d|closed/iu,
  ],
];

/** Thrown if git exits with an error. */
export class GitTrouble extends Error {
  readonly reason: FetchReason | undefined;

  constructor(stderr: string, reason?: FetchReason) {
    super(lastLines(stderr));
    this.reason = reason ?? REASONS.find(([, pattern]) => pattern.test(stderr))?.[0];
  }
}

function lastLines(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/u).filter((line) => /^(?:fatal|error|remote|ssh|warning):/iu.test(line));
  return clip(lines.slice(-3).join(' ') || 'git failed', 300);
}

export interface GitRun {
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  input?: string | undefined;
  /** Maximum time without output from git. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Called with standard output as it arrives. Throws to stop git, and the run then fails with that error. */
  onOutput(chunk: Buffer): void;
  /** Called with progress messages. */
  onProgress?(text: string): void;
  /** Called several times a second and once after git has exited. Throws to stop git, like `onOutput`. */
  watch?(): void;
}

const IS_WINDOWS = process.platform === 'win32';
const GRACE_MS = 2_000;
const WATCH_MS = 100;
/** Only the end of the messages is kept, because it contains the reason for a failure. */
const STDERR_KEPT_CHARACTERS = 20_000;
/** Progress takes a few hundred bytes a second. A server can add more messages. */
const STDERR_MAX_BYTES = 16 * 1024 * 1024;

/** Resolves when git has exited without an error. */
export async function runGit(run: GitRun): Promise<void> {
  if (run.signal?.aborted) throw interrupted();
  return new GitProcess(run).exited();
}

/** Stops git if a receiver throws, after a timeout without output, and on request. */
class GitProcess {
  readonly #run: GitRun;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #abort = (): void => this.#stop(interrupted());
  readonly #watching: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Why git was stopped. */
  #why: unknown;
  #messages = '';
  #messageBytes = 0;

  constructor(run: GitRun) {
    this.#run = run;
    const { args, cwd, env, input = '', signal } = run;
    this.#child = spawn('git', args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // Without a terminal, no program started by git can prompt. As a process group, all of them can be stopped.
      detached: !IS_WINDOWS,
    });
    this.#restartTimer();
    this.#watching = run.watch && setInterval(() => this.#guarded(() => run.watch?.()), WATCH_MS);
    signal?.addEventListener('abort', this.#abort, { once: true });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#restartTimer();
      this.#guarded(() => run.onOutput(chunk));
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#restartTimer();
      this.#guarded(() => this.#addMessages(chunk));
    });
    // Git may exit before it has read all input.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdin.end(input);
  }

  /** Must be called right after the constructor, because starting git may fail. */
  exited(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.on('error', (error) => {
        this.#settle();
        reject('code' in error && error.code === 'ENOENT' ? noGit(error) : error);
      });
      this.#child.on('close', (code) => {
        this.#settle();
        if (code === 0) this.#guarded(() => this.#run.watch?.());
        if (this.#why !== undefined) reject(this.#why);
        else if (code === 0) resolve();
        else reject(new GitTrouble(this.#messages));
      });
    });
  }

  #stop(error: unknown): void {
    if (this.#why !== undefined) return;
    this.#why = error;
    this.#kill('SIGTERM');
    setTimeout(() => this.#kill('SIGKILL'), GRACE_MS).unref();
  }

  #kill(how: NodeJS.Signals): void {
    const { pid } = this.#child;
    try {
      if (IS_WINDOWS || pid === undefined) this.#child.kill(how);
      else process.kill(-pid, how);
    } catch {
      // The process has already exited.
    }
  }

  #guarded(work: () => void): void {
    if (this.#why !== undefined) return;
    try {
      work();
    } catch (error) {
      this.#stop(error);
    }
  }

  #restartTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop(new GitTrouble('', 'timeout')), this.#run.timeoutMs);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#watching);
    this.#run.signal?.removeEventListener('abort', this.#abort);
  }

  #addMessages(chunk: Buffer): void {
    this.#messageBytes += chunk.length;
    if (this.#messageBytes > STDERR_MAX_BYTES) throw tooMuchOutput(STDERR_MAX_BYTES);
    const text = chunk.toString('utf8');
    this.#messages = (this.#messages + text).slice(-STDERR_KEPT_CHARACTERS);
    this.#run.onProgress?.(text);
  }
}

/** Joins output of at most `maxBytes`. */
export class BoundedOutput {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) throw tooMuchOutput(this.#maxBytes);
    this.#chunks.push(chunk);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

function tooMuchOutput(max: number): Failure {
  return new Failure('TOO_LARGE', `Git printed more than ${grouped(max)} bytes, so it was stopped.`, {
    facts: { maxBytes: max },
  });
}

function interrupted(): Failure {
  return new Failure('INTERRUPTED', 'Stopped before anything was written.');
}

function noGit(cause: unknown): Failure {
  return new Failure('FETCH_FAILED', 'Repositories are fetched with git, which is not installed here.', {
    hint: 'Install git, or install from a folder.',
    cause,
  });
}
