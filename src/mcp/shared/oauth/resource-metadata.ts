/** Tells clients which authorization server gives them tokens, in the form of RFC 9728. */
import { type OAuthMetadata, oauthMetadataResponse } from '@modelcontextprotocol/server';
import type { Service } from '../../../http/listen.ts';
import { refuse } from '../../../http/refuse.ts';
import type { Handler, Route } from '../../../http/routes.ts';
import type { OAuth } from './oauth.ts';

/** One document for the address of the catalog, and one for its MCP endpoint. Pages of any origin may read them. */
export function resourceMetadataService(oauth: OAuth, serverName: string): Service {
  const routeOf = (name: keyof OAuth['resources']): Route => {
    const answer: Handler = (request) =>
      oauthMetadataResponse(request, {
        // The issuer is all that is read of it for these documents.
        oauthMetadata: { issuer: oauth.issuer } as OAuthMetadata,
        resourceServerUrl: oauth.resources[name],
        // What reading takes: clients ask for all that is listed here.
        scopesSupported: [oauth.scopeName('read')],
        resourceName: serverName,
        // Checked when the server started.
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
