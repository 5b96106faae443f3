/** Runs the built command as people do: a process of its own, a home of its own, nothing inherited. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { TempFolder } from './temp-folder.ts';

export const PACKAGE_DIR = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/u, '');
export const CLI = path.join(PACKAGE_DIR, 'dist/cli.cjs');

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Runs below this, e.g. a wrapper such as `['strace', '-f']`. */
  through?: readonly string[];
  /** As an ordinary user, also if the tests run as root. */
  unprivileged?: boolean;
  input?: string;
  node?: readonly string[];
  /** Another build of the command. */
  cli?: string;
}

export interface Run {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The bytes of stdout, for what must be kept byte for byte. */
  bytes: Buffer;
}

/** A command that has not ended by then hangs, however busy the machine is. */
const ENDS_WITHIN_MS = 300_000;

const ordinaryUser = inject('ordinaryUser');
/** Tests of permissions need an ordinary user. */
export const hasOrdinaryUser = ordinaryUser !== undefined;

/** The project is `folder/project`, the home `folder/home`. */
export function lectern(folder: TempFolder, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const cwd = options.cwd ?? folder.at('project');
  for (const dir of ['project', 'home', 'tmp']) fs.mkdirSync(folder.at(dir), { recursive: true });
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.at('home'),
    TMPDIR: folder.at('tmp'),
    // Many tests compare all files of the home.
    NODE_DISABLE_COMPILE_CACHE: '1',
    ...options.env,
  };
  const { node, cli, ids } = (options.unprivileged ? ordinaryUser : undefined) ?? {
    node: process.execPath,
    cli: options.cli ?? CLI,
  };
  const [command = node, ...before] = [...(options.through ?? []), node, ...(options.node ?? []), cli];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...before, ...args], {
      cwd,
      env,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...ids,
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin?.end(options.input);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const bytes = Buffer.concat(out);
      resolve({ code, signal, stdout: bytes.toString('utf8'), stderr: Buffer.concat(err).toString('utf8'), bytes });
    });
  });
}
