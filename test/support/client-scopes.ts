import { CLIENTS } from '../../src/clients/all.ts';
import { CLIENT_NAMES, type ClientName, type Scope } from '../../src/clients/names.ts';

/** Every client with each of its scopes. */
export const CLIENT_SCOPES = CLIENT_NAMES.flatMap((name) =>
  CLIENTS[name].scopes.map((scope): [ClientName, Scope] => [name, scope]),
);

/** Clients whose files `setup` changes. */
export const WRITABLE_CLIENTS = CLIENT_NAMES.filter((name) => CLIENTS[name].format !== 'yaml');
