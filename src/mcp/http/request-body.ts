import type { IncomingMessage } from 'node:http';
import { type Refusal, refusal } from './guards.ts';

export type ReadBody = { kind: 'value'; value: unknown } | { kind: 'refused'; refusal: Refusal };

/** A JSON body, refused as soon as it is known to be too long. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  const tooLarge: ReadBody = {
    kind: 'refused',
    refusal: refusal(413, `The body is longer than ${maxBytes} bytes.`, { connection: 'close' }),
  };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > maxBytes) return tooLarge;
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return { kind: 'value', value };
  } catch {
    return { kind: 'refused', refusal: refusal(400, 'Parse error: the body is not JSON', undefined, -32700) };
  }
}
