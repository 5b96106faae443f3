/**
 * Runs git. This is the only file that does. Servers control the content and amount of git's output, so it is streamed to the
 * receiver, which can stop git by throwing. Nothing here collects unbounded output.
 */
import { spawn } from 'node:child_process';
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

const GRACE_MS = 2_000;
const WATCH_MS = 100;
/** Only the end of the messages is kept, because it contains the reason for a failure. */
const STDERR_KEPT_CHARACTERS = 20_000;
/** Progress takes a few hundred bytes a second. A server can add more messages. */
const STDERR_MAX_BYTES = 16 * 1024 * 1024;

/** Resolves when git has exited without an error. */
export function runGit({ args, cwd, env, input = '', timeoutMs, signal, ...run }: GitRun): Promise<void> {
  if (signal?.aborted) return Promise.reject(interrupted());
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === 'win32';
    const child = spawn('git', args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // Without a terminal, no program started by git can prompt. As a process group, all of them can be stopped.
      detached: !isWindows,
    });
    let why: unknown;
    const end = (how: NodeJS.Signals): void => {
      try {
        if (isWindows || child.pid === undefined) child.kill(how);
        else process.kill(-child.pid, how);
      } catch {
        // The process has already exited.
      }
    };
    const giveUp = (error: unknown): void => {
      if (why !== undefined) return;
      why = error;
      end('SIGTERM');
      setTimeout(() => end('SIGKILL'), GRACE_MS).unref();
    };
    const guarded = (work: () => void): void => {
      if (why !== undefined) return;
      try {
        work();
      } catch (error) {
        giveUp(error);
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const restart = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => giveUp(new GitTrouble('', 'timeout')), timeoutMs);
    };
    restart();
    const watching = run.watch && setInterval(() => guarded(() => run.watch?.()), WATCH_MS);
    const abort = (): void => giveUp(interrupted());
    signal?.addEventListener('abort', abort, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      clearInterval(watching);
      signal?.removeEventListener('abort', abort);
    };
    let messages = '';
    let messageBytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      restart();
      guarded(() => run.onOutput(chunk));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      restart();
      guarded(() => {
        messageBytes += chunk.length;
        if (messageBytes > STDERR_MAX_BYTES) throw tooMuchOutput(STDERR_MAX_BYTES);
        const text = chunk.toString('utf8');
        messages = (messages + text).slice(-STDERR_KEPT_CHARACTERS);
        run.onProgress?.(text);
      });
    });
    // Git may exit before it has read all input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => {
      settle();
      reject('code' in error && error.code === 'ENOENT' ? noGit(error) : error);
    });
    child.on('close', (code) => {
      settle();
      if (code === 0) guarded(() => run.watch?.());
      if (why !== undefined) reject(why);
      else if (code === 0) resolve();
      else reject(new GitTrouble(messages));
    });
  });
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
