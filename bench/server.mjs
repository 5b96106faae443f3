// Servers as processes of their own, and what they cost.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const TICKS_PER_MS = 10; // the kernel counts processor time in hundredths of a second

/** The bare server, bundled as the command is. */
export async function bundleBare(root, into) {
  const bundle = await rolldown({
    cwd: root,
    input: { 'mcp-bare': 'bench/mcp-bare.mjs' },
    platform: 'node',
    external: [/^node:/u],
  });
  await bundle.write({ dir: into, format: 'cjs', minify: true, entryFileNames: '[name].cjs' });
  await bundle.close();
  return join(into, 'mcp-bare.cjs');
}

/** Starts a server over HTTP, and waits until it has found what it serves. */
export async function startHttp(args, cwd, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  for await (const chunk of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += chunk;
    const url = /at (http:\S+\/mcp)/u.exec(log)?.[1];
    if (url === undefined || (log.includes('looking for skills') && !/\d skills in /u.test(log))) continue;
    child.stderr.resume();
    return { child, url };
  }
  throw new Error(log);
}

/** Processor time, memory at its peak and now, and open files of a process, as the kernel counts them (Linux). */
export function costOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (key) => Number(new RegExp(`${key}:\\s+(\\d+)`, 'u').exec(status)?.[1] ?? 0);
  return {
    cpu: (Number(fields[11]) + Number(fields[12])) * TICKS_PER_MS,
    rss: kilobytes('VmHWM') / 1024,
    now: kilobytes('VmRSS') / 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** The reply to a posted message. */
export function post(url, headers, body, agent) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** The headers and the body of a request that needs no session. */
export function modern(method, params, name) {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  return [
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) },
    JSON.stringify(body),
  ];
}
