/** Serves one client over a pair of streams, in whichever era it speaks. */
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Announcer } from './announce.ts';
import type { Catalog } from './catalog.ts';
import { LineTransport } from './line-transport.ts';
import { createConnector } from './server.ts';

/** Something that serves until it is closed, or until its client goes away. */
export interface Running {
  closed: Promise<void>;
  close(): Promise<void>;
}

export function serveLines(
  catalog: Catalog,
  announcer: Announcer,
  streams: { input: Readable; output: Writable },
): Running {
  const transport = new LineTransport({ ...streams, note: (text) => catalog.log.warn(text) });
  const connect = createConnector(catalog);
  const handle = serveStdio(
    ({ era }) => {
      const connection = connect(era);
      announcer.add(connection);
      return connection.mcp;
    },
    { transport, onerror: (error) => catalog.log.warn(error.message) },
  );
  return { closed: transport.closed, close: () => handle.close() };
}
