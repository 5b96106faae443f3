/** Opens the shared catalog that a server joins with what is local. Loaded only if there is one. */
import path from 'node:path';
import { checkToken } from '../../core/bearer-token.ts';
import { joinedAddress } from '../../core/catalog-address.ts';
import type { Disk } from '../../core/disk/writes.ts';
import type { ServerLog } from '../log.ts';
import { AskedCatalog } from './asked-catalog.ts';
import { CatalogClient } from './catalog-client.ts';
import { JoinedCatalog } from './joined-catalog.ts';
import { catalogKey, KeptAnswers } from './kept-answers.ts';

export interface CatalogOptions {
  /** As people write it. */
  address: string;
  token: string | undefined;
  /** The environment variable that it is from, or would be. */
  tokenVariable: string;
  disk: Disk;
  /** Lectern's folder in the user's cache folder; undefined keeps nothing. */
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
  const kept =
    cacheDir === undefined ? undefined : new KeptAnswers(disk, path.join(cacheDir, 'shared'), catalogKey(url, token));
  const catalog = new AskedCatalog(
    { url, token: { variable: tokenVariable, isSet: token !== undefined } },
    client,
    kept,
  );
  return new JoinedCatalog(catalog, { intervalMs, log, close: () => client.close() });
}
