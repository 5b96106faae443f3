/**
 * The only file that starts git. It fetches one commit into a bare repository that is thrown away, and reads it there. Nothing is
 * checked out, so hooks, filters, LFS, line endings, links and disks that ignore case have no part in it. The user's proxies,
 * keys and credential helpers work as always, but nothing may ask a question.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { clip, echo } from '../core/text.ts';
import { type GitSource, isCommit } from './source.ts';
import { type SourceTree, tooManyBytes, tooManyEntries, type TreeEntry } from './source-tree.ts';

export interface GitOptions {
  /** For the temporary repository. */
  disk: Disk;
  environment: Readonly<Record<string, string | undefined>>;
  /** How long git may be silent. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Called with the bytes received so far. */
  onReceived?: ((bytes: number) => void) | undefined;
}

export type FetchReason = 'auth' | 'not-found' | 'ref' | 'timeout' | 'network' | 'tls';

export interface FetchedSource {
  ref: string | null;
  commit: string | null;
  /** The path that was asked for, below the tree. */
  path: string;
  tree: SourceTree;
  /** Removes what was fetched. */
  close(): void;
}

const REMOTE = 'lectern-source';
const WANTED = 'refs/lectern/wanted';

/** What each message of git means, the most telling first. */
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

const REASON_TEXTS: Record<FetchReason, string> = {
  auth: 'it needs credentials, and nobody can be asked for them; or it does not exist',
  'not-found': 'there is no such repository',
  ref: 'the repository has no such branch, tag or commit',
  timeout: 'the server did not answer in time',
  network: 'the server cannot be reached',
  tls: 'its certificate is not trusted, or the encrypted connection failed',
};

const HINTS: Record<FetchReason, string> = {
  auth: 'Check the spelling, and that git fetch works there: a credential helper or an SSH agent has to provide the credentials.',
  'not-found': 'Check the spelling. A folder is written with a dot: ./folder.',
  ref: 'Check what comes after #.',
  timeout: 'Try again, or allow more with --timeout.',
  network: 'Check the address and the network.',
  tls: 'Check the address and the certificates that git trusts.',
};

/** Git ended with an error. */
class GitTrouble extends Error {
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

/** The refs of a repository that a source could mean: full name to commit. */
export async function listRefs(source: GitSource, options: GitOptions): Promise<Map<string, string>> {
  const names =
    source.refAndPath !== undefined
      ? []
      : source.ref === null
        ? ['HEAD']
        : [source.ref, `refs/heads/${source.ref}`, `refs/tags/${source.ref}`, `refs/tags/${source.ref}^{}`];
  return failing(source, async () => {
    const git = await new Git(source, options).prepare();
    const { stdout } = await git.run([...git.remote(), 'ls-remote', '--quiet', REMOTE, ...names]);
    const lines = stdout.toString('utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]));
  });
}

/** Fetches the trees of one commit. Files are fetched when they are read, and only those. */
export async function fetchGit(source: GitSource, options: GitOptions): Promise<FetchedSource> {
  return failing(source, async () => {
    const { ref, path: below } = await placeIn(source, options);
    const git = await new Git(source, options).prepare();
    try {
      await git.create();
      const commit = await git.fetchCommit(ref);
      return { ref, commit, path: below, tree: await git.readTree(commit), close: () => git.remove() };
    } catch (error) {
      git.remove();
      throw error;
    }
  });
}

async function placeIn(source: GitSource, options: GitOptions): Promise<{ ref: string | null; path: string }> {
  const { refAndPath } = source;
  if (refAndPath === undefined) return source;
  const parts = refAndPath.split('/');
  const placed = (length: number): { ref: string; path: string } => ({
    ref: parts.slice(0, length).join('/'),
    path: source.path || parts.slice(length).join('/'),
  });
  if (isCommit(parts[0] ?? null)) return placed(1);
  const refs = await listRefs(source, options);
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('/');
    if (refs.has(`refs/heads/${name}`) || refs.has(`refs/tags/${name}`)) return placed(length);
  }
  return placed(1);
}

async function failing<T>(source: GitSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    const { reason } = error;
    if (reason === 'ref' && source.ref === null)
      throw new Failure(
        'FETCH_FAILED',
        `Cannot fetch ${echo(source.url)}: the repository is empty, or has no default branch.`,
        {
          hint: 'Name a branch, a tag or a commit: add # and its name.',
          facts: { reason, source: { url: source.url, ref: null, path: source.path }, details: error.message },
          cause: error,
        },
      );
    const what = reason === 'ref' ? `${echo(source.url)}#${echo(source.ref ?? '')}` : echo(source.url);
    throw new Failure(
      'FETCH_FAILED',
      `Cannot fetch ${what}: ${reason === undefined ? echo(error.message) : REASON_TEXTS[reason]}.`,
      {
        ...(reason === undefined ? {} : { hint: HINTS[reason] }),
        facts: {
          ...(reason === undefined ? {} : { reason }),
          source: { url: source.url, ref: source.ref, path: source.path },
          details: error.message,
        },
        cause: error,
      },
    );
  }
}

