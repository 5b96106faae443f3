/** An operation as an MCP tool: schemas derived from its tables, text for models, and errors translated once. */
import type { CallToolResult, ContentBlock, Tool } from '@modelcontextprotocol/server';
import { explain, Failure, type ExplainedError } from '../core/failure.ts';
import { inputSchema, outputSchema } from '../core/fields/json-schema.ts';
import type { Fields, InputOf, ObjectOf } from '../core/fields/field.ts';
import { type Operation, type Params, paramsFor } from '../operations/define.ts';
import { perform } from '../operations/perform.ts';
import { renderError } from '../render/agents/replies.ts';
import type { Toolset } from '../workspace/settings-table.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ServedWorkspace } from './served-workspace.ts';

export interface ServedTool {
  toolset: Toolset;
  name: string;
  list(served: ServedWorkspace, client?: string): Promise<Tool>;
  call(args: unknown, served: ServedWorkspace, client?: string): Promise<CallToolResult>;
}

/** What is special about a tool. */
export interface ToolExtras<P extends Params, O extends Fields> {
  /** The text of the reply; by default the result as JSON. */
  render?(output: ObjectOf<O>, served: ServedWorkspace, input: InputOf<P>): string;
  /** The description is the list of skills. */
  describesSkills?: boolean;
  /** Further content blocks, such as a file. */
  attach?(output: ObjectOf<O>): ContentBlock[];
  /** Turns arguments that are tolerated although the schema does not list them into those of the schema. */
  accept?(args: unknown): unknown;
  explainFailure?(error: ExplainedError, served: ServedWorkspace, client: string | undefined): Promise<string>;
  meta?: Record<string, unknown>;
  /**
   * For replies that a model must read as text. Some agents show structured content as JSON instead of the text, so these
   * replies have none; programs find the facts in `_meta`.
   */
  factsOf?(output: ObjectOf<O>): Record<string, unknown>;
}

const FACTS_KEY = 'lectern/facts';

export function serveOperation<P extends Params, O extends Fields>(
  operation: Operation<P, O>,
  toolset: Toolset,
  extras: ToolExtras<P, O> = {},
): ServedTool {
  const { name, title, summary, details, writes } = operation;

  const definition: Omit<Tool, 'name' | 'description'> = {
    title,
    inputSchema: inputSchema(paramsFor('mcp', operation)),
    ...(extras.factsOf ? {} : { outputSchema: withError(outputSchema(operation.output)) }),
    annotations: {
      readOnlyHint: writes === undefined,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    ...(extras.meta === undefined ? {} : { _meta: extras.meta }),
  };
  const description = `${summary}.${details === undefined ? '' : ` ${details}`}`;
  return {
    toolset,
    name,
    list: async (served, client) => ({
      name: served.listedName(name),
      description: extras.describesSkills ? await served.skillDescription(client) : description,
      ...definition,
    }),
    async call(args, served, client) {
      try {
        const given = extras.accept ? extras.accept(args ?? {}) : (args ?? {});
        const { input, output } = await perform(operation, given, () => openFresh(operation, served), {
          face: 'mcp',
          wording: {
            code: 'USAGE',
            prefix: 'Invalid params (-32602): ',
            whole: 'the arguments',
            unknown: 'parameter',
          },
        });
        const text = extras.render ? extras.render(output, served, input) : JSON.stringify(output);
        const content: ContentBlock[] = [{ type: 'text', text }, ...(extras.attach?.(output) ?? [])];
        return extras.factsOf
          ? { content, _meta: { [FACTS_KEY]: extras.factsOf(output) } }
          : { content, structuredContent: { ...output } };
      } catch (error) {
        // The SDK sends the message of anything thrown here to the model, including paths.
        if (!(error instanceof Failure)) served.log.bug(error);
        return failed(error, toolset, (explained) => extras.explainFailure?.(explained, served, client));
      }
    },
  };
}

/** Specs are rescanned for each call; the tools for skills decide for themselves how current they need to be. */
async function openFresh({ reads }: { reads: Operation['reads'] }, served: ServedWorkspace): Promise<Workspace> {
  const workspace = await served.workspace();
  if (reads === 'specs') await workspace.freshSpecs();
  if (reads === 'all') await workspace.fresh();
  return workspace;
}

async function failed(
  error: unknown,
  toolset: Toolset,
  explainFailure: (error: ExplainedError) => Promise<string> | undefined,
): Promise<CallToolResult> {
  const explained = explain(error);
  // A remote caller must not learn paths.
  const { path: _path, line: _line, ...shareable } = explained;
  const structuredContent = { error: shareable };
  const text =
    (await explainFailure(explained)) ??
    (toolset === 'specs' ? JSON.stringify(structuredContent) : renderError(explained));
  return { isError: true, content: [{ type: 'text', text }], structuredContent };
}

/** Also describes failed calls: some clients check the structured content of those against the schema too. */
function withError({
  required = [],
  properties,
  ...rest
}: ReturnType<typeof outputSchema>): NonNullable<Tool['outputSchema']> {
  return {
    ...rest,
    properties: { ...(properties as Record<string, object>), error: ERROR_SCHEMA },
    anyOf: [{ required }, { required: ['error'] }],
  };
}

/** Leaves out the optional hint and suggestions: clients pay for every byte of a schema. */
const ERROR_SCHEMA = {
  type: 'object',
  description: 'Only when the call failed',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  required: ['code', 'message'],
};
