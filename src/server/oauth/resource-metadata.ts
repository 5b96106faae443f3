/** Serves the authorization server of this catalog to clients (RFC 9728). */
import { type OAuthMetadata, oauthMetadataResponse } from '@modelcontextprotocol/server';
import type { Service } from '../../http/listen.ts';
import { refuse } from '../../http/refuse.ts';
import type { Handler, Route } from '../../http/routes.ts';
import type { OAuth } from './oauth.ts';

/** One document for the catalog and one for its MCP endpoint, readable from any origin. */
export function resourceMetadataService(oauth: OAuth, serverName: string): Service {
  const routeOf = (name: keyof OAuth['resources']): Route => {
    const answer: Handler = (request) =>
      oauthMetadataResponse(request, {
        // Only the issuer is used for these documents.
        oauthMetadata: { issuer: oauth.issuer } as OAuthMetadata,
        resourceServerUrl: oauth.resources[name],
        // Reading only: clients request every scope listed here.
        scopesSupported: [oauth.scopeName('read')],
        resourceName: serverName,
        // Checked at startup.
        dangerouslyAllowInsecureIssuerUrl: true,
      }) ?? refuse(404, 'There is no such document.');
    return {
      path: new URL(oauth.metadataUrls[name]).pathname,
      methods: { GET: answer, HEAD: answer, OPTIONS: answer },
      isPublic: true,
      anyOrigin: true,
    };
  };
  return { routes: [routeOf('catalog'), routeOf('endpoint')], close: async () => undefined };
}
