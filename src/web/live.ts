/** Tells open pages that files changed. They then fetch themselves again. */
import type { Context } from '../http/routes.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import { HEADERS } from './headers.ts';

/** Often enough that no proxy takes the stream for dead. */
const KEEP_ALIVE_MS = 15_000;
/** A page is redrawn four times a second at most. */
const COALESCE_MS = 250;
/** Each open tab has one. */
const STREAMS_MAX = 256;

type Kind = 'skills' | 'specs';

export class Live {
  readonly #streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  readonly #run = Date.now().toString(36);
  #count = 0;
  #pending: { kinds: Set<Kind>; timer: NodeJS.Timeout } | undefined;
  #lastSent = 0;
  readonly #keepAlive = setInterval(() => this.#send(':\n\n'), KEEP_ALIVE_MS).unref();

  /** Of this run of the server: after a restart every open page fetches itself again. */
  get snapshot(): string {
    return `${this.#run}-${this.#count}`;
  }

  open({ finished, isStream }: Context): Response {
    if (this.#streams.size >= STREAMS_MAX)
      return new Response(null, { status: 503, headers: { ...HEADERS, 'retry-after': '10' } });
    isStream();
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const forget = (): void => void (own && this.#streams.delete(own));
    void finished.then(forget);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        this.#streams.add(controller);
        // A page that was opened before the last change, or while the stream was lost, learns of it now.
        controller.enqueue(encoded(event('here', { snapshot: this.snapshot })));
      },
      cancel: forget,
    });
    return new Response(body, {
      headers: { ...HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    });
  }

  changed(kinds: readonly Kind[]): void {
    this.#count += 1;
    const waiting = this.#pending;
    if (waiting) return kinds.forEach((kind) => waiting.kinds.add(kind));
    const wait = Math.max(0, this.#lastSent + COALESCE_MS - Date.now());
    const pending = {
      kinds: new Set(kinds),
      timer: setTimeout(() => {
        this.#pending = undefined;
        this.#lastSent = Date.now();
        this.#send(event('changed', { snapshot: this.snapshot, kinds: [...pending.kinds] }));
      }, wait),
    };
    this.#pending = pending;
  }

  close(): void {
    clearInterval(this.#keepAlive);
    clearTimeout(this.#pending?.timer);
    for (const stream of this.#streams) stream.close();
    this.#streams.clear();
  }

  #send(text: string): void {
    for (const stream of this.#streams) stream.enqueue(encoded(text));
  }
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** What a page could show differently after a scan. */
export function changedKinds(before: Snapshot, after: Snapshot): Kind[] {
  const kinds: Kind[] = [];
  if (skillsPrint(before) !== skillsPrint(after)) kinds.push('skills');
  if (specsPrint(before) !== specsPrint(after)) kinds.push('specs');
  return kinds;
}

const prints = new WeakMap<Snapshot, string>();

function skillsPrint(snapshot: Snapshot): string {
  const known = prints.get(snapshot);
  if (known !== undefined) return known;
  const print = JSON.stringify([
    snapshot.all.copies.map(({ file, stamp, disabled, alsoAt }) => [
      file,
      stamp.mtimeMs,
      stamp.size,
      disabled,
      alsoAt.length,
    ]),
    [...snapshot.configDiagnostics, ...snapshot.diagnostics({ state: 'all', names: true })].map(
      ({ code, path, line }) => [code, path, line],
    ),
    Object.values(snapshot.settings).map(({ value }) => value),
  ]);
  prints.set(snapshot, print);
  return print;
}

function specsPrint({ openedSpecs }: Snapshot): string {
  if (!openedSpecs) return '';
  const files = [
    ...openedSpecs.specs.map(({ file }) => file),
    ...openedSpecs.changes.flatMap(({ proposal, tasksFile, design, deltas }) => [
      proposal,
      tasksFile,
      design,
      ...deltas.map(({ file }) => file),
    ]),
  ];
  return JSON.stringify(files.map((file) => file && [file.path, file.stamp.mtimeMs, file.stamp.size]));
}
