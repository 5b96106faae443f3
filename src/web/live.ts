/** Notifies open pages of changed files and of a search index that is ready. They then reload their content. */
import type { Context } from '../http/routes.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import { EventStreams } from './event-streams.ts';

/** Limits updates of a page to four per second. */
const COALESCE_MS = 250;
/** Each open tab holds one stream. */
const STREAMS_MAX = 256;

type Kind = 'skills' | 'specs' | 'search';

export class Live {
  readonly #streams = new EventStreams<object>(STREAMS_MAX);
  readonly #run = Date.now().toString(36);
  #count = 0;
  #pending: { kinds: Set<Kind>; timer: NodeJS.Timeout } | undefined;
  #lastSent = 0;

  /** Includes the server run, so that every open page reloads its content after a restart. */
  get snapshot(): string {
    return `${this.#run}-${this.#count}`;
  }

  open(context: Context): Response {
    return this.#streams.open(context, {}, this.snapshot);
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
        const data = { snapshot: this.snapshot, kinds: [...pending.kinds] };
        this.#streams.tell('changed', () => data);
      }, wait),
    };
    this.#pending = pending;
  }

  close(): void {
    clearTimeout(this.#pending?.timer);
    this.#streams.close();
  }
}

/** Kinds of content that differ between two snapshots. */
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
