/** Open server-sent event streams, each with data about its listener. */
import { BoundedStreams } from '../http/bounded-streams.ts';
import type { Context } from '../http/routes.ts';
import { HEADERS } from './headers.ts';

/** Short enough that proxies do not close the stream as idle. */
const KEEP_ALIVE_MS = 15_000;

export class EventStreams<About> {
  readonly #streams = new Map<ReadableStreamDefaultController<Uint8Array>, About>();
  readonly #bounded: BoundedStreams;
  readonly #keepAlive = setInterval(() => {
    for (const stream of this.#streams.keys()) stream.enqueue(encoded(':\n\n'));
  }, KEEP_ALIVE_MS).unref();

  constructor(max: number) {
    this.#bounded = new BoundedStreams(max);
  }

  /** Sends the current snapshot first, so that a page rendered before the last change updates itself. */
  open({ caller, from, finished, isStream }: Context, about: About, snapshot: string): Response {
    isStream();
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const forget = (): void => void (own && this.#streams.delete(own));
    void finished.then(forget);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.#streams.set(controller, about);
        const end = (): void => {
          if (this.#streams.delete(controller)) controller.close();
        };
        this.#bounded.add({ caller, from, end }, finished);
        controller.enqueue(encoded(event('here', { snapshot })));
      },
      cancel: forget,
    });
    return new Response(body, {
      headers: { ...HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    });
  }

  /** Sends each stream the result of `dataFor`, if any. On `end`, sends an `ended` event and closes the stream. */
  tell(name: string, dataFor: (about: About) => object | 'end' | undefined): void {
    for (const [stream, about] of this.#streams) {
      const data = dataFor(about);
      if (data === 'end') {
        this.#streams.delete(stream);
        stream.enqueue(encoded(event('ended', {})));
        stream.close();
      } else if (data) stream.enqueue(encoded(event(name, data)));
    }
  }

  close(): void {
    clearInterval(this.#keepAlive);
    for (const stream of this.#streams.keys()) stream.close();
    this.#streams.clear();
  }
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
