/** Metrics of a replica in the Prometheus text format. They contain no caller and no skill names. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Answered, Service } from '../http/listen.ts';
import type { Follower } from '../hub/follower.ts';
import type { CallOutcome } from '../mcp/http/stateless.ts';

/** In seconds: from a lookup in memory to a search that had to wait. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Counter<'tool' | 'outcome'>;
  readonly #callSeconds: Histogram<'tool'>;
  readonly #requests: Counter<'path' | 'status'>;
  #databaseErrors = 0;

  constructor(follower: Follower) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    const follow = <M extends typeof Gauge | typeof Counter>(
      Metric: M,
      name: string,
      help: string,
      value: () => number,
    ) =>
      new Metric({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(value());
        },
      });
    follow(Gauge, 'lectern_snapshot', 'Number of the served snapshot', () => follower.current?.number ?? 0);
    follow(
      Gauge,
      'lectern_stale_seconds',
      'Seconds since the database confirmed the snapshot',
      () => follower.staleMs() / 1_000,
    );
    follow(Counter, 'lectern_swaps_total', 'Number of snapshot swaps', () => follower.swaps);
    follow(
      Counter,
      'lectern_database_errors_total',
      'Number of database errors',
      () => follower.failures + this.#databaseErrors,
    );
    this.#calls = new Counter({
      name: 'lectern_calls_total',
      help: 'Calls of tools',
      labelNames: ['tool', 'outcome'],
      registers,
    });
    this.#callSeconds = new Histogram({
      name: 'lectern_call_seconds',
      help: 'Duration of tool calls in seconds',
      labelNames: ['tool'],
      buckets: BUCKETS,
      registers,
    });
    this.#requests = new Counter({
      name: 'lectern_requests_total',
      help: 'HTTP requests by route',
      labelNames: ['path', 'status'],
      registers,
    });
  }

  /** Call only with existing tool names, so that callers cannot add labels. */
  called(tool: string, outcome: CallOutcome, seconds: number): void {
    this.#calls.inc({ tool, outcome });
    this.#callSeconds.observe({ tool }, seconds);
  }

  answered({ path, status }: Answered): void {
    this.#requests.inc({ path, status });
  }

  databaseFailed(): void {
    this.#databaseErrors += 1;
  }

  service(): Service {
    const answer = async (): Promise<Response> =>
      new Response(await this.#registry.metrics(), { headers: { 'content-type': this.#registry.contentType } });
    return { routes: [{ path: '/metrics', methods: { GET: answer } }], close: async () => undefined };
  }
}
