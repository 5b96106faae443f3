/**
 * Serves operations as JSON, for servers that join this catalog with local skills and specs. A caller gets the results of its own
 * view, as over MCP, but as data instead of text for models.
 */
import { explain, Failure } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import type { Service } from '../http/listen.ts';
import { refuse } from '../http/refuse.ts';
import type { Handler } from '../http/routes.ts';
import { RequestContext } from '../hub/request-context.ts';
import { ENVELOPE_BYTES, fitResult, jsonBytes, leading } from '../mcp/fit-reply.ts';
import { countCall, type SharedServiceOptions } from '../mcp/http/stateless.ts';
import { findExcess, parseJson } from '../mcp/messages.ts';
import { offeredTools } from '../mcp/tools.ts';
import { type AnyOperation, paramsFor } from '../operations/define.ts';
import { OPERATIONS } from '../operations/index.ts';

const REPLY_BYTES = LIMITS.replyTotalBytes.value - ENVELOPE_BYTES;

/** Names of the operations that are served: those that join a shared catalog and take no path. */
export const SERVED_OPERATIONS: readonly string[] = OPERATIONS.filter(isServed).map(({ name }) => name);

/** Paths would refer to this machine, not to the caller's. */
export function isServed(operation: AnyOperation): boolean {
  const { join = 'none' } = operation;
  return join !== 'none' && !Object.values(paramsFor('mcp', operation)).some(({ isPath }) => isPath);
}

export function operationsApi({ served, metrics }: SharedServiceOptions): Service {
  const answer: Handler = async (request, { who, params, note }) => {
    const { catalog, caller } = RequestContext.of({ who });
    const workspace = served(catalog.viewFor(...caller.teams));
    const name = SERVED_OPERATIONS.find((each) => each === params['name']);
    const tool = offeredTools(workspace).find((each) => each.name === name);
    if (!tool) return refuse(404, 'This catalog does not serve an operation of that name.');
    const input = await readInput(request);
    if (input instanceof Response) return input;
    const answered = countCall(name, metrics, note);
    const outcome = await tool.run(input, workspace);
    answered('error' in outcome);
    if ('error' in outcome) workspace.calls.failed(tool.name, outcome.error);
    const snapshot = catalog.number;
    return Response.json(
      'error' in outcome
        ? { snapshot, error: describeError(outcome.error) }
        : { snapshot, output: withinReply(outcome.output) },
      { headers: { 'cache-control': 'no-store' } },
    );
  };
  return {
    routes: [{ path: '/api/operations/:name', scope: 'read', methods: { POST: answer } }],
    close: async () => undefined,
  };
}

/** Returns the posted parameters. The limits are those of a tool call. */
async function readInput(request: Request): Promise<Record<string, unknown> | Response> {
  const parsed = parseJson(new Uint8Array(await request.arrayBuffer()));
  if (!('value' in parsed)) return refuse(400, parsed.message);
  if (!isRecord(parsed.value)) return refuse(400, 'The body must be a JSON object with the parameters.');
  const excess = findExcess({ method: 'tools/call', params: { arguments: parsed.value } });
  return excess ? refuse(400, excess.message) : parsed.value;
}

function withinReply(output: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return jsonBytes(output) <= REPLY_BYTES ? output : fitResult(output, REPLY_BYTES);
}

/** Paths are omitted because they refer to this machine. */
function describeError(error: unknown): Record<string, unknown> {
  const { code, message, hint, suggestions } = explain(error, 'model');
  return { code, message, hint, suggestions, available: availableIn(error) };
}

/** Returns existing names, as many as fit into a reply to a model. */
function availableIn(error: unknown): { noun: string; names: string[] } | undefined {
  const available = error instanceof Failure ? error.available : undefined;
  return (
    available && { noun: available.noun, names: leading(available.names(), LIMITS.replyCharacters.value, jsonBytes) }
  );
}
