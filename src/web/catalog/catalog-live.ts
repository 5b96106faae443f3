/**
 * Tells open pages that what their caller sees of a shared catalog has changed. Nobody hears of anything else: that something
 * hidden was published would tell that it exists.
 */
import type { Context } from '../../http/routes.ts';
import type { Follower } from '../../hub/follower.ts';
import type { Caller, SharedCatalog } from '../../hub/shared-catalog.ts';
import { EventStreams } from '../event-streams.ts';

/** Each open tab has one. */
const STREAMS_MAX = 1_000;
/** A swap is an assignment, and looking for one costs nothing. */
const LOOK_MS = 500;

interface Listener {
  caller: Caller;
  /** Names what the page was last told of. */
  stamp: string;
}

export class CatalogLive {
  readonly #follower: Pick<Follower, 'current' | 'clock'>;
  readonly #streams = new EventStreams<Listener>(STREAMS_MAX);
  readonly #timer = setInterval(() => this.#look(), LOOK_MS).unref();
  #seen: SharedCatalog | undefined;

  constructor(follower: Pick<Follower, 'current' | 'clock'>) {
    this.#follower = follower;
  }

  open(context: Context, caller: Caller, catalog: SharedCatalog): Response {
    const stamp = catalog.stampFor(caller.teams);
    return this.#streams.open(context, { caller, stamp }, stamp);
  }

  #look(): void {
    const { current, clock } = this.#follower;
    if (!current) return;
    const now = clock.now();
    const isNew = current !== this.#seen;
    this.#seen = current;
    const stamps = new Map<string, string>();
    const stampOf = ({ teams }: Caller): string => {
      const key = teams.join(' ');
      const stamp = stamps.get(key) ?? current.stampFor(teams);
      stamps.set(key, stamp);
      return stamp;
    };
    this.#streams.tell('changed', (listener) => {
      if (!current.stillKnows(listener.caller, now)) return 'end';
      const stamp = isNew ? stampOf(listener.caller) : listener.stamp;
      if (stamp === listener.stamp) return undefined;
      listener.stamp = stamp;
      return { snapshot: stamp };
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#streams.close();
  }
}
