/** `lectern serve`: a replica of a shared catalog. */
import { expandHome } from '../../core/home-path.ts';
import { nodeDisk } from '../../core/disk/node-disk.ts';
import { DURATION, parseDuration } from '../../core/duration.ts';
import { explain, Failure } from '../../core/failure.ts';
import type { Params } from '../../operations/define.ts';
import { DATABASE, databaseUrl } from '../../operations/shared-database.ts';
import { readSettings } from '../../workspace/settings.ts';
import { checkParams } from '../check.ts';
import type { OAuthOptions } from '../../server/oauth/oauth.ts';
import type { Command } from '../command.ts';
import { jsonLog, textLog } from './serve-log.ts';

const params = {
  ...DATABASE,
  cache: {
    type: 'text',
    placeholder: 'dir',
    help: 'Folder for the offline copy of the catalog; the user’s cache folder by default',
  },
  publicUrl: {
    type: 'text',
    placeholder: 'url',
    help: 'Public URL, such as https://skills.example.com',
  },
  maxStale: {
    ...DURATION,
    default: '1h',
    help: 'Time without the database before /readyz returns 503, such as 90s, 10m or 1h',
  },
  poll: { ...DURATION, default: '5s', help: 'Interval between database polls, such as 500ms or 5s' },
  keepAlive: {
    ...DURATION,
    default: '75s',
    help: 'How long idle connections stay open; keep it longer than the idle timeout of the load balancer',
  },
  drain: {
    ...DURATION,
    default: '5s',
    help: 'How long to keep serving after SIGTERM while /readyz returns 503',
  },
  log: {
    type: 'choice',
    choices: ['text', 'json'],
    placeholder: 'form',
    help: 'json: one object per line, including every request; text: for people. By default text on a terminal, json elsewhere',
  },
  oauthIssuer: {
    type: 'text',
    placeholder: 'url',
    help: 'Also accept access tokens of this authorization server for --public-url',
  },
  oauthJwksUrl: {
    type: 'text',
    placeholder: 'url',
    help: 'URL of its public keys; read from its metadata by default',
  },
  oauthGroupsClaim: {
    type: 'text',
    default: 'groups',
    placeholder: 'claim',
    help: 'Claim with the caller’s groups; groups map to teams of the same name',
  },
  oauthGroupPrefix: {
    type: 'text',
    placeholder: 'text',
    help: 'Group-name prefix to strip; groups without it are ignored',
  },
  oauthScopePrefix: {
    type: 'text',
    placeholder: 'text',
    help: 'Prefix of the scopes read and publish in access tokens',
  },
  host: { type: 'text', default: '127.0.0.1', placeholder: 'address', help: 'Address to listen on' },
  port: { type: 'integer', min: 0, max: 65_535, default: 3000, help: 'Port to listen on; 0 picks a free one' },
} as const satisfies Params;

