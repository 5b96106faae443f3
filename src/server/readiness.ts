/** Readiness probe of a replica for load balancers. */
import type { Service } from '../http/listen.ts';
import type { Handler } from '../http/routes.ts';
import type { Follower } from '../hub/follower.ts';

export interface ReadinessOptions {
  follower: Pick<Follower, 'current' | 'loading' | 'publicTrouble' | 'staleMs'>;
  /** Time without the database before the replica is not ready. */
  maxStaleMs: number;
  /** Aborted when the replica prepares to stop. */
  draining: AbortSignal;
}

export function readiness({ follower, maxStaleMs, draining }: ReadinessOptions): Service {
  const answer: Handler = () => {
    const { current, loading, publicTrouble: trouble } = follower;
    const stale = follower.staleMs();
    const state = {
      snapshot: current?.number ?? null,
      staleSeconds: Math.round(stale / 1_000),
      ...(trouble === undefined ? {} : { trouble }),
    };
    if (!current) {
      const why = trouble === undefined ? '' : ` The reason: ${trouble}.`;
      const error = { code: 'REFUSED', message: `There is no catalog yet.${why}` };
      const body = { error, ...(loading === undefined ? {} : { loading }) };
      return Response.json(body, { status: 503, headers: { 'retry-after': '5' } });
    }
    if (draining.aborted) return Response.json({ ...state, draining: true }, { status: 503 });
    const isReady = stale <= maxStaleMs;
    return Response.json(state, { status: isReady ? 200 : 503 });
  };
  return {
    routes: [{ path: '/readyz', methods: { GET: answer, HEAD: answer }, isPublic: true }],
    close: async () => undefined,
  };
}
