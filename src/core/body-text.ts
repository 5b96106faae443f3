/** The reply was longer than allowed. The rest was not received. */
export class BodyTooLong extends Error {}

/** Reads the body of a reply as text. Fails with BodyTooLong as soon as it exceeds `maxBytes`. */
export async function bodyText({ body }: Pick<Response, 'body'>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > maxBytes) throw new BodyTooLong(`the reply has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
