/** Who may call a replica. Answered from memory: a database that is gone must lock nobody out. */
import type { Callers, Identified } from '../../http/guards.ts';
import { refuse } from '../../http/refuse.ts';
import type { Context, Route } from '../../http/routes.ts';
import type { Follower } from '../../hub/follower.ts';
import type { Caller, SharedCatalog } from '../../hub/shared-catalog.ts';

/** A caller, and the catalog of the moment when the request arrived. */
export class Present {
  readonly caller: Caller;
  readonly catalog: SharedCatalog;

  constructor(caller: Caller, catalog: SharedCatalog) {
    this.caller = caller;
    this.catalog = catalog;
  }

  static in({ who }: Context): Present {
    if (who instanceof Present) return who;
    throw new Error('a request without a caller');
  }
}

export class SharedCallers implements Callers {
  readonly #follower: Follower;

  constructor(follower: Follower) {
    this.#follower = follower;
  }

  async identify(authorization: string | undefined, { scope }: Route): Promise<Identified | Response> {
    const catalog = this.#follower.current;
    if (!catalog) return refuse(503, 'There is no catalog yet.', { 'retry-after': '5' });
    const secret = /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1];
    const caller = secret === undefined ? undefined : catalog.identify(secret, this.#follower.clock.now());
    if (!caller) {
      const reason = secret === undefined ? 'A bearer token is required.' : 'The token is unknown, expired or revoked.';
      return refuse(401, reason, { 'www-authenticate': 'Bearer realm="lectern"' });
    }
    if (scope !== undefined && !caller.scopes.some((allowed) => allowed === scope)) {
      return refuse(403, `The token has no scope ${scope}.`, {
        'www-authenticate': `Bearer realm="lectern", error="insufficient_scope", scope="${scope}"`,
      });
    }
    return { caller: caller.actor, who: new Present(caller, catalog) };
  }
}