export const serveCommand: Command = {
  name: 'serve',
  group: 'Shared catalog',
  serves: true,
  summary: 'Serve the shared catalog of a company from PostgreSQL',
  params,
  settings: ['server'],
  writes: false,
  examples: [
    [
      'lectern serve --public-url https://skills.example.com',
      'serve the catalog in LECTERN_DATABASE_URL at /mcp, and its page at /',
    ],
  ],
  run: async ({ options, given, edge, verbose }) => {
    const checked = checkParams(params, given);
    const { database, cache, publicUrl, maxStale, poll, keepAlive, drain, log, host, port, ...oauth } = checked;
    if (database !== undefined) edge.hideArguments();
    const maxStaleMs = parseDuration(maxStale, '--max-stale', { min: '1s' });
    // Other replicas consider a replica dead after thirty seconds without contact.
    const pollMs = parseDuration(poll, '--poll', { min: '50ms', max: '10s' });
    const keepAliveMs = parseDuration(keepAlive, '--keep-alive', { min: '1s', max: '1h' });
    const drainMs = parseDuration(drain, '--drain', { min: '0s', max: '1h' });
    const isJson = log === undefined ? !edge.isWatched() : log === 'json';
    const said = isJson ? jsonLog(edge) : textLog(edge, verbose);
    const [{ serveReplica }, { cacheFolder }, { isLoopback }, { default: path }] = await Promise.all([
      import('../../server/replica.ts'),
      import('../../workspace/cache-folder.ts'),
      import('../../core/loopback.ts'),
      import('node:path'),
    ]);
    const opened = options();
    const { settings } = readSettings(nodeDisk, opened);
    if (settings.embeddings.value === 'endpoint')
      said.warn('search.embeddings is "endpoint", but a shared catalog ranks with the bundled vectors');
    const allowedHosts = [...settings.allowedHost.value, ...(publicUrl === undefined ? [] : [hostOf(publicUrl)])];
    if (allowedHosts.length === 0 && !isLoopback(host))
      said.warn('clients can connect by IP address only; set --public-url to accept a host name');
    const folder = cacheFolder(nodeDisk, opened);
    const cacheDir =
      cache === undefined
        ? folder && path.join(folder, 'serve')
        : path.resolve(opened.projectDir, expandHome(cache, opened.userDir));
    if (cacheDir === undefined)
      throw new Failure('USAGE', 'There is no home folder for the cache.', { hint: 'Choose a folder with --cache.' });
    const starting = serveReplica({
      databaseUrl: databaseUrl(database, edge.environment),
      cacheDir,
      disk: nodeDisk,
      host,
      port,
      allowedHosts,
      publicUrl,
      oauth: oauthOf(oauth),
      maxStaleMs,
      pollMs,
      keepAliveMs,
      embeddings: settings.embeddings.value === 'none' ? 'none' : 'bundled',
      serverName: settings.serverName.value,
      log: said,
    });
    const running = await starting.catch((error: unknown) => {
      if (!isJson || !(error instanceof Failure)) throw error;
      return error;
    });
    // Log collectors expect one object per line.
    if (running instanceof Failure) {
      const explained = explain(running);
      jsonLog(edge).failed(explained);
      return { exitCode: 2, json: { error: explained }, text: () => '' };
    }
    edge.onStop((signal) => {
      said.info(`${signal}: shutting down`);
      // After Ctrl-C, the user waits for the shutdown. After SIGTERM, the load balancer needs time to notice it.
      void (signal === 'SIGTERM' ? running.drain(drainMs) : running.close());
    });
    return { until: running.closed.then(() => said.info('stopped')) };
  },
};

function oauthOf(given: {
  oauthIssuer?: string | undefined;
  oauthJwksUrl?: string | undefined;
  oauthGroupsClaim: string;
  oauthGroupPrefix?: string | undefined;
  oauthScopePrefix?: string | undefined;
}): OAuthOptions | undefined {
  const { oauthIssuer: issuer, oauthJwksUrl: jwksUrl } = given;
  if (issuer !== undefined) {
    return {
      issuer,
      jwksUrl,
      groupsClaim: given.oauthGroupsClaim,
      groupPrefix: given.oauthGroupPrefix ?? '',
      scopePrefix: given.oauthScopePrefix ?? '',
    };
  }
  if (jwksUrl !== undefined)
    throw new Failure('USAGE', '--oauth-jwks-url needs --oauth-issuer, which identifies the tokens to accept.');
  if (given.oauthGroupPrefix !== undefined || given.oauthScopePrefix !== undefined)
    throw new Failure('USAGE', '--oauth-group-prefix and --oauth-scope-prefix need --oauth-issuer.');
  return undefined;
}

function hostOf(url: string): string {
  const { protocol, host, pathname, search, hash } = URL.canParse(url) ? new URL(url) : ({} as Partial<URL>);
  if (host === undefined || !/^https?:$/u.test(protocol ?? ''))
    throw new Failure('USAGE', 'The public URL is not a URL.', { hint: 'For example https://skills.example.com.' });
  if (pathname !== '/' || `${search}${hash}` !== '')
    throw new Failure('USAGE', 'The public URL must not contain a path, query or fragment.', {
      hint: 'Use a separate host name for the catalog, such as https://skills.example.com.',
    });
  return host;
}
