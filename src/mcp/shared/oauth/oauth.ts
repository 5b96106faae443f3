/**
 * A replica as a resource server of OAuth: it accepts the access tokens of one authorization server, if they are meant for this
 * catalog, and takes teams and scopes from them. Loaded only if there is such a server.
 */
import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { Failure } from '../../../core/failure.ts';
import { trimSlashes } from '../../../core/text.ts';
import type { Scope } from '../../../store/catalog-store.ts';
import { MCP_PATH } from '../../http/service.ts';
import type { ServerLog } from '../../log.ts';
import { isTrustworthy, SigningKeys } from './signing-keys.ts';

export interface OAuthOptions {
  issuer: string;
  jwksUrl: string | undefined;
  /** The claim that lists the groups of a caller. */
  groupsClaim: string;
  /** Only groups with this prefix count; without it, they are the names of teams. */
  groupPrefix: string;
  /** Stands before our scopes in those of the authorization server. */
  scopePrefix: string;
}

/** What the authorization server says of a caller. */
export interface Claims {
  subject: string;
  groups: readonly string[];
  scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** With a shared secret, whoever can check a token could make one. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const CLOCK_TOLERANCE_SECONDS = 30;
/** A token of a person can publish if it says so. Administration takes the database. */
const SCOPES = ['read', 'publish'] as const satisfies readonly Scope[];

export class OAuth {
  readonly issuer: string;
  /** What tokens can be meant for: the address of the catalog, and that of its MCP endpoint. */
  readonly resources: Readonly<Record<'catalog' | 'endpoint', URL>>;
  /** Where the metadata of each is. */
  readonly metadataUrls: Readonly<Record<'catalog' | 'endpoint', string>>;
  readonly #options: OAuthOptions;
  readonly #audience: string[];
  readonly #keys: SigningKeys;

  /** Fails if tokens could be checked against nothing, or against something that others can change. */
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
    // So that the first caller need not wait; if the server does not answer now, later calls ask it again.
    void this.#keys.load();
  }

  /** What a scope of ours is called there. */
  scopeName(scope: string): string {
    return this.#options.scopePrefix + scope;
  }

  /** Fails with REFUSED if the token is not valid here, and with UNREACHABLE if nobody can say. */
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
      // Without the cause: it holds what the token says.
      throw new Failure('REFUSED', reasonOf(error));
    }
  }

  #claimsOf(payload: JWTPayload): Claims {
    const { groupsClaim, groupPrefix } = this.#options;
    if (typeof payload.sub !== 'string' || payload.sub === '')
      throw new Failure('REFUSED', 'The token is not valid here: its claim sub is missing or wrong.');
    const groups = texts(payload[groupsClaim]).filter((group) => group.startsWith(groupPrefix));
    // `scope` is the standard, and `scp` is what some servers write.
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

/** Only of tokens with a true signature more is said, because only then it is true. */
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
