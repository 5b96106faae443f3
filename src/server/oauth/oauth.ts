/**
 * OAuth resource server: accepts access tokens of one authorization server that are issued for this catalog, and reads teams and
 * scopes from them. Loaded only if an authorization server is configured.
 */
import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { Failure } from '../../core/failure.ts';
import { trimSlashes } from '../../core/text.ts';
import type { Scope } from '../../store/catalog-store.ts';
import { MCP_PATH } from '../../mcp/http/service.ts';
import type { ServerLog } from '../../mcp/log.ts';
import { isTrustworthy, SigningKeys } from './signing-keys.ts';

export interface OAuthOptions {
  issuer: string;
  jwksUrl: string | undefined;
  /** The claim that lists the groups of a caller. */
  groupsClaim: string;
  /** Group-name prefix to strip; groups without it are ignored. */
  groupPrefix: string;
  /** Prefix of Lectern's scopes at the authorization server. */
  scopePrefix: string;
}

/** Claims of the authorization server about a caller. */
export interface Claims {
  subject: string;
  groups: readonly string[];
  scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Asymmetric only: with a shared secret, every verifier could issue tokens. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const CLOCK_TOLERANCE_SECONDS = 30;
/** Administration requires access to the database. */
const SCOPES = ['read', 'publish'] as const satisfies readonly Scope[];

export class OAuth {
  readonly issuer: string;
  /** Accepted audiences: the URL of the catalog and of its MCP endpoint. */
  readonly resources: Readonly<Record<'catalog' | 'endpoint', URL>>;
  /** URLs of their metadata. */
  readonly metadataUrls: Readonly<Record<'catalog' | 'endpoint', string>>;
  readonly #options: OAuthOptions;
  readonly #audience: string[];
  readonly #keys: SigningKeys;

  /** Fails if tokens could not be verified, or only against an untrusted source. */
  constructor(options: OAuthOptions, publicUrl: string | undefined, log: ServerLog) {
    const { issuer, jwksUrl } = options;
    const address = publicUrl === undefined ? undefined : trimSlashes(trustworthy(publicUrl, '--public-url'));
    if (address === undefined) {
      throw new Failure('USAGE', 'An authorization server needs --public-url: tokens must be meant for this address.', {
        hint: 'Add --public-url with the address that callers use, such as https://skills.example.com.',
      });
    }
    this.#options = options;
    this.issuer = trustworthy(issuer, '--oauth-issuer');
    if (jwksUrl !== undefined) trustworthy(jwksUrl, '--oauth-jwks-url');
    this.resources = { catalog: new URL(address), endpoint: new URL(`${address}${MCP_PATH}`) };
    this.metadataUrls = {
      catalog: getOAuthProtectedResourceMetadataUrl(this.resources.catalog),
      endpoint: getOAuthProtectedResourceMetadataUrl(this.resources.endpoint),
    };
    this.#audience = [address, `${address}/`, `${address}${MCP_PATH}`];
    this.#keys = new SigningKeys({ issuer, jwksUrl, log });
    // Preloads the keys for the first caller. Later calls retry after a failure.
    void this.#keys.load();
  }

  /** Name of a scope at the authorization server. */
  scopeName(scope: string): string {
    return this.#options.scopePrefix + scope;
  }

  /** Fails with REFUSED for an invalid token, and with UNREACHABLE if it cannot be verified. */
  async verify(token: string, now: number): Promise<Claims> {
    try {
      const { payload } = await jwtVerify(token, this.#keys.find, {
        algorithms: ALGORITHMS,
        issuer: this.issuer,
        audience: this.#audience,
        currentDate: new Date(now),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'sub'],
      });
      return this.#claimsOf(payload);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      // The cause is omitted because it contains claims of the token.
      throw new Failure('REFUSED', reasonOf(error));
    }
  }

  #claimsOf(payload: JWTPayload): Claims {
    const { groupsClaim, groupPrefix } = this.#options;
    if (typeof payload.sub !== 'string' || payload.sub === '')
      throw new Failure('REFUSED', 'The token is not valid here: its claim sub is missing or wrong.');
    const groups = texts(payload[groupsClaim]).filter((group) => group.startsWith(groupPrefix));
    // `scope` is the standard; some servers use `scp`.
    const allowed = new Set([payload['scope'], payload['scp']].flatMap(texts).flatMap((text) => text.split(' ')));
    return {
      subject: payload.sub,
      groups: [...new Set(groups.map((group) => group.slice(groupPrefix.length)))],
      scopes: SCOPES.filter((scope) => allowed.has(this.scopeName(scope))),
      expiresAt: (payload.exp ?? 0) * 1_000,
    };
  }
}

function texts(claim: unknown): string[] {
  return [claim].flat().filter((each) => typeof each === 'string');
}

/** Details are given only for tokens with a valid signature, whose claims can be trusted. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The token is not valid here: its claim ${error.claim} is missing or wrong.`;
  return 'The token is not valid.';
}

function trustworthy(url: string, flag: string): string {
  if (isTrustworthy(url) && !/[?#]/u.test(url)) return url;
  throw new Failure('USAGE', `${flag} must be an https address without ? and #.`, {
    hint: 'Plain http is allowed for this machine only, such as http://127.0.0.1:8080.',
  });
}
