/** A small authorization server with real keys: metadata, keys, and tokens for those who may have one. */
import { createHash, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

export interface AuthorizationServer extends AsyncDisposable {
  issuer: string;
  /** How often each path was asked for. */
  asked(path: string): number;
  /** While it is down, it hangs up on everybody. */
  isDown: boolean;
  /** What it says at these paths instead. */
  documents: Map<string, unknown>;
  keys: SigningKey[];
  /** New tokens are signed by a new key, and the old ones are not published any more. */
  rotate(): Promise<void>;
  /** The groups of each client of `/token`; its secret is its name, backwards. */
  groups: Map<string, string[]>;
  /** A good token for that audience, except for what is given. */
  token(
    claims?: JWTPayload,
    using?: { header?: Record<string, unknown>; key?: SigningKey['privateKey'] },
  ): Promise<string>;
}

export async function startAuthorizationServer(audience: string, path = ''): Promise<AuthorizationServer> {
  const hits = new Map<string, number>();
  const codes = new Map<string, { challenge: string; resource: string; scope: string }>();
  const server = http.createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${origin}${path}`;
  const made: AuthorizationServer = {
    issuer,
    asked: (asked) => hits.get(asked) ?? 0,
    isDown: false,
    documents: new Map(),
    keys: [await newKey()],
    groups: new Map(),
    async rotate() {
      made.keys = [await newKey()];
    },
    async token(claims = {}, { header = {}, key } = {}) {
      const [current] = made.keys;
      const now = Math.floor(Date.now() / 1_000);
      const payload = { iss: issuer, aud: audience, sub: 'ada', iat: now, exp: now + 3_600, scope: 'read', ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: current?.kid ?? '', ...header })
        .sign(key ?? (current as SigningKey).privateKey);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    if (made.isDown) return void incoming.socket.destroy();
    const url = new URL(incoming.url ?? '/', origin);
    hits.set(url.pathname, (hits.get(url.pathname) ?? 0) + 1);
    const say = (status: number, body: unknown): void =>
      void outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const instead = made.documents.get(url.pathname);
    if (instead !== undefined) return say(200, instead);
    switch (url.pathname) {
      case `/.well-known/oauth-authorization-server${path}`:
        return say(200, {
          issuer,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          jwks_uri: `${origin}/jwks`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'client_credentials'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
        });
      case '/jwks':
        return say(200, { keys: made.keys.map(({ jwk }) => jwk) });
      case '/register':
        return say(201, { ...(JSON.parse(await textOf(incoming)) as object), client_id: 'registered' });
      case '/authorize': {
        // A person would sign in here.
        const { searchParams: asked } = url;
        const code = randomUUID();
        codes.set(code, {
          challenge: asked.get('code_challenge') ?? '',
          resource: asked.get('resource') ?? '',
          scope: asked.get('scope') ?? '',
        });
        const back = new URL(asked.get('redirect_uri') ?? '');
        back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString();
        return void outgoing.writeHead(302, { location: back.href }).end();
      }
      case '/token': {
        const form = new URLSearchParams(await textOf(incoming));
        const granted = grant(form, incoming.headers.authorization);
        if (!granted) return say(400, { error: 'invalid_grant' });
        const { client, resource, scope } = granted;
        const token = await made.token({ sub: client, aud: resource, scope, groups: made.groups.get(client) ?? [] });
        return say(200, { access_token: token, token_type: 'Bearer', expires_in: 3_600, scope });
      }
      default:
        return say(404, { error: 'not found' });
    }
  }

  function grant(
    form: URLSearchParams,
    authorization = '',
  ): { client: string; resource: string; scope: string } | undefined {
    if (form.get('grant_type') === 'client_credentials') {
      const [client = '', secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
      if (secret !== [...client].reverse().join('')) return undefined;
      return { client, resource: form.get('resource') ?? '', scope: form.get('scope') ?? '' };
    }
    const code = codes.get(form.get('code') ?? '');
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    if (!code || verifier.digest('base64url') !== code.challenge) return undefined;
    return { client: 'registered', ...code };
  }

  return made;
}

async function newKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = randomUUID();
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

async function textOf(incoming: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk);
  return text;
}
