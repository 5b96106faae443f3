/** Tells connected clients that lists changed: once per change, and only those that finished their handshake. */
import type { ServerEventBus } from '@modelcontextprotocol/server';
import type { ListingChange } from '../operations/listing-change.js';
import type { Catalogue } from './catalogue.js';
import { manifestUri } from './resources.js';
import type { Connection } from './server.js';
import { rootUri } from './skill-uris.js';

const REASON_KEY = 'lectern/reason';

/** The lists that a change of the catalogue shows in. */
const CHANGED_LISTS = [
  { kind: 'tools_list_changed', method: 'notifications/tools/list_changed' },
  { kind: 'resources_list_changed', method: 'notifications/resources/list_changed' },
  { kind: 'prompts_list_changed', method: 'notifications/prompts/list_changed' },
] as const;

interface Notice {
  method: (typeof CHANGED_LISTS)[number]['method'] | 'notifications/resources/updated';
  params: { _meta: Record<string, string> } | { uri: string };
}

export class Announcer {
  readonly #connections = new Set<Connection>();
  readonly #buses = new Set<ServerEventBus>();
  readonly #catalogue: Catalogue;
  readonly #stop: () => void;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#stop = catalogue.announcesChanges ? catalogue.onChange((change) => this.#announce(change)) : () => undefined;
  }

  /** For connections that live on: stdio, sessions, streams. */
  add(connection: Connection): void {
    this.#connections.add(connection);
    const { server } = connection.mcp;
    const before = server.onclose;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a property of the SDK, nothing of the DOM
    server.onclose = () => {
      this.#connections.delete(connection);
      before?.();
    };
  }

  /** For listeners that have no connection of their own. */
  addBus(bus: ServerEventBus): void {
    this.#buses.add(bus);
  }

  get size(): number {
    return this.#connections.size;
  }

  stop(): void {
    this.#stop();
  }

  #announce(change: ListingChange): void {
    const params = { _meta: { [REASON_KEY]: change.reason } };
    if (change.listed) {
      for (const { kind, method } of CHANGED_LISTS) {
        for (const bus of this.#buses) bus.publish({ kind, params });
        for (const connection of this.#connections) if (connection.ready) this.#send(connection, { method, params });
      }
    }
    for (const { realFile, ...skill } of change.updated) this.#announceUpdate(manifestUri(rootUri(skill), realFile));
  }

  /** Only to those who asked: the SDK keeps the list of clients without a handshake, we that of the others. */
  #announceUpdate(uri: string): void {
    for (const bus of this.#buses) bus.publish({ kind: 'resource_updated', uri });
    for (const connection of this.#connections) {
      if (connection.ready && (connection.era === 'modern' || connection.subscriptions.has(uri)))
        this.#send(connection, { method: 'notifications/resources/updated', params: { uri } });
    }
  }

  #send({ mcp }: Connection, notification: Notice): void {
    // A list that this server does not have is not announced.
    const [, list] = notification.method.split('/');
    if (list !== undefined && !Object.hasOwn(mcp.server.getCapabilities(), list)) return;
    // A client that went away at this very moment is not a problem of ours.
    mcp.server.notification(notification).catch((error: unknown) => {
      this.#catalogue.log.warn(`a client could not be told of a change: ${error instanceof Error ? error.message : 'unknown'}`);
    });
  }
}
