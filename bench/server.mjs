// Servers as processes of their own, and what they cost.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_MS = 10; // the kernel counts processor time in hundredths of a second

/** Starts a server over HTTP, and waits until it has found what it serves. */
export async function startHttp(args, cwd) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  for await (const chunk of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += chunk;
    const url = /at (http:\S+);/u.exec(log)?.[1];
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
