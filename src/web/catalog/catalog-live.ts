/**
 * Notifies open pages when the part of a shared catalog that their caller can see changes. Other changes are not reported,
 * because they would reveal that hidden sources exist.
 */
import type { Context } from '../../http/routes.ts';
import type { Follower } from '../../hub/follower.ts';
import type { Caller, SharedCatalog } from '../../hub/shared-catalog.ts';
import { EventStreams } from '../event-streams.ts';

/** Each open tab holds one stream. */
const STREAMS_MAX = 1_000;
/** How often to look for a new catalog. A check only compares references. */
const LOOK_MS = 500;

interface Listener {
  caller: Caller;
  /** Identifies the content that the page last received. */
  stamp: string;
}

export class CatalogLive {
  readonly #follower: Pick<Follower, 'current' | 'clock'>;
  readonly #isLate: () => boolean;
  readonly #streams = new EventStreams<Listener>(STREAMS_MAX);
  readonly #timer = setInterval(() => this.#look(), LOOK_MS).unref();
  #seen: { catalog: SharedCatalog; isLate: boolean } | undefined;

  /** `isLate`: the database has not confirmed the catalog recently. Pages then show a warning. */
  constructor(follower: Pick<Follower, 'current' | 'clock'>, isLate: () => boolean) {
    this.#follower = follower;
    this.#isLate = isLate;
  }

  /** Changes with the content that these teams can see. */
  stampFor(catalog: SharedCatalog, teams: readonly string[], isLate = this.#isLate()): string {
    return catalog.stampFor(teams) + (isLate ? '-late' : '');
  }

  open(context: Context, caller: Caller, catalog: SharedCatalog): Response {
    const stamp = this.stampFor(catalog, caller.teams);
    return this.#streams.open(context, { caller, stamp }, stamp);
  }

  #look(): void {
    const { current, clock } = this.#follower;
    if (!current) return;
    const now = clock.now();
    const isLate = this.#isLate();
    const isNew = current !== this.#seen?.catalog || isLate !== this.#seen.isLate;
    this.#seen = { catalog: current, isLate };
    const stamps = new Map<string, string>();
    const stampOf = ({ teams }: Caller): string => {
      const key = teams.join(' ');
      const stamp = stamps.get(key) ?? this.stampFor(current, teams, isLate);
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
