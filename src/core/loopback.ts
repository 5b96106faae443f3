import { isIP } from 'node:net';

/** Whether a host, from `--host` or from a URL, always refers to this machine. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'));
}
