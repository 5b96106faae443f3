import { Failure } from './failure.ts';
import { isLoopback } from './loopback.ts';
import { echo, trimSlashes } from './text.ts';

/** Normalizes the address of a shared catalog. Users write it with or without a slash, or with the path of its MCP endpoint. */
export function catalogAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  // The URL is omitted because errors may be logged.
  if (url && url.username + url.password !== '')
    throw new Failure('USAGE', 'The address of a catalog must not contain a user or a password.');
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Failure('USAGE', `"${echo(given)}" is not the address of a catalog.`, {
      hint: 'It must start with http:// or https://.',
    });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Failure('USAGE', `"${echo(given)}" has more than the address of a catalog.`, {
      hint: `Leave out ${echo(url.search + url.hash)}.`,
    });
  }
  const path = trimSlashes(url.pathname);
  url.pathname = path.endsWith('/mcp') ? trimSlashes(path.slice(0, -'/mcp'.length)) : path;
  return url.href.replace(/\/$/u, '');
}

/** Like `catalogAddress`, for connections that send a token. Refuses addresses where the token could be read in transit. */
export function joinedAddress(given: string): string {
  const address = catalogAddress(given);
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || isLoopback(hostname)) return address;
  throw new Failure('REFUSED', `${echo(address)} is not encrypted, so the token could be read on its way.`, {
    hint: 'Use an https:// address; http:// is only for this machine.',
  });
}
