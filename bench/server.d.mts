import type { ChildProcess } from 'node:child_process';
import type { Agent } from 'node:http';

export function bundleBare(root: string, into: string): Promise<string>;
export function startHttp(
  args: readonly string[],
  cwd: string,
  env?: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }>;
export function costOf(pid: number): { cpu: number; rss: number; now: number; files: number };
export function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  agent: Agent,
): Promise<{ status: number; text: string }>;
export function modern(
  method: string,
  params: Record<string, unknown>,
  name?: string,
): [headers: Record<string, string>, body: string];
