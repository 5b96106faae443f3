/** Shared parts of the operations that call a shared catalog: its URL and the token. */
import { Failure } from '../core/failure.ts';
import type { PublishClient } from '../hub/publish-client.ts';
import type { Reader } from '../workspace/reader.ts';
import type { RunContext } from './define.ts';

/** The parameter with the URL of the shared catalog. */
export const CATALOG_URL = {
  type: 'text',
  placeholder: 'url',
  help: 'URL of the shared catalog; by default LECTERN_CATALOG_URL, or `catalog` in your configuration',
} as const;

/** Also accepts the earlier spelling `--to`, which means the version in `rollback`. */
export const CATALOG_URL_OR_TO = { ...CATALOG_URL, flags: ['--url', '--to'] } as const;

export const WAIT = { type: 'flag', default: false, help: 'Wait until every live replica serves it' } as const;

const TOKEN = 'LECTERN_PUBLISH_TOKEN';

export async function clientFor(
  given: string | undefined,
  { snapshot }: Reader,
  { environment = {} }: RunContext,
): Promise<PublishClient> {
  const address = given ?? (environment['LECTERN_CATALOG_URL'] || snapshot.settings.catalog.value);
  const token = environment[TOKEN];
  if (!address) {
    throw new Failure('USAGE', 'No catalog URL configured.', {
      hint: 'Use --url, as in --url https://skills.example.com, or set LECTERN_CATALOG_URL.',
    });
  }
  const url = (await import('../core/catalog-address.ts')).joinedAddress(address);
  if (!token) {
    throw new Failure('USAGE', `${TOKEN} is not set.`, {
      hint: 'Set it to a token with the permission publish; `lectern token add` creates one.',
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
