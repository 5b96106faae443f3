import path from 'node:path';
import { entriesOf, findEntry } from '../core/disk/answers.ts';
import type { Disk } from '../core/disk/writes.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';
import { failing, tooMuchFetched } from './git-failures.ts';
import { GitTreeReader } from './git-tree.ts';
import { BoundedOutput, type GitRun, GitTrouble, runGit } from './run-git.ts';
import { type GitSource, isCommit } from './source.ts';
import { type SourceTree, tooManyBytes, type TreeEntry } from './source-tree.ts';

export interface GitOptions {
  /** Disk for the temporary repository. */
  disk: Disk;
  environment: Readonly<Record<string, string | undefined>>;
  /** Maximum time without output from git. */
  timeoutMs: number;
  /** Storage limit. Git is stopped above it. */
  maxBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the bytes received so far. */
  onReceived?: ((bytes: number) => void) | undefined;
}

const LINE_FEED = 10;
export const REMOTE = 'lectern-source';
const WANTED = 'refs/lectern/wanted';

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
  // Stores the incoming pack in a single growing file.
  'fetch.unpackLimit=1',
  // Larger files are not unpacked in memory.
  'core.bigFileThreshold=16m',
  'maintenance.auto=false',
];

/** Git variables for connecting to servers. All others could point git to another repository or program. */
const KEPT_VARIABLES =
  /^GIT_(?:SSH(?:_COMMAND|_VARIANT)?|SSL_\w+|PROXY_SSL_\w+|HTTP_\w+|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH)$/u;

/** Larger than any object that git needs in memory for repositories within the limits. Hostile repositories can claim any size. */
const ALLOCATION_MAX = '512m';
/** Output limit of commands that print at most one line. */
const LINE_MAX_BYTES = 64 * 1024;
/** Maximum length of the line that `cat-file` prints for each object: its ID, kind and size. */
const OBJECT_LINE_MAX_BYTES = 128;

/** A temporary bare repository with one remote. */
export class GitRepository {
  readonly #source: GitSource;
  readonly #options: GitOptions;
  #dir: string | undefined;
  #sshCommand = '';

  constructor(source: GitSource, options: GitOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** The user's ssh command is kept, because it may specify a key. */
  async prepare(): Promise<this> {
    if (/^(?:https?|file):/u.test(this.#source.url)) return this;
    const asked = this.#line(['config', '--get', 'core.sshCommand']).catch((error: unknown) => {
      if (error instanceof GitTrouble) return '';
      throw error;
    });
    this.#sshCommand = await asked;
    return this;
  }

  async create(): Promise<void> {
    this.#dir = this.#options.disk.createTemporaryFolder('lectern-fetch');
    await this.#line(['init', '--quiet', '--bare', '--template=', '--', this.#dir]);
  }

  remove(): void {
    if (this.#dir !== undefined) this.#options.disk.removeTree(this.#dir);
    this.#dir = undefined;
  }

  /** Passes the URL as a setting instead of an argument, so that it can never be parsed as an option. */
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
      // Some servers provide commits only as part of their branches.
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
    return this.#line(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`]);
  }

  async #fetchWithFallbacks(refspecs: readonly string[]): Promise<void> {
    const attempts = [['--depth=1', '--filter=blob:none'], ['--depth=1'], []];
    for (const [index, how] of attempts.entries()) {
      try {
        return await this.#fetch(how, refspecs);
      } catch (error) {
        // Old and simple servers support neither option. They fail with an error that has no other known reason.
        const isLast = index === attempts.length - 1;
        if (isLast || !(error instanceof GitTrouble) || error.reason !== undefined) throw error;
      }
    }
  }

