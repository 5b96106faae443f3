/** How a client reaches the server that it is set up for. */
import { joinedAddress } from '../core/catalog-address.ts';
import { Failure } from '../core/failure.ts';
import { isLoopback } from '../core/loopback.ts';
import type { Client, Entry } from './client.ts';
import { TOKEN_VARIABLE, type TRANSPORTS } from './names.ts';

export interface Reach {
  kind: 'stdio' | 'http';
  /** The address of the catalog or server, without the path of its endpoint. */
  address?: string;
  auth?: Entry;
  notes: readonly string[];
}

interface Asked {
  transport?: (typeof TRANSPORTS)[number] | undefined;
  url?: string | undefined;
  signIn: boolean;
}

/**
 * Anything but this machine asks for a token, which the client must take from the environment: files end up in repositories.
 * A server on this machine may ask for one; if there is one in the environment already, it does. `hasToken` is undefined where
 * nobody knows the environment, as in the library.
 */
export function reachOf(
  client: Client,
  { transport, url, signIn }: Asked,
  { hasToken }: { hasToken: boolean | undefined },
): Reach {
  const address = url === undefined ? undefined : joinedAddress(url);
  const notes = (note: string): string[] => [
    note,
    ...(hasToken === false ? [`${TOKEN_VARIABLE} is not set here.`] : []),
  ];
  if (transport === 'stdio' || (transport === undefined && address === undefined)) {
    if (address === undefined) return { kind: 'stdio', notes: [] };
    const note = `${client.title} starts lectern mcp --catalog, which takes the token from ${TOKEN_VARIABLE}.`;
    return { kind: 'stdio', address, notes: notes(note) };
  }
  if (address === undefined) return { kind: 'http', notes: [] };
  if (signIn || (isLoopback(new URL(address).hostname) && !hasToken)) return { kind: 'http', address, notes: [] };
  if (client.bearer) {
    const note = `${client.title} sends the token that it finds in ${TOKEN_VARIABLE} when it starts.`;
    return { kind: 'http', address, auth: client.bearer(TOKEN_VARIABLE), notes: notes(note) };
  }
  if (transport === 'http') {
    throw new Failure('REFUSED', `${client.title} cannot take a token from the environment for a server over HTTP.`, {
      hint: 'Leave out --transport, so that lectern mcp --catalog connects it; or use --sign-in.',
    });
  }
  const note = `${client.title} cannot take a token from the environment, so it starts lectern mcp --catalog, which reads ${TOKEN_VARIABLE}.`;
  return { kind: 'stdio', address, notes: notes(note) };
}
