import { isIP } from 'node:net';

/** Whether a host, as given to `--host` or as part of a URL, is this machine and nothing else. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'));
}
