/** How a client reaches the server that it is set up for. */
import { catalogAddress, joinedAddress } from '../core/catalog-address.ts';
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
 * A server on this machine may ask for one; if there is one in the environment already, it does.
 */
export function reachOf(client: Client, { transport, url, signIn }: Asked, { hasToken }: { hasToken: boolean }): Reach {
  const address = url === undefined ? undefined : catalogAddress(url);
  if (transport === 'stdio' || (transport === undefined && address === undefined))
    return { kind: 'stdio', notes: [], ...(address === undefined ? {} : { address: joinedAddress(address) }) };
  if (address === undefined) return { kind: 'http', notes: [] };
  if (signIn || (isLoopback(new URL(address).hostname) && !hasToken)) return { kind: 'http', address, notes: [] };
  if (client.bearer) {
    const note = `${client.title} sends the token that it finds in ${TOKEN_VARIABLE} when it starts.`;
    return { kind: 'http', address, auth: client.bearer(TOKEN_VARIABLE), notes: [note] };
  }
  if (transport === 'http') {
    throw new Failure('REFUSED', `${client.title} cannot take a token from the environment for a server over HTTP.`, {
      hint: 'Leave out --transport, so that lectern mcp --catalog connects it; or use --sign-in.',
    });
  }
  const note = `${client.title} cannot take a token from the environment, so it starts lectern mcp --catalog, which reads ${TOKEN_VARIABLE}.`;
  return { kind: 'stdio', address: joinedAddress(address), notes: [note] };
}
