/** Translates between the requests and responses of Node.js and the web-standard ones that handlers work with. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The whole body; undefined as soon as it is known to be too long, or if the caller hangs up. */
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

/** The guards have checked `Host`. A caller that hangs up cancels the body of the response; the request has no signal of its own. */
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
 * Resolves when the response is delivered or the caller is gone. A body that fails midway cuts the connection.
 * Node.js leaves out the body of a reply to HEAD.
 */
export async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  const cookies = response.headers.getSetCookie();
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
  });
  const reader = response.body?.getReader();
  if (!reader) return void outgoing.end();
  // Ends a read that is under way, so the loop below never waits for a caller that is gone.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  outgoing.on('close', cancel);
  // Node.js holds the head back until the first bytes of the body, but a client of a stream waits for the head.
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
