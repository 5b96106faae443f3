/** Who may call a replica. Answered from memory: a database that is gone must lock nobody out. */
import { Failure } from '../../core/failure.ts';
import { echo } from '../../core/text.ts';
import type { Callers, Identified } from '../../http/guards.ts';
import { refuse } from '../../http/refuse.ts';
import type { Context, Route } from '../../http/routes.ts';
import type { Follower } from '../../hub/follower.ts';
import type { Caller, SharedCatalog } from '../../hub/shared-catalog.ts';
import { MCP_PATH } from '../http/service.ts';
import type { Claims, OAuth } from './oauth/oauth.ts';

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
  readonly #oauth: OAuth | undefined;

  constructor(follower: Follower, oauth?: OAuth) {
    this.#follower = follower;
    this.#oauth = oauth;
  }

  async identify(authorization: string | undefined, { scope, path }: Route): Promise<Identified | Response> {
    if (!this.#follower.current) return refuse(503, 'There is no catalog yet.', { 'retry-after': '5' });
    const challenge = (error?: 'invalid_token' | 'insufficient_scope'): Record<string, string> => ({
      'www-authenticate': this.#challenge(path, scope, error),
    });
    const secret = /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1];
    if (secret === undefined) return refuse(401, 'A bearer token is required.', challenge());
    let present: Present | undefined;
    try {
      present = await this.#find(secret);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === 'UNREACHABLE') return refuse(503, error.message, { 'retry-after': '5' });
      return refuse(401, error.message, challenge('invalid_token'));
    }
    if (!present) return refuse(401, 'The token is unknown, expired or revoked.', challenge('invalid_token'));
    const { teams, scopes, actor } = present.caller;
    // Another token would not help, so nothing invites clients to get one.
    if (teams.length === 0) return refuse(403, 'None of the groups in the token is a team of this catalog.');
    if (scope !== undefined && !scopes.some((allowed) => allowed === scope))
      return refuse(403, `The token has no scope ${this.#scopeName(scope)}.`, challenge('insufficient_scope'));
    return { caller: actor, who: present };
  }

  async #find(secret: string): Promise<Present | undefined> {
    // Our own tokens have no dot, and those of an authorization server have two.
    const now = this.#follower.clock.now();
    const claims = this.#oauth && secret.includes('.') ? await this.#oauth.verify(secret, now) : undefined;
    const catalog = this.#follower.current;
    const caller = claims ? catalog && callerWith(claims, catalog) : catalog?.identify(secret, now);
    return catalog && caller && new Present(caller, catalog);
  }

  /** As RFC 6750, RFC 9728 and the authorization of MCP have it. */
  #challenge(path: string, scope: string | undefined, error: string | undefined): string {
    const parts = ['realm="lectern"'];
    if (error !== undefined) parts.push(`error="${error}"`);
    if (scope !== undefined) parts.push(`scope="${this.#scopeName(scope)}"`);
    if (this.#oauth) {
      const { catalog, endpoint } = this.#oauth.metadataUrls;
      parts.push(`resource_metadata="${path === MCP_PATH ? endpoint : catalog}"`);
    }
    return `Bearer ${parts.join(', ')}`;
  }

  #scopeName(scope: string): string {
    return this.#oauth?.scopeName(scope) ?? scope;
  }
}

/** The teams are those of the groups that the catalog knows; there may be none. */
function callerWith({ subject, groups, scopes }: Claims, catalog: SharedCatalog): Caller {
  const teams = groups.filter((group) => catalog.hasTeam(group));
  // No team can be called like that, so nobody passes for the owner of a token.
  return { tokenId: undefined, actor: `oauth:${echo(subject)}`, teams, scopes };
}
