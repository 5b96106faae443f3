/** Notifies connected clients that lists changed: once per change, and only after their handshake. */
import type { ServerEventBus } from '@modelcontextprotocol/server';
import type { ServedWorkspace } from './served-workspace.ts';
import type { VisibleChange } from './changes.ts';
import type { Connection } from './connection.ts';

const REASON_KEY = 'lectern/reason';

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
  readonly #served: ServedWorkspace;
  readonly #stop: () => void;

  constructor(served: ServedWorkspace) {
    this.#served = served;
    this.#stop = served.announcesChanges ? served.onChange((change) => this.#announce(change)) : () => undefined;
  }

  /** Adds a connection that outlives one request: stdio, session or stream. */
  add(connection: Connection): void {
    this.#connections.add(connection);
    const { server } = connection.mcp;
    const before = server.onclose;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has this property instead of events
    server.onclose = () => {
      this.#connections.delete(connection);
      before?.();
    };
  }

  /** Adds the event bus for clients without a permanent connection, which the SDK notifies. */
  addBus(bus: ServerEventBus): void {
    this.#buses.add(bus);
  }

  stop(): void {
    this.#stop();
  }

  #announce({ lists, reason, updated }: VisibleChange): void {
    const params = { _meta: { [REASON_KEY]: reason } };
    for (const { list, kind, method } of CHANGED_LISTS) {
      if (!lists.includes(list)) continue;
      for (const bus of this.#buses) bus.publish({ kind, params });
      for (const connection of this.#connections) if (connection.ready) this.#send(connection, { method, params });
    }
    for (const uri of updated) this.#announceUpdate(uri);
  }

  /** Notifies subscribers only. The SDK keeps the subscriptions of clients without a handshake. */
  #announceUpdate(uri: string): void {
    for (const bus of this.#buses) bus.publish({ kind: 'resource_updated', uri });
    for (const connection of this.#connections) {
      if (connection.ready && (connection.era === 'modern' || connection.subscriptions.has(uri)))
        this.#send(connection, { method: 'notifications/resources/updated', params: { uri } });
    }
  }

  #send({ mcp }: Connection, notification: Notice): void {
    // Clients must not be notified of lists that this server does not have.
    const [, list] = notification.method.split('/');
    if (list !== undefined && !Object.hasOwn(mcp.server.getCapabilities(), list)) return;
    // The client may have just disconnected.
    mcp.server.notification(notification).catch((error: unknown) => {
      this.#served.log.warn(`cannot notify a client: ${error instanceof Error ? error.message : 'unknown error'}`);
    });
  }
}
