/** Tells connected clients that lists changed: once per change, and only those that finished their handshake. */
import type { ServerEventBus } from '@modelcontextprotocol/server';
import type { Catalog } from './catalog.ts';
import type { CatalogChange } from './changes.ts';
import type { Connection } from './server.ts';

const REASON_KEY = 'lectern/reason';

/** The lists that a change of the catalog shows in. */
const CHANGED_LISTS = [
  { list: 'tools', kind: 'tools_list_changed', method: 'notifications/tools/list_changed' },
  { list: 'resources', kind: 'resources_list_changed', method: 'notifications/resources/list_changed' },
  { list: 'prompts', kind: 'prompts_list_changed', method: 'notifications/prompts/list_changed' },
] as const;

interface Notice {
  method: (typeof CHANGED_LISTS)[number]['method'] | 'notifications/resources/updated';
  params: { _meta: Record<string, string> } | { uri: string };
}

export class Announcer {
  readonly #connections = new Set<Connection>();
  readonly #buses = new Set<ServerEventBus>();
  readonly #catalog: Catalog;
  readonly #stop: () => void;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.#stop = catalog.announcesChanges ? catalog.onChange((change) => this.#announce(change)) : () => undefined;
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

  #announce({ lists, reason, updated }: CatalogChange): void {
    const params = { _meta: { [REASON_KEY]: reason } };
    for (const { list, kind, method } of CHANGED_LISTS) {
      if (!lists.includes(list)) continue;
      for (const bus of this.#buses) bus.publish({ kind, params });
      for (const connection of this.#connections) if (connection.ready) this.#send(connection, { method, params });
    }
    for (const uri of updated) this.#announceUpdate(uri);
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
      this.#catalog.log.warn(
        `a client could not be told of a change: ${error instanceof Error ? error.message : 'unknown'}`,
      );
    });
  }
}