  async #fetch(how: readonly string[], refspecs: readonly string[], maxBytes = Infinity): Promise<void> {
    const filters = how.some((flag) => flag.startsWith('--filter'));
    const output = new BoundedOutput(LINE_MAX_BYTES);
    await this.#run({
      args: [
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
      input: `${refspecs.join('\n')}\n`,
      onOutput: (chunk) => output.add(chunk),
      onProgress: (text) => {
        const received = receivedBytes(text);
        if (received !== undefined) this.#options.onReceived?.(received);
      },
      watch: this.#storageWatch(maxBytes),
    });
  }

  /**
   * Stops git when this fetch has stored more than `maxBytes`, or all fetches together exceed the limit. Git has no such
   * setting for a fetch, and its progress messages depend on the server, so the growing files are measured.
   */
  #storageWatch(maxBytes: number): () => void {
    const before = this.#storedBytes();
    const { maxBytes: maxStored = LIMITS.fetchedBytes.value } = this.#options;
    return () => {
      const stored = this.#storedBytes();
      if (stored > maxStored) throw tooMuchFetched(this.#source.url, maxStored);
      if (stored - before > maxBytes) throw tooManyBytes(stored - before, maxBytes);
    };
  }

  #storedBytes(): number {
    const { disk } = this.#options;
    const sizeOf = (dir: string): number =>
      entriesOf(disk, dir).reduce((sum, { name, kind }) => {
        const place = path.join(dir, name);
        return sum + (kind === 'directory' ? sizeOf(place) : (findEntry(disk, place)?.stamp.size ?? 0));
      }, 0);
    return this.#dir === undefined ? 0 : sizeOf(this.#dir);
  }

  async readTree(commit: string): Promise<SourceTree> {
    const reader = new GitTreeReader(this.#source.url);
    await this.#run({
      // Includes folders, because a tree of only folders would otherwise keep git busy without any output.
      args: ['ls-tree', '-r', '-t', '-z', '--full-tree', '--end-of-options', commit],
      onOutput: (chunk) => reader.add(chunk),
    });
    const entries = reader.entries();
    return {
      entries,
      read: (paths, maxBytes) => this.#read(entries, paths, maxBytes),
      fetch: (paths, maxBytes) => failing(this.#source, () => this.#fetchMissing(oidsOf(entries, paths), maxBytes)),
      contentId: (file) => entries.get(file)?.oid ?? '',
    };
  }

  async #read(
    entries: ReadonlyMap<string, TreeEntry>,
    paths: readonly string[],
    maxBytes: number,
  ): Promise<Map<string, Uint8Array>> {
    const wanted = oidsOf(entries, paths);
    await failing(this.#source, () => this.#fetchMissing(wanted, maxBytes));
    const sizes = await this.#sizes(wanted);
    let total = 0;
    for (const file of paths) total += sizes.get(entries.get(file)?.oid ?? '') ?? 0;
    if (total > maxBytes) throw tooManyBytes(total, maxBytes);
    const oids = [...sizes.keys()];
    if (oids.length === 0) return new Map();
    const printed = await this.output(['cat-file', '--batch'], total + oids.length * OBJECT_LINE_MAX_BYTES, oids);
    const contents = new Map<string, Uint8Array>();
    for (let at = 0; at < printed.length;) {
      const end = printed.indexOf(LINE_FEED, at);
      const [oid = '', kind, size = ''] = printed.toString('latin1', at, end).split(' ');
      if (kind !== 'blob')
        throw new Failure('FETCH_FAILED', `Git could not read the data it fetched from ${echo(this.#source.url)}.`);
      contents.set(oid, printed.subarray(end + 1, end + 1 + Number(size)));
      at = end + 2 + Number(size);
    }
    return new Map(
      paths.flatMap((file) => {
        const bytes = contents.get(entries.get(file)?.oid ?? '');
        return bytes ? [[file, bytes]] : [];
      }),
    );
  }

  /** Returns the sizes of the fetched files. */
  async #sizes(oids: readonly string[]): Promise<Map<string, number>> {
    if (oids.length === 0) return new Map();
    const printed = await this.output(['cat-file', '--batch-check'], oids.length * OBJECT_LINE_MAX_BYTES, oids);
    const lines = printed.toString('latin1').split('\n').filter(Boolean);
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
      // The server supports filters but not single files, so everything is fetched into a new repository.
      const commit = await this.#commitNamed(WANTED);
      this.remove();
      await this.create();
      await this.#fetch(['--depth=1'], [`+${commit}:${WANTED}`]);
    }
  }

  /** Returns at most `maxBytes` of output of a command. `lines` are its input. */
  async output(args: readonly string[], maxBytes: number, lines: readonly string[] = []): Promise<Buffer> {
    const output = new BoundedOutput(maxBytes);
    await this.#run({ args, input: lines.map((line) => `${line}\n`).join(''), onOutput: (chunk) => output.add(chunk) });
    return output.bytes();
  }

  async #line(args: readonly string[]): Promise<string> {
    return (await this.output(args, LINE_MAX_BYTES)).toString('utf8').trim();
  }

  #run(run: Omit<GitRun, 'cwd' | 'env' | 'timeoutMs' | 'signal'>): Promise<void> {
    const { timeoutMs, signal } = this.#options;
    return runGit({
      ...run,
      args: [
        ...OFF.flatMap((setting) => ['-c', setting]),
        ...(this.#dir === undefined ? [] : [`--git-dir=${this.#dir}`]),
        ...run.args,
      ],
      cwd: this.#dir ?? path.parse(path.resolve('/')).root,
      env: this.#variables(),
      timeoutMs,
      signal,
    });
  }

  #sshVariables(): NodeJS.ProcessEnv {
    const { GIT_SSH_COMMAND, GIT_SSH } = this.#options.environment;
    const own = GIT_SSH_COMMAND || this.#sshCommand;
    // GIT_SSH is a program and accepts no additional options. It has no terminal for prompts either.
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
      GIT_ALLOC_LIMIT: ALLOCATION_MAX,
      GIT_LFS_SKIP_SMUDGE: '1',
      ...this.#sshVariables(),
    };
  }
}

/** Excludes submodules, whose IDs are commits of other repositories. */
function oidsOf(entries: ReadonlyMap<string, TreeEntry>, paths: readonly string[]): string[] {
  const found = paths.flatMap((file) => {
    const entry = entries.get(file);
    return entry?.oid === undefined || entry.kind === 'module' ? [] : [entry.oid];
  });
  return [...new Set(found)];
}

const UNITS: Readonly<Record<string, number>> = { bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** Parses a line such as `Receiving objects:  50% (3/6), 1.20 MiB | 3.00 MiB/s`. */
function receivedBytes(text: string): number | undefined {
  const matches = [
    ...text.matchAll(/^Receiving objects:[^\r\n,]{0,60}, (?<number>[\d.]{1,20}) (?<unit>bytes|[KMG]iB)/gmu),
  ];
  const groups = matches.at(-1)?.groups;
  return groups && Number(groups['number']) * (UNITS[groups['unit'] ?? ''] ?? 1);
}
