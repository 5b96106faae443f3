/** Publishing over HTTP: check, upload, publish. Requires a token, never database credentials. */
import { explain, Failure, type FailureCode } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { oneLine } from '../core/text.ts';
import type { Service } from '../http/listen.ts';
import type { Context, Handler, Route } from '../http/routes.ts';
import type { Publishing } from '../hub/publishing.ts';
import { RequestContext } from '../hub/request-context.ts';
import type { Caller } from '../hub/shared-catalog.ts';
import type { About, Published, StoredSource } from '../store/catalog-store.ts';
import { DatabaseFailure, ReadOnlyFailure } from '../store/database.ts';
import type { ServerLog } from '../mcp/log.ts';
import type { Metrics } from './metrics.ts';

const STATUS: Partial<Record<FailureCode, number>> = {
  USAGE: 400,
  NOT_FOUND: 404,
  REFUSED: 422,
  CONFLICT: 409,
  UNREACHABLE: 503,
};

const HISTORY_MAX = 100;
const COMMIT_MAX_CHARACTERS = 100;

/** Error for publishers: the address and message of the database are for operators only. */
const NO_DATABASE = new Failure('UNREACHABLE', 'The catalog cannot use its database at the moment.', {
  hint: 'Reads still work. Retry later, or contact the operator of the catalog.',
});

const READ_ONLY = new Failure('UNREACHABLE', 'The catalog is read-only at present.', {
  hint: 'Reads still work. Retry later.',
});

type Answer = (body: Record<string, unknown>, asked: { source: StoredSource; caller: Caller }) => Promise<Response>;

export function publishApi(publishing: Publishing, metrics: Metrics, log: ServerLog): Service {
  const guarded =
    (answer: (request: Request, context: Context, caller: Caller) => Promise<Response>): Handler =>
    async (request, context) => {
      try {
        return await answer(request, context, RequestContext.of(context).caller);
      } catch (error) {
        if (!(error instanceof Failure)) log.bug(error);
        if (error instanceof DatabaseFailure) {
          metrics.databaseFailed();
          log.warn(`a publisher was refused: ${error.message}`);
        }
        const explained = explain(publicError(error));
        const status = STATUS[explained.code] ?? 500;
        context.note({ outcome: explained.code });
        return Response.json(
          { error: explained },
          { status, ...(status === 503 ? { headers: { 'retry-after': '5' } } : {}) },
        );
      }
    };
  const ofSource = (name: string, answer: Answer): Route => ({
    path: `/api/sources/:team/:name/${name}`,
    scope: 'publish',
    maxBytes: LIMITS.publishedManifestBytes.value,
    methods: {
      POST: guarded(async (request, { params, note }, caller) => {
        const source = await publishing.sourceFor(caller, params['team'] ?? '', params['name'] ?? '');
        note({ source: `${source.team}/${source.name}` });
        return answer(await readJson(request), { source, caller });
      }),
    },
  });
  return {
    routes: [
      ofSource('check', async ({ files }, { source, caller }) =>
        Response.json(await publishing.check(source, files, caller)),
      ),
      ofSource('publish', async (body, { source, caller }) =>
        answerTo(await publishing.publish(source, body['base'], body['files'], aboutOf(body, caller), caller)),
      ),
      ofSource('rollback', async (body, { source, caller }) =>
        answerTo(await publishing.rollback(source, body['to'], aboutOf(body, caller))),
      ),
      ofSource('rollback-plan', async ({ to }, { source }) => Response.json(await publishing.planRollback(source, to))),
      ofSource('history', async (_body, { source }) =>
        Response.json({ versions: await publishing.history(source, HISTORY_MAX) }),
      ),
      {
        path: '/api/contents',
        scope: 'publish',
        accepts: 'application/octet-stream',
        maxBytes: LIMITS.publishedFileBytes.value,
        methods: {
          POST: guarded(async (request, _context, caller) =>
            Response.json(
              { sha256: await publishing.upload(new Uint8Array(await request.arrayBuffer()), caller) },
              { status: 201 },
            ),
          ),
        },
      },
      {
        path: '/api/replicas',
        scope: 'publish',
        methods: { GET: guarded(async () => Response.json(await publishing.replicas())) },
      },
    ],
    close: async () => undefined,
  };
}

function publicError(error: unknown): unknown {
  if (error instanceof ReadOnlyFailure) return READ_ONLY;
  return error instanceof DatabaseFailure ? NO_DATABASE : error;
}

function answerTo(published: Published): Response {
  if (published.outcome === 'conflict')
    throw new Failure('CONFLICT', `Version ${published.number} was published in the meantime.`, {
      hint: 'Run it again.',
    });
  const { outcome, number, added, changed, removed } = published;
  return Response.json({ outcome, number, added, changed, removed }, { status: outcome === 'published' ? 201 : 200 });
}

/** The actor comes from the token; only the commit and the number of skipped skills are taken from the request. */
function aboutOf({ commit, skipped }: Record<string, unknown>, { actor, tokenId }: Caller): About {
  const text = typeof commit === 'string' ? oneLine(commit).slice(0, COMMIT_MAX_CHARACTERS) : '';
  return {
    actor,
    tokenId,
    ...(text === '' ? {} : { commit: text.toWellFormed() }),
    ...(isCount(skipped) ? { skipped } : {}),
  };
}

function isCount(given: unknown): given is number {
  return Number.isInteger(given) && Number(given) >= 0 && Number(given) <= LIMITS.publishedFiles.value;
}

async function readJson(request: Request): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await request.json();
    if (isRecord(body)) return body;
  } catch {
    // Answered below.
  }
  throw new Failure('USAGE', 'The body must be a JSON object.');
}
