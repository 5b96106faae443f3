/** Authenticates callers of a replica from memory, so that requests still work during a database outage. */
import { bearerToken } from '../core/bearer-token.ts';
import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';
import type { Callers, Identified } from '../http/guards.ts';
import { refuse } from '../http/refuse.ts';
import type { Route, SignedIn } from '../http/routes.ts';
import { TokenCookie } from '../http/token-cookie.ts';
import type { Follower } from '../hub/follower.ts';
import { RequestContext } from '../hub/request-context.ts';
import type { Caller, SharedCatalog } from '../hub/shared-catalog.ts';
import { MCP_PATH } from '../mcp/http/service.ts';
import type { Claims, OAuth } from './oauth/oauth.ts';

/** A browser session ends after this long, or when the token expires. */
const SIGNED_IN_MS = 12 * 60 * 60 * 1_000;

interface Refusal {
  status: 401 | 403 | 503;
  message: string;
  /** Error code of the challenge. Omitted if another token would not help. */
  error?: 'invalid_token' | 'insufficient_scope' | 'none_sent';
}

export class SharedCallers implements Callers {
  readonly cookie: TokenCookie;
  readonly #follower: Follower;
  readonly #oauth: OAuth | undefined;

  /** `isSecure` is set if browsers connect over TLS. */
  constructor(follower: Follower, oauth?: OAuth, isSecure = false) {
    this.#follower = follower;
    this.#oauth = oauth;
    this.cookie = new TokenCookie(isSecure);
  }

  async identify(authorization: string | undefined, { scope, path }: Route): Promise<Identified | Response> {
    const found = await this.#judge(bearerToken(authorization), scope);
    if (found instanceof RequestContext) return { caller: found.caller.actor, who: found };
    const { status, message, error } = found;
    return refuse(status, message, {
      ...(status === 503 ? { 'retry-after': '5' } : {}),
      ...(error === undefined ? {} : { 'www-authenticate': this.#challenge(path, scope, error) }),
    });
  }

  /** The cookie contains the token: replicas share no other secret, and each request is authenticated like any other. */
  async signIn(token: string): Promise<SignedIn> {
    const found = await this.#judge(token, 'read');
    if (!(found instanceof RequestContext))
      return { refused: found.message, status: found.status === 401 ? 403 : found.status };
    const left = found.caller.expiresAt - this.#follower.clock.now();
    const cookie = this.cookie.keep(token, Math.min(SIGNED_IN_MS, left) / 1_000);
    if (cookie !== undefined) return { cookie };
    return { refused: 'The token is too long for a browser cookie.', status: 403 };
  }

  async #judge(secret: string | undefined, scope: string | undefined): Promise<RequestContext | Refusal> {
    if (!this.#follower.current) return { status: 503, message: 'There is no catalog yet.' };
    if (secret === undefined) return { status: 401, message: 'A bearer token is required.', error: 'none_sent' };
    let context: RequestContext | undefined;
    try {
      context = await this.#find(secret);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === 'UNREACHABLE') return { status: 503, message: error.message };
      return { status: 401, message: error.message, error: 'invalid_token' };
    }
    if (!context) return { status: 401, message: 'The token is unknown, expired or revoked.', error: 'invalid_token' };
    const { teams, scopes } = context.caller;
    // Another token would not help, so there is no challenge.
    if (teams.length === 0)
      return { status: 403, message: 'None of the groups in the token is a team of this catalog.' };
    if (scope !== undefined && !scopes.some((allowed) => allowed === scope))
      return {
        status: 403,
        message: `The token has no scope ${this.#scopeName(scope)}.`,
        error: 'insufficient_scope',
      };
    return context;
  }

  async #find(secret: string): Promise<RequestContext | undefined> {
    // Catalog tokens contain no dot; access tokens of an authorization server contain two.
    const now = this.#follower.clock.now();
    const claims = this.#oauth && secret.includes('.') ? await this.#oauth.verify(secret, now) : undefined;
    const catalog = this.#follower.current;
    const caller = claims ? catalog && callerWith(claims, catalog) : catalog?.identify(secret, now);
    return catalog && caller && new RequestContext(caller, catalog);
  }

  /** Follows RFC 6750, RFC 9728 and the MCP authorization spec. */
  #challenge(path: string, scope: string | undefined, error: NonNullable<Refusal['error']>): string {
    const parts = ['realm="lectern"'];
    if (error !== 'none_sent') parts.push(`error="${error}"`);
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

/** The teams are the groups known to the catalog, possibly none. */
function callerWith({ subject, groups, scopes, expiresAt }: Claims, catalog: SharedCatalog): Caller {
  const teams = groups.filter((group) => catalog.hasTeam(group));
  // No team can have such a name, so the actor cannot be confused with a token.
  return { tokenId: undefined, actor: `oauth:${echo(subject)}`, teams, scopes, expiresAt };
}