const OFF = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=',
  'credential.interactive=false',
  'protocol.version=2',
  'fetch.recurseSubmodules=false',
  'submodule.recurse=false',
  'fetch.writeCommitGraph=false',
  'fetch.fsckObjects=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** Variables of git that say how to reach servers. All others could point git at another repository or program. */
const KEPT_VARIABLES =
  /^GIT_(?:SSH(?:_COMMAND|_VARIANT)?|SSL_\w+|PROXY_SSL_\w+|HTTP_\w+|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH)$/u;

const GRACE_MS = 2_000;
/** More is not kept of what git says. */
const STDERR_MAX_CHARACTERS = 20_000;

class Git {
  readonly #source: GitSource;
  readonly #options: GitOptions;
  #dir: string | undefined;
  #sshCommand = '';

  constructor(source: GitSource, options: GitOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Commands for ssh are settings of the user and may name a key, so they are kept. */
  async prepare(): Promise<this> {
    if (/^(?:https?|file):/u.test(this.#source.url)) return this;
    const asked = this.run(['config', '--get', 'core.sshCommand']).catch((error: unknown) => {
      if (error instanceof GitTrouble) return undefined;
      throw error;
    });
    this.#sshCommand = (await asked)?.stdout.toString('utf8').trim() ?? '';
    return this;
  }

  async create(): Promise<void> {
    this.#dir = this.#options.disk.createTemporaryFolder('lectern-fetch');
    await this.run(['init', '--quiet', '--bare', '--template=', '--', this.#dir]);
  }

  remove(): void {
    if (this.#dir !== undefined) this.#options.disk.removeTree(this.#dir);
    this.#dir = undefined;
  }

  /** Settings instead of arguments, so that the URL can never be an option. */
  remote(filter = true): string[] {
    return [
      '-c',
      `remote.${REMOTE}.url=${this.#source.url}`,
      ...(filter
        ? ['-c', `remote.${REMOTE}.promisor=true`, '-c', `remote.${REMOTE}.partialclonefilter=blob:none`]
        : []),
    ];
  }

  async fetchCommit(ref: string | null): Promise<string> {
    const wanted = ref ?? 'HEAD';
    const isShort = /^[0-9a-f]{7,39}$/u.test(wanted);
    try {
      await this.#fetchWithFallbacks([`+${wanted}:${WANTED}`]);
    } catch (error) {
      // A server may give commits only as part of its branches.
      if (!(error instanceof GitTrouble) || error.reason !== 'ref' || !(isCommit(ref) || isShort)) throw error;
      await this.#fetch(
        ['--filter=blob:none'],
        ['+refs/heads/*:refs/lectern/heads/*', '+refs/tags/*:refs/lectern/tags/*'],
      );
      return this.#commitNamed(wanted);
    }
    return this.#commitNamed(WANTED);
  }

  async #commitNamed(name: string): Promise<string> {
    const { stdout } = await this.run(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`]);
    return stdout.toString('utf8').trim();
  }

  async #fetchWithFallbacks(refspecs: readonly string[]): Promise<void> {
    const attempts = [['--depth=1', '--filter=blob:none'], ['--depth=1'], []];
    for (const [index, how] of attempts.entries()) {
      try {
        return await this.#fetch(how, refspecs);
      } catch (error) {
        // Old and plain servers know neither. They say so in ways that mean nothing else.
        const isLast = index === attempts.length - 1;
        if (isLast || !(error instanceof GitTrouble) || error.reason !== undefined) throw error;
      }
    }
  }

  async #fetch(how: readonly string[], refspecs: readonly string[], maxBytes = Infinity): Promise<void> {
    const filters = how.some((flag) => flag.startsWith('--filter'));
    await this.run(
      [
        ...this.remote(filters),
        '-c',
        'fetch.negotiationAlgorithm=noop',
        'fetch',
        '--progress',
        '--no-tags',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
        '--stdin',
        ...how,
        '--end-of-options',
        REMOTE,
      ],
      { input: `${refspecs.join('\n')}\n`, maxReceived: maxBytes },
    );
  }

  async readTree(commit: string): Promise<SourceTree> {
    const { stdout } = await this.run(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
    const entries = new Map<string, TreeEntry>();
    for (let at = 0; at < stdout.length;) {
      const end = stdout.indexOf(0, at);
      const tab = stdout.indexOf(9, at);
      const [mode = '', , oid = ''] = stdout.toString('latin1', at, tab).split(' ');
      // Bytes that are not UTF-8 become a character that no name may have.
      entries.set(stdout.toString('utf8', tab + 1, end), { kind: kindOf(mode), executable: mode === '100755', oid });
      at = end + 1;
      if (entries.size > LIMITS.sourceEntries.value) throw tooManyEntries(this.#source.url);
    }
    return {
      entries,
      read: (paths, maxBytes) => this.#read(entries, paths, maxBytes),
      fetch: (paths, maxBytes) => failing(this.#source, () => this.#fetchMissing(oidsOf(entries, paths), maxBytes)),
      sameFile: sameOid(entries),
    };
  }

  async #read(
    entries: ReadonlyMap<string, TreeEntry>,
    paths: readonly string[],
    maxBytes: number,
  ): Promise<Map<string, Uint8Array>> {
    const oids = oidsOf(entries, paths);
    await failing(this.#source, () => this.#fetchMissing(oids, maxBytes));
    const sizes = await this.#sizes(oids);
    let total = 0;
    for (const file of paths) total += sizes.get(entries.get(file)?.oid ?? '') ?? 0;
    if (total > maxBytes) throw tooManyBytes(total, maxBytes);
    const { stdout } = await this.run(['cat-file', '--batch'], { input: `${oids.join('\n')}\n` });
    const contents = new Map<string, Uint8Array>();
    for (let at = 0; at < stdout.length;) {
      const end = stdout.indexOf(10, at);
      const [oid = '', , size = ''] = stdout.toString('latin1', at, end).split(' ');
      contents.set(oid, stdout.subarray(end + 1, end + 1 + Number(size)));
      at = end + 2 + Number(size);
    }
    return new Map(
      paths.flatMap((file) => {
        const bytes = contents.get(entries.get(file)?.oid ?? '');
        return bytes ? [[file, bytes]] : [];
      }),
    );
  }

  /** The sizes of the objects that are here. */
  async #sizes(oids: readonly string[]): Promise<Map<string, number>> {
    const { stdout } = await this.run(['cat-file', '--batch-check'], { input: `${oids.join('\n')}\n` });
    const lines = stdout.toString('latin1').split('\n').filter(Boolean);
    return new Map(
      lines.flatMap((line) => {
        const [oid = '', kind, size] = line.split(' ');
        return kind === 'blob' ? [[oid, Number(size)]] : [];
      }),
    );
  }

  async #fetchMissing(oids: readonly string[], maxBytes: number): Promise<void> {
    if (oids.length === 0) return;
    const here = await this.#sizes(oids);
    const missing = oids.filter((oid) => !here.has(oid));
    if (missing.length === 0) return;
    try {
      await this.#fetch(['--filter=blob:none'], missing, maxBytes);
    } catch (error) {
      if (!(error instanceof GitTrouble) || (error.reason !== undefined && error.reason !== 'ref')) throw error;
      // The server filters, but does not give single files. So everything has to be fetched, into a new repository.
      const commit = await this.#commitNamed(WANTED);
      this.remove();
      await this.create();
      await this.#fetch(['--depth=1'], [`+${commit}:${WANTED}`]);
    }
  }

  run(
    args: readonly string[],
    { input = '', maxReceived = Infinity }: { input?: string; maxReceived?: number } = {},
  ): Promise<{ stdout: Buffer }> {
    const { signal, timeoutMs, onReceived } = this.#options;
    if (signal?.aborted) return Promise.reject(interrupted());
    const all = [
      ...OFF.flatMap((setting) => ['-c', setting]),
      ...(this.#dir === undefined ? [] : [`--git-dir=${this.#dir}`]),
      ...args,
    ];
    return new Promise((resolve, reject) => {
      const isWindows = process.platform === 'win32';
      const child = spawn('git', all, {
        cwd: this.#dir ?? path.parse(path.resolve('/')).root,
        env: this.#variables(),
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
        // Without a terminal, no program that git starts can ask on it. As a group, all of them can be ended.
        detached: !isWindows,
      });
      const stop = (): void => {
        const end = (how: NodeJS.Signals): void => {
          try {
            if (isWindows || child.pid === undefined) child.kill(how);
            else process.kill(-child.pid, how);
          } catch {
            // It has ended by itself.
          }
        };
        end('SIGTERM');
        setTimeout(() => end('SIGKILL'), GRACE_MS).unref();
      };
      let why: Error | undefined;
      const giveUp = (error: Error): void => {
        why ??= error;
        stop();
      };
      let timer: NodeJS.Timeout | undefined;
      const restart = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => giveUp(new GitTrouble('', 'timeout')), timeoutMs);
      };
      restart();
      const abort = (): void => giveUp(interrupted());
      signal?.addEventListener('abort', abort, { once: true });
      const out: Buffer[] = [];
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        restart();
        out.push(chunk);
      });
      child.stderr.on('data', (chunk: Buffer) => {
        restart();
        const text = chunk.toString('utf8');
        said = (said + text).slice(-STDERR_MAX_CHARACTERS);
        const received = receivedBytes(text);
        if (received === undefined) return;
        onReceived?.(received);
        if (received > maxReceived) giveUp(tooManyBytes(received, maxReceived));
      });
      // Git may end before it has read everything.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      child.on('error', (error) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        reject('code' in error && error.code === 'ENOENT' ? noGit(error) : error);
      });
      child.on('close', (code) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        if (why) reject(why);
        else if (code === 0) resolve({ stdout: Buffer.concat(out) });
        else reject(new GitTrouble(said));
      });
    });
  }

  #sshVariables(): NodeJS.ProcessEnv {
    const { GIT_SSH_COMMAND, GIT_SSH } = this.#options.environment;
    const own = GIT_SSH_COMMAND || this.#sshCommand;
    // A program instead of a command takes no more options. It has no terminal to ask on either.
    return own === '' && GIT_SSH ? {} : { GIT_SSH_COMMAND: `${own || 'ssh'} -o BatchMode=yes` };
  }

  #variables(): NodeJS.ProcessEnv {
    const { environment } = this.#options;
    const kept = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_') || KEPT_VARIABLES.test(name));
    const { url } = this.#source;
    const protocols = url.startsWith('file:') ? 'file' : url.startsWith('http:') ? 'http:https' : 'https:ssh';
    return {
      ...Object.fromEntries(kept),
      LC_ALL: 'C',
      LANGUAGE: '',
      GIT_ALLOW_PROTOCOL: protocols,
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '',
      SSH_ASKPASS: '',
      SSH_ASKPASS_REQUIRE: 'never',
      GCM_INTERACTIVE: 'never',
      GIT_NO_LAZY_FETCH: '1',
      GIT_LFS_SKIP_SMUDGE: '1',
      ...this.#sshVariables(),
    };
  }
}

/** Submodules have ids of commits, which are elsewhere. */
function oidsOf(entries: ReadonlyMap<string, TreeEntry>, paths: readonly string[]): string[] {
  const found = paths.flatMap((file) => {
    const entry = entries.get(file);
    return entry?.oid === undefined || entry.kind === 'module' ? [] : [entry.oid];
  });
  return [...new Set(found)];
}

function sameOid(entries: ReadonlyMap<string, TreeEntry>): SourceTree['sameFile'] {
  return (a, b) => Promise.resolve(entries.get(a)?.oid === entries.get(b)?.oid);
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode === '120000') return 'link';
  if (mode === '160000') return 'module';
  return mode.startsWith('100') ? 'file' : 'other';
}

const UNITS: Readonly<Record<string, number>> = { bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** From a line such as `Receiving objects:  50% (3/6), 1.20 MiB | 3.00 MiB/s`. */
function receivedBytes(text: string): number | undefined {
  const matches = [...text.matchAll(/Receiving objects:[^\r\n]{0,80}?, (?<number>[\d.]+) (?<unit>bytes|[KMG]iB)/gu)];
  const groups = matches.at(-1)?.groups;
  return groups && Number(groups['number']) * (UNITS[groups['unit'] ?? ''] ?? 1);
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
