/** What a replica answers to MCP requests, without a process, a port or a database around it. */
import type { Context } from '../../src/http/routes.ts';
import type { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import { RequestContext } from '../../src/hub/request-context.ts';
import { sharedMcpService } from '../../src/mcp/http/stateless.ts';
import type { Told } from './replica.ts';

export type AskShared = (teams: readonly string[], method: string, params?: Record<string, unknown>) => Promise<Told>;

/** Asks in the manner of clients without a session. */
export function askShared(catalog: SharedCatalog): AskShared {
  const service = sharedMcpService({
    log: {
      info: () => undefined,
      warn: () => undefined,
      bug(error) {
        throw error;
      },
    },
    serverName: 'lectern',
    metrics: { called: () => undefined },
    uses: { loaded: () => undefined },
  });
  const handler = service.routes[0]?.methods.POST;
  if (!handler) throw new Error('nothing to ask');
  return async (teams, method, params = {}) => {
    const caller = { tokenId: 1, actor: 'test', teams, scopes: ['read'] as const, expiresAt: Infinity };
    const context: Context = {
      caller: 'test',
      who: new RequestContext(caller, catalog),
      params: {},
      from: '',
      finished: Promise.resolve(),
      isStream: () => undefined,
      signIn: () => Promise.reject(new Error('nobody signs in to tools')),
      signOut: undefined,
      needsToken: true,
      note: () => undefined,
    };
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
    const text = await (await handler(request, context)).text();
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
