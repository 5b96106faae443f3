import path from 'node:path';
import { isRecord } from '../core/json-file.ts';
import { bearerHeader, type Client, type Entry, folder, hasAuth, LENIENT_JSON, type Server } from './client.ts';

/**
 * opencode merges `opencode.json` and `opencode.jsonc`, in the project and in its configuration folder. Version 2 moves the
 * servers from `mcp` to `mcp.servers` and drops `enabled`. A file in the new form keeps that form.
 */
export const opencode: Client = {
  name: 'opencode',
  title: 'opencode',
  basis: 'observed',
  source: 'https://opencode.ai/docs/mcp-servers',
  format: 'json',
  dialect: LENIENT_JSON,
  scopes: ['project', 'user'],
  files: (scope, context) => {
    const config = folder(context, 'XDG_CONFIG_HOME', '.config');
    const dir = scope === 'project' ? context.projectDir : config && path.join(config, 'opencode');
    return dir === undefined ? undefined : [path.join(dir, 'opencode.jsonc'), path.join(dir, 'opencode.json')];
  },
  place: (name, server, document) =>
    hasServersObject(document)
      ? { keys: ['mcp', 'servers', name], entry: connection(server) }
      : { keys: ['mcp', name], entry: { ...connection(server), enabled: true } },
  // With a token, opencode must not try to sign in.
  bearer: (variable) => ({ ...bearerHeader(`{env:${variable}}`), oauth: false }),
  command: (name, server, scope) =>
    scope === 'project' || hasAuth(server)
      ? undefined
      : [
          'opencode',
          'mcp',
          'add',
          name,
          ...(server.transport === 'http' ? ['--url', server.url] : ['--', server.command, ...server.args]),
        ],
};

function connection(server: Server): Entry {
  return server.transport === 'http'
    ? { type: 'remote', url: server.url, ...server.auth }
    : { type: 'local', command: [server.command, ...server.args] };
}

/** A server named "servers" has a type; the `servers` object of version 2 does not. */
function hasServersObject(document: unknown): boolean {
  const mcp = isRecord(document) ? document['mcp'] : undefined;
  const servers = isRecord(mcp) ? mcp['servers'] : undefined;
  return isRecord(servers) && typeof servers['type'] !== 'string';
}
