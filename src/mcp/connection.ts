import type { McpServer } from '@modelcontextprotocol/server';

export type Era = 'legacy' | 'modern';

/** A server and the state of its client. */
export interface Connection {
  mcp: McpServer;
  era: Era;
  /** Whether the client may be notified: legacy clients only after `initialized`, modern ones immediately. */
  ready: boolean;
  /** Subscribed resources of a legacy client. The SDK keeps those of modern clients. */
  subscriptions: Set<string>;
}

export type Connect = (era: Era) => Connection;
