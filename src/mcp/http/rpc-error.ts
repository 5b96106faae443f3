/** Messages and JSON-RPC errors of the HTTP transports. */
import { findExcess, type MessageProblem, parseJson } from '../messages.ts';

/** Code of errors that have none in the protocol. */
const SERVER_ERROR = -32000;
export const SESSION_NOT_FOUND = -32001;

export function rpcError(
  status: 400 | 404 | 405 | 406 | 503,
  message: string,
  { code = SERVER_ERROR, id = null, headers = {} }: Partial<MessageProblem> & { headers?: Record<string, string> } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status, headers });
}

/** Returns the posted JSON, or an error response if it is invalid or too large. */
export async function readMessage(request: Request): Promise<{ body: unknown } | Response> {
  const parsed = parseJson(new Uint8Array(await request.arrayBuffer()));
  const problem = 'value' in parsed ? findExcess(parsed.value) : parsed;
  if (problem) return rpcError(400, problem.message, problem);
  return { body: 'value' in parsed ? parsed.value : undefined };
}
