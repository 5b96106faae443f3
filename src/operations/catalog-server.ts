/** Shared parts of the operations that call a shared catalog: its URL and the token. */
import { Failure } from '../core/failure.ts';
import type { PublishClient } from '../hub/publish-client.ts';
import type { Reader } from '../workspace/reader.ts';
import type { RunContext } from './define.ts';

const ADDRESS = { type: 'text', placeholder: 'url' } as const;
const BY_DEFAULT = 'by default LECTERN_CATALOG_URL, or `catalog` in your configuration';

/** URL of the shared catalog. */
export const TO = {
  to: {
    ...ADDRESS,
    flags: ['--to', '--url'],
    help: `The address of the shared catalog, also as --url; ${BY_DEFAULT}`,
  },
} as const;

/** URL of the shared catalog, for commands in which `--to` means something else. */
export const URL_ONLY = {
  url: { ...ADDRESS, flags: ['--url'], help: `The address of the shared catalog; ${BY_DEFAULT}` },
} as const;

export const WAIT = { type: 'flag', default: false, help: 'Wait until every live replica serves it' } as const;

const TOKEN = 'LECTERN_PUBLISH_TOKEN';

/** `flag` is the flag for the URL, for the error message. */
export async function clientFor(
  given: { address: string | undefined; flag: '--to' | '--url' },
  { snapshot }: Reader,
  { environment = {} }: RunContext,
): Promise<PublishClient> {
  const address = given.address ?? (environment['LECTERN_CATALOG_URL'] || snapshot.settings.catalog.value);
  const token = environment[TOKEN];
  if (!address) {
    throw new Failure('USAGE', 'It is not known where the shared catalog is.', {
      hint: `Name its address, as in ${given.flag} https://skills.example.com, or set LECTERN_CATALOG_URL.`,
    });
  }
  const url = (await import('../core/catalog-address.ts')).joinedAddress(address);
  if (!token) {
    throw new Failure('USAGE', `${TOKEN} is not set.`, {
      hint: 'Set it to a token with the scope publish; `lectern token add` makes one.',
    });
  }
  (await import('../core/bearer-token.ts')).checkToken(token, TOKEN);
  return new (await import('../hub/publish-client.ts')).PublishClient({ url, token });
}

/** Validates a source name, which becomes part of a URL. */
export async function requireSourceName(source: string): Promise<void> {
  (await import('../store/source-name.ts')).parseSourceName(source);
}

/** Waits until all replicas serve the snapshot, and returns their number. */
export async function waitFor(client: PublishClient, number: number): Promise<number> {
  return (await import('../hub/wait-for-replicas.ts')).waitForReplicas(client, number);
}
