/** What a replica answers to requests, without a process, a port or a database around it. */
import type { Service } from '../../src/http/listen.ts';
import type { Context, Handler } from '../../src/http/routes.ts';
import type { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import { RequestContext } from '../../src/hub/request-context.ts';
import { servedViews } from '../../src/mcp/http/served-views.ts';
import { sharedMcpService } from '../../src/mcp/http/stateless.ts';
import { operationsApi } from '../../src/server/operations-api.ts';
import type { Told } from './replica.ts';

export type AskShared = (teams: readonly string[], method: string, params?: Record<string, unknown>) => Promise<Told>;

const shared = () => ({
  served: servedViews({
    log: {
      info: () => undefined,
      warn: () => undefined,
      bug(error) {
        throw error;
      },
    },
    serverName: 'lectern',
    uses: { loaded: () => undefined },
  }),
  metrics: { called: () => undefined },
});

function postHandler({ routes: [route] }: Service): Handler {
  const handler = route?.methods.POST;
  if (!handler) throw new Error('nothing to ask');
  return handler;
}

function contextFor(catalog: SharedCatalog, teams: readonly string[], params: Record<string, string> = {}): Context {
  const caller = { tokenId: 1, actor: 'test', teams, scopes: ['read'] as const, expiresAt: Infinity };
  return {
    caller: 'test',
    who: new RequestContext(caller, catalog),
    params,
    from: '',
    finished: Promise.resolve(),
    isStream: () => undefined,
    signIn: () => Promise.reject(new Error('nobody signs in to tools')),
    signOut: undefined,
    needsToken: true,
    note: () => undefined,
  };
}

/** Calls operations over the JSON API. */
export function performShared(catalog: SharedCatalog) {
  const handler = postHandler(operationsApi(shared()));
  return async (
    teams: readonly string[],
    name: string,
    input: unknown = {},
  ): Promise<{ status: number; body: Told }> => {
    const request = new Request(`http://127.0.0.1/api/operations/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof input === 'string' ? input : JSON.stringify(input),
    });
    const response = await handler(request, contextFor(catalog, teams, { name }));
    return { status: response.status, body: await response.json() };
  };
}

/** Asks in the manner of clients without a session. */
export function askShared(catalog: SharedCatalog): AskShared {
  const handler = postHandler(sharedMcpService(shared()));
  return async (teams, method, params = {}) => {
    const request = new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...named(params),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } }),
    });
    const text = await (await handler(request, contextFor(catalog, teams))).text();
    return JSON.parse(/^data: (.*)$/mu.exec(text)?.[1] ?? text);
  };
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

function named({ name, uri }: Record<string, unknown>): Record<string, string> {
  const value = name ?? uri;
  return typeof value === 'string' ? { 'mcp-name': value } : {};
}
