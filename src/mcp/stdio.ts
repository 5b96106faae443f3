/** Serves one client over a pair of streams, in whichever era it speaks. */
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Announcer } from './announce.js';
import type { Catalogue } from './catalogue.js';
import { LineTransport } from './line-transport.js';
import { createConnector } from './server.js';

/** Something that serves until it is closed, or until its client goes away. */
export interface Running {
  closed: Promise<void>;
  close(): Promise<void>;
}

export function serveLines(catalogue: Catalogue, announcer: Announcer, streams: { input: Readable; output: Writable }): Running {
  const transport = new LineTransport({ ...streams, note: (text) => catalogue.log.warn(text) });
  const connect = createConnector(catalogue);
  const handle = serveStdio(
    ({ era }) => {
      const connection = connect(era);
      announcer.add(connection);
      return connection.mcp;
    },
    { transport, onerror: (error) => catalogue.log.warn(error.message) },
  );
  return { closed: transport.closed, close: () => handle.close() };
}
