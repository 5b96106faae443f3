/** Errors of the HTTP transports, in the shape that MCP clients read. */

/** For errors that the protocol has no code for. */
const SERVER_ERROR = -32000;
export const SESSION_NOT_FOUND = -32001;

export function rpcError(
  status: 400 | 404 | 405 | 406 | 503,
  message: string,
  { code = SERVER_ERROR, headers = {} }: { code?: number; headers?: Record<string, string> } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

/** The posted JSON, or the answer to a body that is not JSON. */
export async function readMessage(request: Request): Promise<{ body: unknown } | Response> {
  try {
    return { body: await request.json() };
  } catch {
    return rpcError(400, 'Parse error: the body is not JSON', { code: -32700 });
  }
}
