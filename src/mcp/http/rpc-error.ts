/** JSON-RPC errors of the HTTP transports. */

/** For errors without a code in the protocol. */
const SERVER_ERROR = -32000;
export const SESSION_NOT_FOUND = -32001;

export function rpcError(
  status: 400 | 404 | 405 | 406 | 503,
  message: string,
  { code = SERVER_ERROR, headers = {} }: { code?: number; headers?: Record<string, string> } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

/** The posted JSON, or the error response if the body is not JSON. */
export async function readMessage(request: Request): Promise<{ body: unknown } | Response> {
  try {
    return { body: await request.json() };
  } catch {
    return rpcError(400, 'Parse error: the body is not JSON', { code: -32700 });
  }
}
