/** Decides how a client reaches the server. */
import { joinedAddress } from '../core/catalog-address.ts';
import { Failure } from '../core/failure.ts';
import { isLoopback } from '../core/loopback.ts';
import type { Client, Entry } from './client.ts';
import { TOKEN_VARIABLE, type TRANSPORTS } from './names.ts';

export interface Reach {
  kind: 'stdio' | 'http';
  /** URL of the catalog or server, without the endpoint path. */
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
 * Remote servers require a token. Clients must read it from the environment because configuration files end up in
 * repositories. Local servers may require one, and are assumed to if a token is set in the environment. `hasToken` is
 * undefined if the environment is unknown, as in the library.
 */
export function reachOf(
  client: Client,
  { transport, url, signIn }: Asked,
  { hasToken }: { hasToken: boolean | undefined },
): Reach {
  const address = url === undefined ? undefined : joinedAddress(url);
  if (client.startsOnly && transport === 'http') {
    throw new Failure('REFUSED', `The file of ${client.title} can start commands, but not name a URL.`, {
      hint:
        address === undefined
          ? 'Omit --transport.'
          : 'Omit --transport to connect through lectern mcp --catalog, or add the URL in the client itself.',
    });
  }
  const notes = (note: string): string[] => [
    note,
    ...(hasToken === false ? [`${TOKEN_VARIABLE} is not set here.`] : []),
  ];
  if (transport === 'stdio' || client.startsOnly || (transport === undefined && address === undefined)) {
    if (address === undefined) return { kind: 'stdio', notes: [] };
    const note = `${client.title} starts lectern mcp --catalog, which reads the token from ${TOKEN_VARIABLE}.`;
    return { kind: 'stdio', address, notes: notes(note) };
  }
  if (address === undefined) return { kind: 'http', notes: [] };
  if (signIn || (isLoopback(new URL(address).hostname) && !hasToken)) return { kind: 'http', address, notes: [] };
  if (client.bearer) {
    const note = `${client.title} reads the token from ${TOKEN_VARIABLE} when it starts.`;
    return { kind: 'http', address, auth: client.bearer(TOKEN_VARIABLE), notes: notes(note) };
  }
  if (transport === 'http') {
    throw new Failure('REFUSED', `${client.title} cannot read a token for an HTTP server from the environment.`, {
      hint: 'Omit --transport to connect through lectern mcp --catalog, or use --sign-in.',
    });
  }
  const note = `${client.title} cannot read a token from the environment, so it starts lectern mcp --catalog, which reads ${TOKEN_VARIABLE}.`;
  return { kind: 'stdio', address, notes: notes(note) };
}
