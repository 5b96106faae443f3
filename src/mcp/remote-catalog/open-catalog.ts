/** Opens the shared catalog that a server joins with local items. Loaded only if one is configured. */
import path from 'node:path';
import { checkToken } from '../../core/bearer-token.ts';
import { joinedAddress } from '../../core/catalog-address.ts';
import type { Disk } from '../../core/disk/writes.ts';
import type { ServerLog } from '../log.ts';
import { RemoteCatalog } from './remote-catalog.ts';
import { CatalogClient } from './catalog-client.ts';
import { JoinedCatalog } from './joined-catalog.ts';
import { catalogKey, CachedAnswers } from './cached-answers.ts';

export interface CatalogOptions {
  /** URL as configured. */
  address: string;
  token: string | undefined;
  /** Environment variable of the token. */
  tokenVariable: string;
  disk: Disk;
  /** Lectern's folder in the user's cache folder; undefined disables caching. */
  cacheDir: string | undefined;
  intervalMs: number | undefined;
  log: ServerLog;
}

export function openCatalog({
  address,
  token,
  tokenVariable,
  disk,
  cacheDir,
  intervalMs,
  log,
}: CatalogOptions): JoinedCatalog {
  const url = joinedAddress(address);
  if (token !== undefined) checkToken(token, tokenVariable);
  const client = new CatalogClient({ url, token });
  const cache =
    cacheDir === undefined ? undefined : new CachedAnswers(disk, path.join(cacheDir, 'shared'), catalogKey(url, token));
  const catalog = new RemoteCatalog(
    { url, token: { variable: tokenVariable, isSet: token !== undefined } },
    client,
    cache,
  );
  return new JoinedCatalog(catalog, { intervalMs, log, close: () => client.close() });
}
