import type { McpServer } from '@modelcontextprotocol/server';

export type Era = 'legacy' | 'modern';

/** One server and what is known about its client. */
export interface Connection {
  mcp: McpServer;
  era: Era;
  /** Whether the client may be notified: legacy clients only after their `initialized`, modern ones at once. */
  ready: boolean;
  /** Resources that a legacy client subscribed to. For modern clients the SDK keeps the list. */
  subscriptions: Set<string>;
}

export type Connect = (era: Era) => Connection;
