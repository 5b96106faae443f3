/** Numbers about a replica, in the text form that Prometheus reads. They name no caller and no skill. */
import type { Service } from '../../http/listen.ts';
import type { Handler } from '../../http/routes.ts';
import type { Follower } from '../../hub/follower.ts';

export type CallOutcome = 'ok' | 'error';

interface Counted {
  calls: Record<CallOutcome, number>;
  seconds: number;
}

export class CallCounts {
  /** By tool: only names of tools that exist, so that nobody can fill it. */
  readonly #tools = new Map<string, Counted>();

  add(tool: string, outcome: CallOutcome, seconds: number): void {
    const counted = this.#tools.get(tool) ?? { calls: { ok: 0, error: 0 }, seconds: 0 };
    counted.calls[outcome] += 1;
    counted.seconds += seconds;
    this.#tools.set(tool, counted);
  }

  *lines(): Generator<string> {
    yield '# TYPE lectern_calls_total counter';
    for (const [tool, { calls }] of this.#tools)
      for (const [outcome, count] of Object.entries(calls))
        yield `lectern_calls_total{tool="${tool}",outcome="${outcome}"} ${count}`;
    yield '# TYPE lectern_call_seconds summary';
    for (const [tool, { calls, seconds }] of this.#tools) {
      yield `lectern_call_seconds_sum{tool="${tool}"} ${seconds.toFixed(6)}`;
      yield `lectern_call_seconds_count{tool="${tool}"} ${calls.ok + calls.error}`;
    }
  }
}

export function metricsService(follower: Follower, counts: CallCounts): Service {
  const answer: Handler = () => {
    const gauges: [name: string, type: string, value: number][] = [
      ['lectern_snapshot', 'gauge', follower.current?.number ?? 0],
      ['lectern_stale_seconds', 'gauge', follower.staleMs() / 1_000],
      ['lectern_swaps_total', 'counter', follower.swaps],
      ['lectern_database_errors_total', 'counter', follower.failures],
    ];
    const lines = gauges.flatMap(([name, type, value]) => [`# TYPE ${name} ${type}`, `${name} ${value}`]);
    return new Response(`${[...lines, ...counts.lines()].join('\n')}\n`, {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    });
  };
  return { routes: [{ path: '/metrics', methods: { GET: answer } }], close: async () => undefined };
}
