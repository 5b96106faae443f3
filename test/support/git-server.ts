/** Real repositories behind a real server on loopback: git http-backend, with switches for what servers do wrong. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import zlib from 'node:zlib';
import { type TempFile, tempFolder, type TempFolder } from './temp-folder.ts';

export interface GitRepository {
  name: string;
  url: string;
  /** The repository itself. */
  bare: string;
  /** Where files are committed from. */
  work: TempFolder;
  /** Commits these files; null removes one. Returns the commit. */
  commit(files: Record<string, TempFile | null>, executables?: readonly string[]): string;
  git(...args: string[]): string;
  /** Writes a tree object and returns its id. An entry is a line of `git mktree`: `100644 blob <id>\t<name>`. */
  tree(entries: readonly string[]): string;
  /** Commits a tree object, whatever it contains, and pushes it as the branch. */
  commitTree(tree: string): string;
  /** Pushes the branch, or this ref. */
  push(...refs: string[]): void;
}

export interface GitServer extends AsyncDisposable {
  url: string;
  repository(name: string, files: Record<string, TempFile>, executables?: readonly string[]): GitRepository;
  /** Bytes that were sent, over all replies. */
  sent: number;
  requests: string[];
  /** Replies to every request with this status; `hang` never replies; `endless` sends a pack that never ends. */
  behavior: 'serve' | 'hang' | 'endless' | 401 | 500;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b.c',
};
/** Git for setting up repositories: no settings of this machine, and the same commits every time. */
const ENVIRONMENT = {
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  ...IDENTITY,
};

export async function gitServer({ filters = true }: { filters?: boolean } = {}): Promise<GitServer> {
  const root = tempFolder();
  const works: TempFolder[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer((request, response) => {
    state.requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (state.behavior === 'hang') return;
    if (state.behavior === 'endless' && request.method === 'POST') {
      void replyForever(root.dir, request, response, (bytes) => (state.sent += bytes));
      return;
    }
    if (state.behavior !== 'serve' && state.behavior !== 'endless') {
      response.writeHead(state.behavior, state.behavior === 401 ? { 'WWW-Authenticate': 'Basic realm="x"' } : {}).end();
      return;
    }
    serve(root.dir, request, response, (bytes) => (state.sent += bytes));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: GitServer = {
    url,
    sent: 0,
    requests: [],
    behavior: 'serve',
    repository(name, files, executables) {
      const work = tempFolder();
      works.push(work);
      const gitWith = (input: string, ...args: string[]): string =>
        execFileSync('git', args, {
          cwd: work.dir,
          env: ENVIRONMENT,
          encoding: 'utf8',
          maxBuffer: 1e9,
          input,
          stdio: ['pipe', 'pipe', 'ignore'],
        }).trim();
      const git = (...args: string[]): string => gitWith('', ...args);
      const bare = root.at(`${name}.git`);
      git('init', '--quiet', '--bare', '--initial-branch=main', bare);
      git('--git-dir', bare, 'config', 'uploadpack.allowFilter', String(filters));
      git('init', '--quiet', '--initial-branch=main');
      const repository: GitRepository = {
        name,
        url: `${url}/${name}.git`,
        bare,
        work,
        git,
        commit(changed, runnable = []) {
          for (const [file, content] of Object.entries(changed)) {
            fs.rmSync(work.at(file), { recursive: true, force: true });
            if (content !== null) work.write({ [file]: content });
          }
          for (const file of runnable) fs.chmodSync(work.at(file), 0o755);
          git('add', '--all');
          git('commit', '--quiet', '--allow-empty', '--message', 'change');
          repository.push();
          return git('rev-parse', 'HEAD');
        },
        tree: (entries) => gitWith(entries.map((entry) => `${entry}\0`).join(''), 'mktree', '-z'),
        commitTree(tree) {
          const commit = git('commit-tree', tree, '-m', 'tree');
          repository.push(`${commit}:refs/heads/main`);
          return commit;
        },
        push: (...refs) => void git('push', '--quiet', '--force', bare, ...(refs.length > 0 ? refs : ['HEAD'])),
      };
      repository.commit(files, executables);
      return repository;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      for (const folder of [root, ...works]) folder[Symbol.dispose]();
    },
  };
  return state;
}

async function bodyOf(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Answers every other question as usual. */
async function replyForever(
  root: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  onSent: (bytes: number) => void,
): Promise<void> {
  const body = await bodyOf(request);
  if (body.includes('command=fetch')) sendForever(response, onSent);
  else serve(root, request, response, onSent, body);
}

/** A reply of protocol 2 with a pack of files of 60,000 bytes each, until the client closes the connection. */
function sendForever(response: http.ServerResponse, onSent: (bytes: number) => void): void {
  const packet = (...parts: Uint8Array[]): Buffer => {
    const length = parts.reduce((sum, { length: own }) => sum + own, 4);
    return Buffer.concat([Buffer.from(length.toString(16).padStart(4, '0')), ...parts]);
  };
  const onBand = (bytes: Uint8Array): Buffer => packet(Uint8Array.of(1), bytes);
  const header = Buffer.alloc(12);
  header.write('PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(1_000_000, 8);
  const content = Buffer.alloc(60_000, 'x');
  // The kind (a file) and the size, four bits first and then seven bits at a time.
  const size = Uint8Array.of(
    0x80 | 0x30 | (content.length & 0xf),
    0x80 | ((content.length >> 4) & 0x7f),
    content.length >> 11,
  );
  const file = onBand(Buffer.concat([size, zlib.deflateSync(content, { level: 0 })]));
  response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
  response.write(packet(Buffer.from('packfile\n')));
  response.write(onBand(header));
  const send = (): void => {
    while (!response.destroyed) {
      onSent(file.length);
      if (!response.write(file)) return;
    }
  };
  response.on('drain', send);
  send();
}

/** One request, as CGI. */
function serve(
  root: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  onSent: (bytes: number) => void,
  body?: Buffer,
): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const header = (name: string): string => String(request.headers[name] ?? '');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...ENVIRONMENT,
      GIT_PROJECT_ROOT: path.resolve(root),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_ADDR: '127.0.0.1',
      ...(request.headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: header('content-length') }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  if (body === undefined) request.pipe(child.stdin);
  else child.stdin.end(body);
  child.stdin.on('error', () => undefined);
  let head = Buffer.alloc(0);
  let isOpen = false;
  child.stdout.on('data', (chunk: Buffer) => {
    onSent(chunk.length);
    if (isOpen) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    isOpen = true;
    const headers = head.toString('latin1', 0, end).split('\r\n');
    const values = headers.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 2),
    ]);
    const status = values.find(([name]) => name === 'Status')?.[1];
    response.writeHead(
      status === undefined ? 200 : Number.parseInt(status, 10),
      Object.fromEntries(values.filter(([name]) => name !== 'Status')),
    );
    response.write(head.subarray(end + 4));
  });
  child.stdout.on('end', () => response.end());
  response.on('close', () => child.kill());
}
