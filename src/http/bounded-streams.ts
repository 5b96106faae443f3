/**
 * Bounds the number of open streams. If the limit is reached, a new stream ends the oldest one of the caller with the most
 * streams.
 */
import { mostCrowded, type Place } from './crowd.ts';
import type { Context } from './routes.ts';

interface Stream extends Place {
  end(): void;
}

export class BoundedStreams {
  /** Open streams, oldest first. */
  readonly #streams = new Set<Stream>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns the same response, which ends early if it has to make room. */
  admit(
    { body, status, headers }: Response,
    { caller, from, finished }: Pick<Context, 'caller' | 'from' | 'finished'>,
  ): Response {
    if (!body) return new Response(body, { status, headers });
    const reader = body.getReader();
    let isEnded = false;
    const stream: Stream = {
      caller,
      from,
      end: () => {
        isEnded = true;
        void reader.cancel().catch(() => undefined);
      },
    };
    this.add(stream, finished);
    const passed = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done || isEnded) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => reader.cancel(),
    });
    return new Response(passed, { status, headers });
  }

  /** Counts a stream until `finished` resolves. */
  add(stream: Stream, finished: Promise<void>): void {
    if (this.#streams.size >= this.#max) {
      const [oldest] = mostCrowded([...this.#streams]);
      if (oldest) {
        this.#streams.delete(oldest);
        oldest.end();
      }
    }
    this.#streams.add(stream);
    void finished.then(() => this.#streams.delete(stream));
  }
}
