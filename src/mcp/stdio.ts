/** Serves one client of either era over a pair of streams. */
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { echo } from '../core/text.ts';
import type { Announcer } from './announce.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { LineTransport } from './line-transport.ts';
import { createConnector } from './server.ts';

/** A server that runs until it is closed or its client disconnects. */
export interface Running {
  closed: Promise<void>;
  close(): Promise<void>;
}

export function serveLines(
  served: ServedWorkspace,
  announcer: Announcer,
  streams: { input: Readable; output: Writable },
): Running {
  const transport = new LineTransport({ ...streams, note: (text) => served.log.warn(text) });
  const connect = createConnector(served);
  const handle = serveStdio(
    ({ era }) => {
      const connection = connect(era);
      announcer.add(connection);
      return connection.mcp;
    },
    { transport, onerror: (error) => served.log.warn(echo(error.message)) },
  );
  void transport.drained.then(() => handle.close());
  return {
    closed: transport.closed,
    close: () => {
      transport.drain();
      return transport.closed;
    },
  };
}
