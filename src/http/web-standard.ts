/** Converts between the requests and responses of Node.js and the web-standard ones that handlers use. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Reads the whole body. Returns undefined as soon as it is known to be too long, or if the client disconnects. */
export function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return void chunks.push(chunk);
      // Destroying the request would close the connection before the refusal is sent.
      incoming.pause();
      resolve(undefined);
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('close', () => resolve(undefined));
  });
}

/**
 * Converts a request. The guards have checked `Host`. The request has no abort signal: if a client disconnects, the body of the
 * response is canceled.
 */
export function toRequest(incoming: IncomingMessage, body: Buffer<ArrayBuffer> | undefined): Request {
  const { method = 'GET', url = '/' } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  return new Request(`http://${incoming.headers.host ?? ''}${url}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/**
 * Resolves when the response is delivered or the client has disconnected. A body that fails midway closes the connection. Node.js
 * omits the body of a reply to HEAD.
 */
export async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  const cookies = response.headers.getSetCookie();
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
  });
  const reader = response.body?.getReader();
  if (!reader) return void outgoing.end();
  // Ends a pending read, so that the loop below never waits for a disconnected client.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  outgoing.on('close', cancel);
  // Node.js delays the headers until the first bytes of the body, but the client of a stream waits for the headers.
  if (response.headers.get('content-type') === 'text/event-stream') outgoing.flushHeaders();
  if (outgoing.destroyed) cancel();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      if (!outgoing.write(next.value)) await drained(outgoing);
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
